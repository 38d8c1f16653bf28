import { describe, expect, test } from '@jest/globals';
import { checkTranslations } from '../../../../scripts/language/check-translations';

const ENGLISH = '# Title\n\nText.\n\n```sh\n# a comment\nnpm ci\n```\n\n## Part\n';

describe('checkTranslations', () => {
  const findings = (french: string): string[] =>
    checkTranslations(
      new Map([
        ['A.md', ENGLISH],
        ['A.fr.md', french],
      ]),
    ).map(({ word }) => word);

  test('accepts a document with the same headings and code blocks', () => {
    expect(findings(ENGLISH.replace('Title', 'Titre').replace('Text', 'Texte'))).toEqual([]);
  });

  test.each([
    ['a heading that is missing', ENGLISH.replace('## Part\n', ''), ['headings #']],
    ['a heading of another level', ENGLISH.replace('## Part', '### Partie'), ['headings # ###']],
    ['another code block', ENGLISH.replace('npm ci', 'npm install'), ['code block 1']],
    ['a code block that is missing', ENGLISH.replace(/```sh.*```/s, ''), ['code block 1']],
  ])('finds %s', (_what, french, words) => {
    expect(findings(french)).toEqual(words);
  });

  test('finds a translation without its original', () => {
    expect(checkTranslations(new Map([['B.fr.md', '# Titre']]))).toMatchObject([{ path: 'B.fr.md' }]);
  });
});
