import { OutcomeRefused } from './outcome-refused';
import type { Visit } from './page';

/** Returns what was typed in a field that must not be empty. @throws OutcomeRefused that names the field. */
export function requiredText({ form, texts }: Visit, field: string): string {
  const typed = form.value(field).trim();
  if (typed === '') throw new OutcomeRefused(field, texts.t('common:form.required'));
  return typed;
}
