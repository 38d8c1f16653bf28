import { foldText } from '../../kernel';
import { type Direction, directionOf } from './direction-words';

/** Whether the money of a line has moved, will move, or never does. */
export type State = 'booked' | 'pending' | 'rejected';

/** Beginnings of words, in the form of `foldText`. At most `ENDING_MAX` letters follow: a `règlement` is not `réglé`. */
const STATES: Readonly<Record<State, readonly string[]>> = {
  booked: (
    'book posted complet settled cleared paid paye regle comptabilis execut valid effectu realis termine succes reussi accept ' +
    'approuv approved confirm gebucht ausgefuhrt abgerechnet denoue imput regularis منفذ مقبول مكتمل موكد ناجح مسجل مدفوع'
  ).split(' '),
  pending: (
    'pend pdng attente venir cours prevu programm planifi vorgemerkt progress processing initie initiat schedul hold ' +
    'autoris authoriz differe futur suspend brouillon draft offen wartend معلق انتظار قيد موجل محجوز'
  ).split(' '),
  rejected: (
    'reject rejet annul cancel refus echec echou fail impaye unpaid declin denied void revers revert extourn abandon ' +
    'expir retourn returned ecart oppose erreur error abort storniert abgelehnt fehlgeschlagen zuruckgewiesen bloque blocked bounced contrepass مرفوض ملغ فاشل مرتجع'
  ).split(' '),
};
/** Whole words: as a beginning they would fit others. */
const WHOLE: Readonly<Record<string, State>> = { ok: 'booked', done: 'booked', ko: 'rejected', تم: 'booked' };
/** `Traité` is a state beside others alone: a `traite` is a bill. */
const TREATED = /^traitee?s?$/;
const ENDING_MAX = 3;
const HEADINGS = new Set('etat statut status state situation suivi zustand الحاله حاله'.split(' '));
const NEGATIONS = new Set(['non', 'not', 'nicht', 'pas', 'غير', 'لم']);
const KINDS = ['booked', 'pending', 'rejected'] as const;

/** Returns the state that a text such as `Exécuté` or `En attente` names; undefined for any other text, or for two states. */
export function stateOf(text: string): State | undefined {
  const words = foldText(text).split(' ');
  if (words.some((word) => NEGATIONS.has(word))) return undefined;
  const found = new Set<State>(
    words.flatMap((word): readonly State[] =>
      TREATED.test(word) ? ['booked'] : [WHOLE[word] ?? KINDS.filter((kind) => fits(word, STATES[kind]))].flat(),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Returns whether a text has a word of a state, even if it is unclear which one. */
export function namesState(text: string): boolean {
  const all = KINDS.flatMap((kind) => STATES[kind]);
  return foldText(text)
    .split(' ')
    .some((word) => WHOLE[word] !== undefined || fits(word, all));
}

/** Returns whether a column of this name marks lines that were taken back, as `Extourne` or `Annulé`. */
export function isCancelHeading(name: string): boolean {
  return foldText(name)
    .split(' ')
    .some((word) => STATES.rejected.some((beginning) => word.startsWith(beginning)));
}

/** Returns whether a column of this name states what became of a line, as `Code état` or `Suivi`. */
export function isStateHeading(name: string): boolean {
  return foldText(name)
    .split(' ')
    .some((word) => HEADINGS.has(word));
}

function fits(word: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => word.startsWith(beginning) && word.length <= beginning.length + ENDING_MAX);
}

/** Words of a column that says which way money went. Beside an amount or a balance they would say too much. */
const SIDES: Readonly<Record<Direction, readonly string[]>> = {
  debit:
    'retrait sortie decaissement emis emise emission sortant out outgoing withdrawal sent depense ausgang af سحب صادر خصم'
      .split(' ')
      .map(foldText),
  credit:
    'versement entree encaissement recu recue reception entrant in incoming deposit received recette eingang bij ايداع إيداع وارد'
      .split(' ')
      .map(foldText),
};

/**
 * Returns the side that a cell of a column of its own names: `D`, `Crédit (entrée)`, `-`, `سحب`. Undefined for any other
 * text, and for words of both sides.
 */
export function sideOf(text: string): Direction | undefined {
  if (text === '-' || text === '\u2212') return 'debit';
  if (text === '+') return 'credit';
  const whole = directionOf(text);
  if (whole !== undefined) return whole;
  const words = foldText(text).split(' ');
  const found = new Set<Direction>(
    words.flatMap((word): Direction[] => [
      ...(word.length > 1 ? [directionOf(word) ?? []].flat() : []),
      ...(['debit', 'credit'] as const).filter((side) => SIDES[side].includes(word)),
    ]),
  );
  return found.size === 1 ? [...found][0] : undefined;
}
