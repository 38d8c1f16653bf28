import { describe, expect, test } from '@jest/globals';
import { checkCitations } from '../../../../scripts/language/check-citations';

const PAGE = [
  '### 4.1 Hosted checkout',
  '',
  '- **Open point 7.** Two',
  '  meanings. Code: `src/a.ts`, `src/gone.ts`.',
  '- **Open point 8.** It names no file.',
  '',
  'Text of `src/b.ts`.',
].join('\n');

/** On no page. It stands apart from its words, because the check reads this file too. */
const NONE = 999;

const wrongIn = (source: string): string[] =>
  checkCitations(new Map([['src/x.ts', source]]), PAGE, () => true)
    .filter(({ path }) => path === 'src/x.ts')
    .map(({ line, word }) => `${line}: ${word}`);

describe('checkCitations', () => {
  test.each([
    [`// Why (interface section 4.1, open points 7 and 8).`, []],
    [`// See RFC 9112 section ${NONE}.2, and RFC 8725\n// sections ${NONE}.1 and ${NONE}.3.`, []],
    [`\n// Open point ${NONE} states why.`, [`2: open point ${NONE}`]],
    [
      `/**\n * The open\n * points 7, 8 and ${NONE}, and section ${NONE}.\n */`,
      [`2: open point ${NONE}`, `3: section ${NONE}`],
    ],
    [`// open points 7 to ${NONE}`, [`1: open point ${NONE}`]],
    [`// interface sections 4.1 to 4.${NONE}, Interface §${NONE}.1`, [`1: section 4.${NONE}`, `1: section ${NONE}.1`]],
    ['// section 7, open point 4', ['1: section 7', '1: open point 4']],
  ])('finds in %j the numbers that the page does not have', (source, wrong) => {
    expect(wrongIn(source)).toEqual(wrong);
  });

  test('finds the open points of the page without an existing file', () => {
    expect(checkCitations(new Map(), PAGE, (path) => path === 'src/a.ts')).toMatchObject([
      { path: 'docs/GATEWAY.md', line: 3, word: 'src/gone.ts' },
      { path: 'docs/GATEWAY.md', line: 5, word: 'open point 8' },
    ]);
  });
});
