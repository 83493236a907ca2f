// A live page inside another page, in a frame that is as high as its content.

/** Report this page's height to the page around it, if there is one. @param {HTMLElement} root the player */
export function reportHeight(root) {
  if (parent === self) return;
  document.documentElement.dataset.framed = "";
  root.dataset.framed = ""; // the picture must not depend on the height of the iframe
  const { body } = document;
  const report = () => {
    if (!root.hasAttribute("data-present")) parent.postMessage({ prviz: "height", height: Math.ceil(body.getBoundingClientRect().height) }, "*");
  };
  new ResizeObserver(report).observe(body);
}
