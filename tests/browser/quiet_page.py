"""A script for pages that take less of a processor."""

#: Without a graphics card, drawing takes CPU time from the tests: 10 pictures a second are enough,
#: and Streamlit's placeholders need not pulse (on busy cores that was 40 % of opening a page).
#: Transitions stay as they are: a duration for all nodes makes each change of a style a transition
#: of every property of every node, and each took 150 to 1,000 ms.
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
