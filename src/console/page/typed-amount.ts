import { type Millimes, parseDinars } from '../../kernel';
import type { Texts } from '../../texts';
import { OutcomeRefused } from './outcome-refused';

/** Reads an amount in dinars; a point is a comma, because the numbers of a keyboard have no comma. Undefined if it is none. */
export function dinarsOf(text: string): Millimes | undefined {
  return parseDinars(text.trim().replace(/^(-?[\d\s]+)\.(\d{1,3})$/, '$1,$2'));
}

/** Reads an amount as a person types it; undefined if nothing is typed. @throws OutcomeRefused that names the field. */
export function typedAmount(texts: Texts, field: string, text: string): Millimes | undefined {
  if (text.trim() === '') return undefined;
  const amount = dinarsOf(text);
  if (amount === undefined) throw new OutcomeRefused(field, texts.t('common:form.notAnAmount'));
  return amount;
}
