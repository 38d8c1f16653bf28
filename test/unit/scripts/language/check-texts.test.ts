import { describe, expect, test } from '@jest/globals';
import { applyExemptions, checkFile, exemptionsFor } from '../../../../scripts/language/check-texts';

const wordsOf = (path: string, source: string): string[] => checkFile(path, source).map(({ word }) => word);

describe('checkFile', () => {
  test('names the line, the word and what to write instead', () => {
    expect(checkFile('docs/X.md', 'A caller pays.\nThen he waits.\n')).toEqual([
      { path: 'docs/X.md', line: 2, kind: 'text', word: 'he', instead: expect.stringContaining('role') },
    ]);
  });

  test.each([
    ['Nobody has it', ['Nobody']],
    ['a webhook nudges, a look decides', ['nudges', 'look']],
    ['it looks like MT940', []],
    ['the lookup of a column next_look_at', []],
    ['the behaviour we recognise', ['we', 'behaviour', 'recognise']],
    ['the theme of this house, hers not', ['hers']],
    ['money on its way', ['on its way']],
    ['call `look` and `ours`, see [payments](src/rooms/look.md)', []],
    ['cancelled', []],
  ])('reads the sentence "%s"', (sentence, words) => {
    expect(wordsOf('README.md', sentence).sort()).toEqual([...words].sort());
  });

  test('skips the code blocks of a document, and reads on after them', () => {
    expect(wordsOf('README.md', 'he\n```sh\nhe\n~~~\nhe\n```\nhis\n')).toEqual(['he', 'his']);
  });

  test('allows "we" in decision records, and "room" in the documents on architecture', () => {
    expect(wordsOf('docs/adr/0001-x.md', 'We build rooms.')).toEqual([]);
    expect(wordsOf('docs/ARCHITECTURE.md', 'Rooms.')).toEqual([]);
    expect(wordsOf('src/kernel/README.md', 'We build rooms.').sort()).toEqual(['We', 'rooms']);
  });

  test('reads strings of several words and parts of templates, not single words, modules, types or SQL', () => {
    const source = [
      `import { desk } from './the desk';`,
      `type Look = 'a look';`,
      `const a = 'desk' + "the desk" + \`door \${nobody} at the desk of \${'his own'}\`;`,
      `const b = 'select looks from payments as he' + \`select \${a} of our look\`;`,
    ].join('\n');
    expect(wordsOf('src/x.ts', source)).toEqual(['desk', 'desk', 'his']);
  });

  test('refuses a counted noun after a value, and none after a constant', () => {
    expect(wordsOf('src/x.ts', 'const a = `${n} breaks and ${MAX} lines, ${f(n)} more rows`;')).toEqual([
      'breaks',
      'more rows',
    ]);
  });

  test('reads the comments for persons alone, and takes no literal for a comment', () => {
    const source = [
      `const a = /'"\`/u; // whoever looks`,
      `const b = 'http://x'; /* ours:`,
      `   nobody */`,
      `const c = \`// he \${a /* him */} he\`;`,
    ].join('\n');
    expect(checkFile('src/x.ts', source).map(({ line, kind, word }) => [line, kind, word])).toEqual([
      [1, 'comment', 'whoever'],
      [3, 'comment', 'nobody'],
      [4, 'text', 'he'],
      [4, 'text', 'he'],
      [4, 'comment', 'him'],
    ]);
  });
});

describe('applyExemptions', () => {
  const findings = [...checkFile('src/a/b.ts', `const a = 'he is'; // his`), ...checkFile('README.md', 'ours')];

  test('exempts files, folders, and comments alone', () => {
    const refused = (...exempt: string[]): string[] =>
      applyExemptions(findings, exempt).refused.map(({ word }) => word);
    expect(refused()).toEqual(['he', 'his', 'ours']);
    expect(refused('src/a/b.ts comments')).toEqual(['he', 'ours']);
    expect(refused('src/', 'README.md')).toEqual([]);
    expect(refused('src/a/b', 'README')).toEqual(['he', 'his', 'ours']);
  });

  test('names the entries that exempt nothing', () => {
    expect(applyExemptions(findings, ['src/a/', 'src/c.ts', 'README.md comments']).idle).toEqual([
      'src/c.ts',
      'README.md comments',
    ]);
  });
});

describe('exemptionsFor', () => {
  test('exempts a file whole only when its texts need it', () => {
    const findings = [...checkFile('src/a.ts', `const a = 'he is'; // his`), ...checkFile('src/b.ts', `// his`)];
    expect(exemptionsFor(findings)).toEqual(['src/a.ts', 'src/b.ts comments']);
  });
});
