// Add the style sheet to the player's root, so that it also works inside a shadow root.

export { default as STYLE_SHEET } from "../player.css" with { type: "text" };
