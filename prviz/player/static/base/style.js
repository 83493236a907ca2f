// The style sheet goes into the theatre's own root, so that it also works inside a shadow root.

/* global PLAYER_CSS -- which the bundle defines */

export const STYLE_SHEET = PLAYER_CSS;
