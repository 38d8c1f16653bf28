import { afterEach, describe, expect, test } from '@jest/globals';
import { faultText, problemLine } from '../../../src/cli/error-texts';
import { environmentLanguage, speak, word } from '../../../src/cli/language';
import { usageError } from '../../../src/cli/usage-errors';
import { AppError } from '../../../src/kernel';
import { changedIn, NO_TEXTS, type SampleProblem } from '../api/sample-problems';

afterEach(() => speak('en'));

describe('environmentLanguage', () => {
  test.each([
    [{ LANG: 'fr_TN.UTF-8' }, 'fr'],
    [{ LANG: 'fr' }, 'fr'],
    [{ LC_ALL: 'fr_FR@euro', LANG: 'C' }, 'fr'],
    [{ LC_ALL: '', LC_MESSAGES: 'fr_FR', LANG: 'en_US' }, 'fr'],
    [{ LC_ALL: 'C', LANG: 'fr_TN.UTF-8' }, 'en'],
    [{ LANG: 'POSIX' }, 'en'],
    [{ LANG: 'frp_FR' }, 'en'],
    [{ LANG: 'ar_TN.UTF-8' }, 'en'],
    [{}, 'en'],
  ])('returns for %j %s', (env, language) => {
    expect(environmentLanguage(env)).toBe(language);
  });
});

test('word returns a code as it is in English and its label in French', () => {
  expect(word('severity', 'high')).toBe('high');
  speak('fr');
  expect(word('severity', 'high')).toBe('élevée');
});

describe('usageError', () => {
  test.each([
    [
      "error: unknown option '--x'\n(Did you mean --y?)\n",
      'erreur : option « --x » inconnue\n(Vouliez-vous dire --y ?)\n',
    ],
    [
      "error: too many arguments for 'show'. Expected 1 argument but got 2.\n",
      "erreur : trop d'arguments : 1 attendus, 2 reçus\n",
    ],
    [
      "error: option '--state <state>' argument 'x' is invalid. Allowed choices are a, b.\n",
      'erreur : « --state <state> » : valeur « x » non admise ; choix : a, b\n',
    ],
  ])('translates %j only in French', (message, french) => {
    expect(usageError(message)).toBe(message);
    speak('fr');
    expect(usageError(message)).toBe(french);
  });
});

describe('the errors of rooms in French', () => {
  const said = (error: AppError): string => {
    speak('fr');
    return problemLine(error, error.problem.params);
  };

  test('are the sentences of the pages, with the commands of the hint', () => {
    expect(said(new AppError('line_matched', { lineId: 'L1' }))).toBe(
      'Ce crédit est déjà rapproché. Annulez d\'abord son rapprochement ; lancez "millime reconcile unmatch L1"',
    );
  });

  test('translate the phrase of a field with its values', () => {
    const error = new AppError('bad_input', { field: '--roles', expected: 'some of a, b', got: 'x' });
    expect(said(error)).toBe('--roles : attendu : certains de a, b ; reçu : "x"');
  });

  test('keep an English phrase that has no translation', () => {
    expect(said(new AppError('bad_input', { field: 'f', fault: 'is odd' }))).toBe('f : is odd');
  });

  test('translate the fault of a line of a file', () => {
    speak('fr');
    expect(faultText({ text: 'line 3: agent_id: names an unknown agent' })).toBe(
      'ligne 3 : agent_id : nomme un agent inconnu',
    );
  });
});

/** Their values are English of Millime. */
const ENGLISH = ['command', 'fault', 'money', 'why', 'fix', 'request', 'file', 'holder'];

test('the command line shows every parameter that is no code and no English of Millime as it is in French', () => {
  speak('fr');
  const sentenceOf = ({ kind, code, params }: SampleProblem): string =>
    kind === 'detail'
      ? problemLine(new AppError(code as 'not_found', params as never), params)
      : faultText({ code, params, text: '' });
  expect(changedIn(sentenceOf, [...NO_TEXTS, ...ENGLISH])).toEqual([]);
});
