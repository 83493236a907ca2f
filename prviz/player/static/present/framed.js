// A live page inside another page: as high as its content.

/** Tell the page around this one, if there is one, how high it is. @param {HTMLElement} root of the player */
export function reportHeight(root) {
  if (parent === self) return;
  document.documentElement.dataset.framed = "";
  root.dataset.framed = ""; // its picture must not depend on the height of the frame
  const { body } = document;
  const report = () => {
    if (!root.hasAttribute("data-present")) parent.postMessage({ prviz: "height", height: Math.ceil(body.getBoundingClientRect().height) }, "*");
  };
  new ResizeObserver(report).observe(body);
}
