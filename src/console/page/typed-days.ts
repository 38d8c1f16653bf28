import { DAY_MS, SECOND_MS } from '../../kernel';
import type { Texts } from '../../texts';
import { OutcomeRefused } from './outcome-refused';

const DAY_SECONDS = DAY_MS / SECOND_MS;

/** Reads a number of days as seconds; undefined if nothing is typed. @throws OutcomeRefused that names the field. */
export function typedDays(texts: Texts, field: string, text: string, max: number): number | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const days = Number(typed);
  if (/^\d+$/.test(typed) && days >= 1 && days <= max) return days * DAY_SECONDS;
  throw new OutcomeRefused(field, texts.t('common:form.notInRange', { least: texts.count(1), most: texts.count(max) }));
}
