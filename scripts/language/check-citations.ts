import type { Finding } from './check-texts';

/** The page with the numbers of the gateway's interface. */
export const INTERFACE_PAGE = 'docs/GATEWAY.md';

// A citation may continue on the next line of a comment, so its words may have a `*` or a `//` between them.
const GAP = String.raw`[\s*/]+`;
const NUMBER = String.raw`\d+(?:\.\d+)*`;
const CITATION = new RegExp(
  String.raw`(?<!RFC${GAP}\d+${GAP})(?:\b(?<point>open${GAP}points?)${GAP}|\bsections?${GAP}|§\s?)` +
    `(?<list>${NUMBER}(?:(?:,${GAP}|,?${GAP}(?:and|or|to)${GAP})${NUMBER})*)`,
  'giu',
);
const SECTION = /^#+ (\d(?:\.\d)?) /gmu;
const POINT = /^- \*\*Open point (\d+)\.\*\*(?:.|\n(?!- |\n))*/gmu;
const FILE = /`((?:src|migrations|scripts|test)\/[^`]+)`/gu;

/**
 * Returns the citations of sections and open points whose number is not on the page, and the open points that name no
 * existing file. The sections of an RFC are no citations. Pure.
 */
export function checkCitations(
  sources: ReadonlyMap<string, string>,
  page: string,
  exists: (path: string) => boolean,
): Finding[] {
  const sections = new Set(Array.from(page.matchAll(SECTION), ([, number]) => number));
  const points = new Set(Array.from(page.matchAll(POINT), ([, number]) => number));
  const findings: Finding[] = [];
  const add = (path: string, before: string, word: string, instead: string): void => {
    findings.push({ path, line: before.split('\n').length, kind: 'text', word, instead });
  };
  for (const [path, source] of sources) {
    for (const { groups: { point, list = '' } = {}, index } of source.matchAll(CITATION)) {
      const [kind, known] = point === undefined ? ['section', sections] : ['open point', points];
      const unknown = (list.match(new RegExp(NUMBER, 'gu')) ?? []).filter((number) => !known.has(number));
      for (const number of unknown) add(path, source.slice(0, index), `${kind} ${number}`, `see ${INTERFACE_PAGE}`);
    }
  }
  for (const { 0: text, 1: number, index } of page.matchAll(POINT)) {
    const files = Array.from(text.matchAll(FILE), ([, file = '']) => file);
    const wrong = files.length === 0 ? [`open point ${number}`] : files.filter((file) => !exists(file));
    for (const word of wrong) add(INTERFACE_PAGE, page.slice(0, index), word, 'name an existing file');
  }
  return findings;
}
