// Scores of search results: as in Sphinx, but the guide comes before results and decisions.

const BACKGROUND = /^(benchmarks|docs\/decisions)\/|^(CHANGELOG|CONTRIBUTING)$|^docs\/beyond/;

globalThis.Scorer = {
  score: ([page, , , , score]) =>
    score + (BACKGROUND.test(page) ? -20 : page.startsWith("docs/guide/") ? 10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
