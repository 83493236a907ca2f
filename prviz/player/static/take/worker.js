// A GIF is made beside the page, so that the page goes on: what a worker answers.

import { Gif } from "./gif.js";

/** Answer {id, name, values}: what a Gif's method returns, the first of them "open" with its options. */
export function serve(scope) {
  let gif = null;
  scope.onmessage = ({ data: { id, name, values } }) => {
    if (name === "open") gif = new Gif(...values);
    const result = name === "open" ? null : gif[name](...values);
    scope.postMessage({ id, result }, result?.buffer ? [result.buffer] : []);
  };
}
