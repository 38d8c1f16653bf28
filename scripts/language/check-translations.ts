import type { Finding } from './check-texts';

const TRANSLATED = /\.fr\.md$/;
const BLOCK = /^```.*?^```$/gms;

/**
 * Returns where a French document, such as `README.fr.md`, differs in form from its English one: the levels of its
 * headings, or a code block. `sources` are all documents by their paths.
 */
export function checkTranslations(sources: ReadonlyMap<string, string>): Finding[] {
  return [...sources].flatMap(([path, french]) => {
    if (!TRANSLATED.test(path)) return [];
    const original = path.replace(TRANSLATED, '.md');
    const english = sources.get(original);
    if (english === undefined) return [found(path, 'a translation', `its original ${original}`)];
    const [levels, wanted] = [levelsOf(french), levelsOf(english)];
    const headings = levels === wanted ? [] : [found(path, `headings ${levels}`, `${wanted}, as in ${original}`)];
    const [blocks, originals] = [french.match(BLOCK) ?? [], english.match(BLOCK) ?? []];
    const odd = Array.from({ length: Math.max(blocks.length, originals.length) }, (_, index) => index).find(
      (index) => blocks[index] !== originals[index],
    );
    if (odd === undefined) return headings;
    return [...headings, found(path, `code block ${odd + 1}`, `the same as in ${original}`)];
  });
}

function levelsOf(text: string): string {
  return [...text.replaceAll(BLOCK, '').matchAll(/^#+ /gm)].map(([mark]) => mark.trim()).join(' ');
}

function found(path: string, word: string, instead: string): Finding {
  return { path, line: 1, kind: 'text', word, instead };
}
