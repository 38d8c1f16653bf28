import type { Field } from './field-splitter';

/** The dates and the mark of a :61:, and nothing after them. */
const ENDS_WITH_MARK = /^\d{6}(?:\d{4}| {4})?(?:C|D|RC|RD|EC|ED)[A-Z]?\s*$/;

/** A :61: whose bank breaks the line before the amount, as one line. */
export function joinedAtMark(field: Field): Field {
  const [amount, ...more] = field.more;
  if (amount === undefined || !ENDS_WITH_MARK.test(field.text)) return field;
  // The file may end in the amount's line, so only text after the amount shows that it is whole.
  return { ...field, text: field.text.trimEnd() + amount, more, ended: false };
}
