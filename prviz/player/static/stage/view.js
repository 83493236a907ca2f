// The last view of this browser: "simple" or "lab".

const NAME = "prviz-view";

/** @param {string} view */
export function remember(view) {
  try {
    localStorage.setItem(NAME, view);
  } catch { // a browser may refuse to store anything
  }
}

/** Return this browser's last view, or "simple". */
export function remembered() {
  try {
    return localStorage.getItem(NAME) === "lab" ? "lab" : "simple";
  } catch {
    return "simple";
  }
}
