import { type Millimes, parseDinars } from '../../kernel';
import type { Texts } from '../../texts';
import { OutcomeRefused } from './outcome-refused';

/** Reads an amount in dinars as a person types it; undefined if nothing is typed. @throws OutcomeRefused that names the field. */
export function typedAmount(texts: Texts, field: string, text: string): Millimes | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const amount = parseDinars(typed);
  if (amount === undefined) throw new OutcomeRefused(field, texts.t('common:form.notAnAmount'));
  return amount;
}
