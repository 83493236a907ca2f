// The style sheet goes into the theatre's own root, so that it also works inside a shadow root.

/* global PLAYER_CSS */

export async function styleSheet() {
  if (typeof PLAYER_CSS === "string") return PLAYER_CSS; // bundled
  return (await fetch(new URL("player.css", import.meta.url))).text();
}
