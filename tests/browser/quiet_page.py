"""Define a script that reduces the CPU time of pages."""

#: Without a graphics card, drawing takes CPU time from the tests, so the script limits pages to ten
#: frames a second, and replays, which are cheap to draw, to 25. It also stops the pulsing of
#: Streamlit's placeholders (40 % of the time to open a page on busy cores). It leaves transitions
#: as they are: a duration set on all nodes would turn every change of a style into a transition of
#: 150 to 1000 ms.
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
REPLAY_DRAWING = LESS_DRAWING.replace("100", "40")  # a frame every 40 ms instead of 100 ms
