// Let the keyboard scroll wide tables, and name the navigation's toggles for screen readers.

function reach() {
  for (const table of document.querySelectorAll("article table")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
    else table.removeAttribute("tabindex");
  }
}

for (const summary of document.querySelectorAll("nav summary")) {
  const pages = summary.closest("li").querySelector("a").textContent.trim();
  summary.setAttribute("aria-label", `Pages in ${pages}`);
}
addEventListener("resize", reach);
reach();
