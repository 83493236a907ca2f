// Which view a browser had last: "simple" or "lab".

const NAME = "prviz-view";

/** @param {string} view */
export function remember(view) {
  try {
    localStorage.setItem(NAME, view);
  } catch { // a browser may refuse to keep anything
  }
}

/** What this browser had last, or "simple". */
export function remembered() {
  try {
    return localStorage.getItem(NAME) === "lab" ? "lab" : "simple";
  } catch {
    return "simple";
  }
}
