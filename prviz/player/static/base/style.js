// The style sheet goes into the theatre's own root, so that it also works inside a shadow root.

export { default as STYLE_SHEET } from "../player.css" with { type: "text" };
