import type { Field } from './field-splitter';

/** The dates and the mark of a :61: without anything after them. */
const ENDS_WITH_MARK = /^\d{6}(?:\d{4}| {4})?(?:C|D|RC|RD|EC|ED)[A-Z]?\s*$/;

/** Returns a :61: as one line if its bank breaks the line before the amount. */
export function joinedAtMark(field: Field): Field {
  const [amount, ...more] = field.more;
  if (amount === undefined || !ENDS_WITH_MARK.test(field.text)) return field;
  // The file may end in the line of the amount, so only text after the amount shows that it is complete.
  return { ...field, text: field.text.trimEnd() + amount, more, ended: false };
}
