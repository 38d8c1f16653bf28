import { RAW_CHARACTERS_MAX } from '../limits';
import type { ParsedLine } from '../parsed-statement';
import type { Field } from './field-splitter';
import { freeText, readInformation } from './read-information';
import { readStatementLine, type StatementLine } from './read-statement-line';
import { refuse } from './refuse';
import type { StatementDraft } from './statement-draft';

/** The dates and the mark of a :61: without anything after them. */
const ENDS_WITH_MARK = /^\d{6}(?:\d{4}| {4})?(?:C|D|RC|RD|EC|ED)[A-Z]?\s*$/;

/** Country, two digits, and the country's own part. No reference of a payer has this form. */
const IBAN = /^[A-Z]{2}\d{2}(?:[A-Z]{4}|\d{4})\d{6,22}$/;

/** A :61: that waits for its :86:. */
export class LineAwaitingInformation {
  readonly #field: Field;
  readonly #line: StatementLine;
  readonly #information: string[] = [];
  readonly #raw: string[];
  #characters: number;

  /**
   * `currency` is the statement's, if it is known by then.
   * @throws AppError `bad_input` if the :61: cannot be read.
   */
  constructor(field: Field, currency: string | undefined) {
    const whole = joinedAtMark(field);
    this.#field = whole;
    this.#line = readStatementLine(whole, currency);
    this.#raw = [field.raw];
    this.#characters = field.raw.length;
  }

  /** Notes for people about how the line was read. */
  get notes(): readonly string[] {
    return this.#line.notes;
  }

  /** Adds a :86: of the line; some banks write several. */
  add(field: Field): void {
    this.#characters += field.raw.length + 1;
    if (this.#characters > RAW_CHARACTERS_MAX) {
      refuse({ ...field, expected: `at most ${RAW_CHARACTERS_MAX} characters about one booking`, found: field.text });
    }
    this.#information.push(field.text, ...field.more);
    this.#raw.push(field.raw);
  }

  /** Returns the line in the common form. The lines of an interim report are pending, and those after the day on which it was written. */
  parsed(draft: StatementDraft): ParsedLine {
    const line = this.#line;
    const kind = draft.settleKind();
    const isAhead = draft.writtenOn !== undefined && line.bookingDate > draft.writtenOn;
    const about = readInformation(this.#information);
    const reference = line.customerReference;
    // Some banks write the other side's account here.
    const isAccount = IBAN.test(reference);
    return {
      status: kind === 'interim' || line.expected || isAhead ? 'pending' : 'booked',
      fileLine: this.#field.fileLine,
      bookingDate: line.bookingDate,
      valueDate: line.valueDate,
      amount: line.amount,
      currency: undefined,
      counterparty: about.counterparty,
      counterpartyAccount: about.counterpartyAccount || (isAccount ? reference : ''),
      remittance: about.remittance || freeText(this.#field.more),
      bankReference: line.bankReference,
      // If the bank passes on nothing else, the reference for the account's owner is the payer's text.
      endToEndId: about.endToEndId || (isAccount ? '' : reference),
      transactionCode: line.transactionCode,
      details: [],
      balanceAfter: undefined,
      payoutCandidate: undefined,
      raw: this.#raw.join('\n'),
    };
  }
}

/** Returns a :61: as one line if its bank breaks the line before the amount. */
function joinedAtMark(field: Field): Field {
  const [amount, ...more] = field.more;
  if (amount === undefined || !ENDS_WITH_MARK.test(field.text)) return field;
  // The file may end in the line of the amount, so only text after the amount shows that it is complete.
  return { ...field, text: field.text.trimEnd() + amount, more, ended: false };
}
