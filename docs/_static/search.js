// Scores of search results: as in Sphinx, but the guide comes before results and decisions, and a
// page with the words of the query in a heading comes first and opens at this heading.

const BACKGROUND = /^(benchmarks|docs\/decisions)\/|^(CHANGELOG|CONTRIBUTING)$|^docs\/beyond/;

/* global Search */

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const QUERY = wordsOf(new URLSearchParams(location.search).get("q") ?? "");

/** Return the first heading of a page with all words of the query, and its id (null: the title). */
function headingOf(page) {
  const { docnames, alltitles } = Search._index;
  const file = docnames.indexOf(page);
  for (const [heading, places] of Object.entries(alltitles)) {
    const place = places.find(([number]) => number === file);
    if (!place) continue;
    const words = wordsOf(heading);
    if (QUERY.every((word) => words.includes(word))) return [heading, place[1]];
  }
}

globalThis.Scorer = {
  score: (result) => {
    const [page, title, anchor, , score] = result;
    const group = BACKGROUND.test(page) ? -20 : page.startsWith("docs/guide/") ? 10 : 0;
    const found = anchor ? undefined : headingOf(page);
    if (found?.[1]) {
      result[1] = `${title} > ${found[0]}`;
      result[2] = `#${found[1]}`;
    }
    return score + group + (found ? 10 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
