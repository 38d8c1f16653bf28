import { describe, expect, test } from '@jest/globals';
import { isLanguage, LANGUAGES, preferredLanguage, terminalTexts, type Texts, textsOf } from '../../../src/texts';

const TUNIS = 'Africa/Tunis';
const fr = textsOf('fr', TUNIS);
const en = textsOf('en', TUNIS);
const ar = textsOf('ar', TUNIS);
const each = <T>(of: (texts: Texts) => T): T[] => [fr, en, ar].map(of);

describe('textsOf', () => {
  test('returns a text in each language', () => {
    expect(each((texts) => texts.t('common:menu.breaks'))).toEqual(['Écarts', 'Breaks', 'الفوارق']);
  });

  test('writes Arabic from right to left', () => {
    expect(each(({ language, direction }) => [language, direction])).toEqual([
      ['fr', 'ltr'],
      ['en', 'ltr'],
      ['ar', 'rtl'],
    ]);
  });

  test('refuses a key without a text', () => {
    // @ts-expect-error the compiler knows every key
    expect(() => fr.t('common:menu.brakes')).toThrow('no text menu.brakes in fr');
  });

  test('refuses a text without its values', () => {
    expect(() => fr.t('common:backTo')).toThrow('no value for {{page}}');
  });

  test('chooses the plural form of the language', () => {
    const agents = (count: number): string[] => each((texts) => texts.t('common:count.agents', { count }));
    expect(agents(0)).toEqual(['0 agent', '0 agents', 'لا وكيل']);
    expect(agents(1)).toEqual(['1 agent', '1 agent', 'وكيل واحد']);
    expect(agents(2)).toEqual(['2 agents', '2 agents', 'وكيلان']);
    expect(agents(3)).toEqual(['3 agents', '3 agents', '3 وكلاء']);
    expect(agents(11)).toEqual(['11 agents', '11 agents', '11 وكيلا']);
    expect(agents(100)).toEqual(['100 agents', '100 agents', '100 وكيل']);
  });

  test('keeps French punctuation on the line of its word', () => {
    expect(fr.t('common:backTo', { page: 'X : Y' })).toBe('Retour\u00a0: X : Y');
  });

  test('formats numbers in texts like counts', () => {
    expect(fr.t('common:count.agents', { count: 1_000_000 })).toBe('1\u00a0000\u00a0000 agents');
  });

  test('isolates values in Arabic texts', () => {
    expect(ar.t('common:backTo', { page: 'AG-1' })).toBe('رجوع: \u2068AG-1\u2069');
    expect(en.t('common:backTo', { page: 'AG-1' })).toBe('Back: AG-1');
  });

  test('returns the label of a code, and a code without a label as it is', () => {
    expect(each((texts) => texts.word('channel', 'wallet'))).toEqual([
      'portefeuille électronique',
      'wallet',
      'محفظة إلكترونية',
    ]);
    expect(fr.word('channel', 'carrier_pigeon')).toBe('carrier_pigeon');
    expect(fr.word('channel', '__proto__')).toBe('__proto__');
    expect(fr.word('channel', 'toString')).toBe('toString');
  });
});

describe('a value in a text', () => {
  const inserted = (value: string): string => en.t('common:backTo', { page: value });

  test.each([
    '$t(menu.breaks)',
    '$t(common:menu.breaks)',
    '$t(menu.breaks, { "page": "x" })',
    '{{page}}',
    '{{- page}}',
    '{{count}}',
    '<img src=x onerror=alert(1)>',
    '&amp; "quoted" \'single\'',
    '$& $1 $` $$',
    '__proto__',
    '\u202e reversed',
    '{{',
    '$t(',
  ])('is inserted as it is: %s', (value) => {
    expect(inserted(value)).toBe(`Back: ${value}`);
  });

  test('is never read as an option', () => {
    const options = { lng: 'ar', ns: 'words', defaultValue: 'x', context: 'y', interpolation: 'z', replace: 'w' };
    expect(en.t('common:backTo', { ...options, page: 'P' })).toBe('Back: P');
  });

  test('stays apart from the other values of the text', () => {
    const text = en.t('common:form.notInRange', { least: '{{most}}', most: '{{least}} $t(product)' });
    expect(text).toBe('Enter a number from {{most}} to {{least}} $t(product).');
  });
});

describe('what a report says', () => {
  const { report } = terminalTexts('fr');

  test('is translated with the phrases in it, and the values stay', () => {
    expect(report('paid 5 items, of agents 1 payment (agents)')).toBe(
      "reverse 5 opérations, dont 1 paiement d'agents (agents)",
    );
    expect(report('closed and sealed 2026-03-02 19:00:00 by fees, seal 3')).toBe(
      'clôturée et scellée le 2026-03-02 19:00:00 par fees, sceau 3',
    );
  });

  test('stays English without a translation, and in English', () => {
    expect(report('something else')).toBe('something else');
    expect(terminalTexts('en').report('in transit')).toBe('in transit');
  });
});

describe('formatters', () => {
  test('write amounts with no-break spaces, never broken over lines', () => {
    const amounts = (value: number | bigint | string): string[] => each((texts) => texts.money(value));
    expect(amounts(1_234_567)).toEqual(['1\u00a0234,567\u00a0DT', '1\u00a0234,567\u00a0DT', '1\u00a0234,567\u00a0د.ت']);
    expect(amounts(-500)).toEqual(['-0,500\u00a0DT', '-0,500\u00a0DT', '\u200e-0,500\u00a0د.ت']);
    expect(amounts(12_345_678_901_234_567_890n)[0]).toBe('12\u00a0345\u00a0678\u00a0901\u00a0234\u00a0567,890\u00a0DT');
    expect(amounts('12345678901234567890')[0]).toBe('12\u00a0345\u00a0678\u00a0901\u00a0234\u00a0567,890\u00a0DT');
    expect(amounts(0)[0]).toBe('0,000\u00a0DT');
  });

  test('write counts and rates alike in all languages', () => {
    expect(each(({ count }) => count(1_234_567))).toEqual(Array(3).fill('1\u00a0234\u00a0567'));
    expect(each(({ percent }) => percent(15_000))).toEqual(Array(3).fill('1,5\u00a0%'));
    expect(each(({ probability }) => probability(0.000156))).toEqual(Array(3).fill('0,0156\u00a0%'));
    expect(ar.count(-12)).toBe('\u200e-12');
  });

  test('write days', () => {
    expect(each(({ date }) => date('2026-03-09'))).toEqual(Array(3).fill('09/03/2026'));
    expect(each(({ date }) => date('2026-03-09', 'day'))).toEqual(Array(3).fill('09/03'));
    expect(each(({ date }) => date('2026-01-05', 'long'))).toEqual([
      'lundi 5 janvier 2026',
      'Monday, 5 January 2026',
      'الاثنين، 5 جانفي 2026',
    ]);
    expect(each(({ date }) => date('2026-02-01', 'month'))).toEqual(['février 2026', 'February 2026', 'فيفري 2026']);
  });

  test('write instants in the business time zone', () => {
    const instant = '2026-03-09T23:05:00.000Z';
    expect(each((texts) => texts.instant(instant))).toEqual(Array(3).fill('10/03/2026 00:05'));
    expect(fr.instant(Date.parse(instant), 'day')).toBe('10/03 00:05');
    expect(fr.time(instant)).toBe('00:05');
    expect(textsOf('fr', 'UTC').instant(instant)).toBe('09/03/2026 23:05');
  });

  test('write durations in their largest unit', () => {
    expect(each(({ duration }) => duration(2 * 86_400_000))).toEqual(['2\u00a0jours', '2\u00a0days', 'يومان']);
    expect(each(({ duration }) => duration(200_000))).toEqual(['3\u00a0minutes', '3\u00a0minutes', '3\u00a0دقائق']);
    expect(each(({ ago }) => ago(3 * 3_600_000))).toEqual(['il y a 3 heures', '3 hours ago', 'قبل 3 ساعات']);
    expect(fr.duration(0)).toBe('0\u00a0seconde');
    expect(fr.duration(-1)).toBe('0\u00a0seconde');
  });
});

describe('preferredLanguage', () => {
  test.each([
    [undefined, 'fr'],
    ['', 'fr'],
    ['*', 'fr'],
    ['de-DE,de;q=0.9', 'fr'],
    ['en-US,en;q=0.9,ar;q=0.8', 'en'],
    ['AR-tn', 'ar'],
    ['de, ar-TN;q=0.5', 'ar'],
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['fr;q=0.2, en;q=0.3', 'en'],
    ['en;q=0, ar;q=0', 'fr'],
    ['en;q=2', 'fr'],
    ['en;q=0.5;x', 'fr'],
    ['enx', 'fr'],
    ['__proto__', 'fr'],
  ])('reads %p as %p', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  test('reads a long header in linear time', () => {
    const header = `${'xx-'.repeat(100_000)},${' '.repeat(100_000)};q=`;
    const begun = performance.now();
    expect(preferredLanguage(header)).toBe('fr');
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('isLanguage', () => {
  test('knows the languages and no other value', () => {
    expect(LANGUAGES.every(isLanguage)).toBe(true);
    expect(['de', 'FR', '', undefined, 0].some(isLanguage)).toBe(false);
  });
});
