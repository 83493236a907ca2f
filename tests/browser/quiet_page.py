"""A script that reduces the CPU time of pages."""

#: Without a graphics card, drawing takes CPU time from the tests, so ten frames a second suffice,
#: and Streamlit's placeholders do not pulse (40 % of opening a page on busy cores). Transitions are
#: unchanged: a duration for all nodes would turn every style change into a transition of every
#: property, each of 150 to 1000 ms.
LESS_DRAWING = """
{ const still = new CSSStyleSheet();
still.replaceSync(`*, ::before, ::after {
  animation-duration: 1ms !important; animation-iteration-count: 1 !important;
}`);
document.adoptedStyleSheets = [still]; }
globalThis.requestAnimationFrame = (draw) =>
  setTimeout(() => draw(performance.now()), 100 - (performance.now() % 100));
globalThis.cancelAnimationFrame = clearTimeout;
"""
