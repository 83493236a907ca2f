// <prviz-embed src="kmeans.html" k1="3" present="1"></prviz-embed> shows a live page in a frame that is as high as its content.

const OWN = new Set(["src", "title", "style", "class", "id", "height", "slot"]);

class PrvizEmbed extends HTMLElement {
  connectedCallback() {
    const address = new URL(this.getAttribute("src") ?? "", document.baseURI);
    for (const { name, value } of this.attributes) if (!OWN.has(name)) address.searchParams.set(name, value);
    const frame = this.frame = document.createElement("iframe");
    Object.assign(frame, { src: address.href, title: this.getAttribute("title") ?? "A live search", allow: "fullscreen; clipboard-write" });
    Object.assign(frame.style, { width: "100%", height: this.getAttribute("height") ?? "640px", border: "0", display: "block" });
    this.listen = ({ source, data }) => {
      if (source === frame.contentWindow && data?.prviz === "height") frame.style.height = `${data.height}px`;
    };
    addEventListener("message", this.listen);
    this.replaceChildren(frame);
  }

  disconnectedCallback() {
    removeEventListener("message", this.listen);
  }
}

if (!customElements.get("prviz-embed")) customElements.define("prviz-embed", PrvizEmbed);
