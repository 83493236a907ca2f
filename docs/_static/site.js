// Let the keyboard scroll wide tables and pictures, and name the navigation's toggles for screen readers.

function reach() {
  for (const wide of document.querySelectorAll("article :is(table, p:has(> img))")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
}

for (const summary of document.querySelectorAll("nav summary")) {
  const pages = summary.closest("li").querySelector("a").textContent.trim();
  summary.setAttribute("aria-label", `Pages in ${pages}`);
}
const sizes = new ResizeObserver(reach); // late style sheets change sizes without a resize of the window
for (const part of document.querySelectorAll("article :is(table, tbody, img)")) sizes.observe(part);
