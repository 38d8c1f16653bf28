import { describe, expect, test } from '@jest/globals';
import { problemStatuses } from '../../../src/api';
import { AppError, parseBusinessDate, PROBLEM_CODES } from '../../../src/kernel';
import { OBSTACLE_CODES } from '../../../src/reconciliation';
import { kindOf, LANGUAGES, textsOf } from '../../../src/texts';
import { readCatalog } from '../../../src/texts/catalog';
import {
  ALL_SAMPLES,
  changedIn,
  NO_TEXTS,
  SAMPLE_OBSTACLES,
  SAMPLE_PROBLEMS,
  type SampleProblem,
} from '../api/sample-problems';

const fr = textsOf('fr', 'Africa/Tunis');
const codesOf = (kind: string): string[] =>
  Object.keys(readCatalog('fr', 'problems'))
    .filter((path) => path.startsWith(`${kind}.`))
    .map((path) => path.slice(kind.length + 1));

describe.each(LANGUAGES)('the problems in %s', (language) => {
  const texts = textsOf(language, 'Africa/Tunis');

  test('have a title for every code of the API', () => {
    const codes = [...problemStatuses().keys()];
    expect(codes.filter((code) => texts.problemTitle(code) === undefined)).toEqual([]);
  });

  test('have sentences that the parameters of their codes fill', () => {
    const unfilled = PROBLEM_CODES.filter((code) => codesOf('detail').includes(code)).flatMap((code) =>
      SAMPLE_PROBLEMS[code]
        .map((params) => texts.problemDetail(new AppError(code, params as never).problem))
        .flatMap((detail) => (detail === undefined || detail.includes('{{') ? [code] : [])),
    );
    expect(unfilled).toEqual([]);
    expect(codesOf('detail').length).toBeGreaterThan(50);
  });

  test('show every parameter that is no day, instant, amount or code as it is, whatever it looks like', () => {
    const sentenceOf = (known: SampleProblem) =>
      known.kind === 'detail' ? texts.problemDetail(known) : texts.obstacle(known);
    expect(changedIn(sentenceOf, NO_TEXTS)).toEqual([]);
  });

  test('have a sentence for every obstacle of a day, which its parameters fill', () => {
    const sentences = OBSTACLE_CODES.map((code) => texts.obstacle({ code, params: { ...SAMPLE_OBSTACLES[code] } }));
    expect(sentences.filter((sentence) => sentence === undefined || sentence.includes('{{'))).toEqual([]);
    expect(codesOf('obstacle').sort()).toEqual(OBSTACLE_CODES.toSorted());
  });
});

test('every day of a problem, an obstacle or a timeline has the name of a day', () => {
  const unnamed = ALL_SAMPLES.flatMap(({ code, params }) =>
    Object.entries(params).flatMap(([name, value]) =>
      parseBusinessDate(String(value)) !== undefined && kindOf(name, value) !== 'day' ? [`${code}.${name}`] : [],
    ),
  );
  expect(unnamed).toEqual([]);
});

describe('the sentence of a problem', () => {
  test('writes amounts, days, instants and codes for people', () => {
    const tooLarge = { breakId: 'B1', account: 'bank_other', amountMillimes: 2_000, leftMillimes: 1_000 };
    expect(fr.problemDetail({ code: 'write_off_too_large', params: tooLarge })).toBe(
      '2,000\u00a0DT dépasse le reste de 1,000\u00a0DT dans bank_other. Donnez au plus ce reste.',
    );
    expect(fr.problemDetail({ code: 'missing_scope', params: { name: 'salma', scope: 'days:close' } })).toBe(
      'Il manque à salma le droit\u00a0: clôturer des journées. Demandez-le à un administrateur.',
    );
    const scopes = ['days:close', 'days:reopen', 'unknown:scope'];
    expect(fr.problemDetail({ code: 'scopes_exceeded', params: { name: 'salma', scopes } })).toBe(
      'salma ne peut pas donner des droits qui lui manquent\u00a0: ' +
        'clôturer des journées, rouvrir des journées et unknown:scope.',
    );
    expect(fr.obstacle({ code: 'day_not_over', params: SAMPLE_OBSTACLES.day_not_over })).toBe(
      'La journée peut être clôturée à partir du 03/03/2026 00:01.',
    );
    expect(fr.obstacle({ code: 'lines_unread', params: SAMPLE_OBSTACLES.lines_unread as never })).toBe(
      'Un relevé a été comptabilisé après le dernier rapprochement (lignes\u00a0: 2, du 01/03/2026 au 02/03/2026). ' +
        "Relancez-le jusqu'au 02/03/2026.",
    );
  });

  test('is missing if a code has none, or if a value is missing', () => {
    expect(fr.problemDetail({ code: 'bad_input', params: { field: 'x', expected: 'y' } })).toBeUndefined();
    expect(fr.problemDetail({ code: 'same_person', params: {} })).toBeUndefined();
    expect(fr.problemDetail({ code: 'same_person', params: { name: undefined } })).toBeUndefined();
    expect(fr.problemDetail({ code: '__proto__', params: {} })).toBeUndefined();
    expect(fr.problemTitle('toString')).toBeUndefined();
  });

  test('inserts hostile values as one visible line', () => {
    const params = { name: '$t(title.not_found) {{name}}\n\u202e<b>' };
    expect(fr.problemDetail({ code: 'same_person', params })).toBe(
      "$t(title.not_found) {{name}}\\n\\u202e<b> a fait cette proposition. Une autre personne doit l'approuver.",
    );
  });
});
