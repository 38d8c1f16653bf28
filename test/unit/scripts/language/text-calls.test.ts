import { describe, expect, test } from '@jest/globals';
import { type KnownTexts, readTextUses } from '../../../../scripts/language/text-calls';

const KNOWN: KnownTexts = new Map([
  ['common:title', { holes: [] }],
  ['common:backTo', { holes: ['page'] }],
  ['common:days', { holes: ['count'] }],
]);

const faultsOf = (source: string): string[] => readTextUses('page.tsx', source, KNOWN).faults.map(({ fault }) => fault);

describe('readTextUses', () => {
  test('finds the keys that literals name and that templates may build', () => {
    const source =
      "const a = t('common:title'); const b: TextKey = 'common:days'; t(`common:menu.${name}.title`); 'x:y';";
    const { keys, patterns } = readTextUses('page.tsx', source, KNOWN);
    expect(keys).toEqual(['common:title', 'common:days']);
    expect(patterns.map((pattern) => pattern.source)).toEqual(['^common:menu\\..+\\.title$']);
  });

  test('accepts calls with the values of their text', () => {
    expect(faultsOf("t('common:title')")).toEqual([]);
    expect(faultsOf("texts.t('common:backTo', { page })")).toEqual([]);
    expect(faultsOf("<p>{texts.t('common:days', { count: 3 })}</p>")).toEqual([]);
  });

  test('rejects a call that lacks a value or has another', () => {
    expect(faultsOf("t('common:backTo')")).toEqual(["'common:backTo': expected the values page, got (none)"]);
    expect(faultsOf("x.texts.t('common:backTo', { name: 1 })")).toEqual([
      "'common:backTo': expected the values page, got name",
    ]);
    expect(faultsOf("t('common:title', { page })")).toEqual(["'common:title': expected the values (none), got page"]);
  });

  test('states the line of the call', () => {
    expect(readTextUses('page.ts', "\n\nt('common:backTo')", KNOWN).faults[0]?.line).toBe(3);
  });

  test('leaves values that it cannot read, and other functions, alone', () => {
    expect(faultsOf("t('common:backTo', values)")).toEqual([]);
    expect(faultsOf("t('common:backTo', { ...values })")).toEqual([]);
    expect(faultsOf("label('common:backTo')")).toEqual([]);
  });
});
