// The style sheet as text. The player adds it to its root, so that it also works inside a shadow root.

export { default as STYLE_SHEET } from "../player.css" with { type: "text" };
