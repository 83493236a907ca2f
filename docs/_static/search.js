// Scores of search results. They rank the guide above results and decisions, and rank a page first if
// its title or a heading has all words of the query. Such a result opens at the heading.

const BACKGROUND = /^(benchmarks|docs\/decisions)\/|^(CHANGELOG|CONTRIBUTING)$|^docs\/(architecture|beyond)/;

/* global Search */

/** Return the words of a text without a plural s. */
const wordsOf = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/s$/, ""));
const QUERY = wordsOf(new URLSearchParams(location.search).get("q") ?? "");

const matches = (text) => QUERY.every((word) => wordsOf(text).includes(word));

/** Return the first heading of a page with all words of the query, and its id (null: the title). */
function headingOf(page) {
  const { docnames, alltitles } = Search._index;
  const file = docnames.indexOf(page);
  for (const [heading, places] of Object.entries(alltitles)) {
    const place = places.find(([number]) => number === file);
    if (place && matches(heading)) return [heading, place[1]];
  }
}

globalThis.Scorer = {
  score: (result) => {
    const [page, title, anchor, , score] = result;
    const group = BACKGROUND.test(page) ? -20 : page.startsWith("docs/guide/") ? 10 : 0;
    if (anchor) return score + group;
    if (matches(title)) return score + group + 15;
    const [heading, id] = headingOf(page) ?? [];
    if (!id) return score + group;
    result[1] = `${title} > ${heading}`;
    result[2] = `#${id}`;
    return score + group + 10;
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
