import type { VNode } from 'preact';
import type { Visit } from '../page/page';
import { Field } from './forms';
import { faultOf } from './problem-box';

/** As many characters as a reason in the records has. */
const REASON_CHARACTERS = 500;

/** The reason that a decision must have. */
export function ReasonField({ visit, isFocused = false }: { visit: Visit; isFocused?: boolean }): VNode {
  const { texts, form, problem } = visit;
  return (
    <Field
      name="reason"
      label={texts.t('common:field.reason')}
      hint={texts.t('common:field.reasonHint')}
      value={form.value('reason')}
      fault={faultOf(problem, 'reason')}
      maxLength={REASON_CHARACTERS}
      isRequired
      isFocused={isFocused}
    />
  );
}
