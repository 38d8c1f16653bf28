import { z } from 'zod';
import { type AcceptOutcome, type ListedStatement, minorUnitsText, type StatementFile } from '../statements';
import { dayValue, idValue, instantJson, instantValue } from './values';

// Amounts of statements are decimal text in the currency of the statement.

export const amountText = z
  .string()
  .meta({ description: 'Decimal text in the currency of the statement.', example: '1250.500' });
export const verdictValue = z.enum(['ok', 'unbalanced', 'no-proof']);

/** An imported bank file. */
export const bankFileValue = z
  .strictObject({
    id: idValue,
    sha256: z.string(),
    name: z.string(),
    sizeBytes: z.int(),
    format: z.string(),
    profile: z.string().meta({ description: 'Empty if the format needs none.' }),
    importedAt: instantValue,
    importedBy: z.string(),
  })
  .meta({ id: 'BankFile' });

/** Returns a bank file as JSON. */
export function fileJson(file: StatementFile): z.input<typeof bankFileValue> {
  return { ...file, importedAt: instantJson(file.importedAt) };
}

export const decisionValue = z.strictObject({ at: instantValue, by: z.string(), reason: z.string() });

const statementFields = {
  id: idValue,
  kind: z.enum(['statement', 'interim', 'notification']),
  account: z.string(),
  currency: z.string(),
  bankId: z.string(),
  number: z.string(),
  verdict: verdictValue.meta({ description: 'Whether its balances prove its lines.' }),
  difference: amountText.nullable().meta({ description: 'Opening plus lines less closing.' }),
  hold: z.enum(['overlap']).nullable(),
  waiting: z.boolean().meta({ description: 'Whether a person must accept or exclude it.' }),
  opening: amountText.nullable(),
  closing: amountText.nullable(),
  entries: z.int(),
  pendingEntries: z.int(),
  knownEntries: z.int().meta({ description: 'The lines that another statement brought first.' }),
  credits: amountText,
  debits: amountText,
  from: dayValue.nullable(),
  through: dayValue.nullable(),
  firstDate: dayValue.nullable(),
  lastDate: dayValue.nullable(),
  notes: z.array(z.string()),
  accepted: decisionValue.nullable(),
  excluded: decisionValue.nullable(),
  file: bankFileValue,
};

/** A statement with the facts for people. */
export const statementValue = z.strictObject(statementFields).meta({ id: 'Statement' });

/** Returns a statement as JSON. */
export function statementJson(listed: ListedStatement): z.input<typeof statementValue> {
  const { statement, file, acceptance, exclusion, isWaiting, knownEntries } = listed;
  const { currency } = statement;
  const text = (minor: number | undefined): string | null =>
    minor === undefined ? null : minorUnitsText(minor, currency);
  return {
    id: statement.id,
    kind: statement.kind,
    account: statement.account,
    currency,
    bankId: statement.bankId,
    number: statement.number,
    verdict: statement.verdict,
    difference: text(differenceOf(statement)),
    hold: statement.hold ?? null,
    waiting: isWaiting,
    opening: text(statement.openingMinor),
    closing: text(statement.closingMinor),
    entries: statement.entries,
    pendingEntries: statement.pendingEntries,
    knownEntries,
    credits: minorUnitsText(statement.creditsMinor, currency),
    debits: minorUnitsText(statement.debitsMinor, currency),
    from: statement.from ?? null,
    through: statement.through ?? null,
    firstDate: statement.firstDate ?? null,
    lastDate: statement.lastDate ?? null,
    notes: [...statement.notes],
    accepted:
      acceptance === undefined
        ? null
        : { at: instantJson(acceptance.acceptedAt), by: acceptance.acceptedBy, reason: acceptance.reason },
    excluded:
      exclusion === undefined
        ? null
        : { at: instantJson(exclusion.excludedAt), by: exclusion.excludedBy, reason: exclusion.reason },
    file: fileJson(file),
  };
}

/** Returns the opening balance plus the booked lines less the closing balance; 0 if the statement is proven. */
export function differenceOf(statement: ListedStatement['statement']): number | undefined {
  const { openingMinor, closingMinor, creditsMinor, debitsMinor } = statement;
  if (openingMinor === undefined || closingMinor === undefined) return undefined;
  return openingMinor + creditsMinor - debitsMinor - closingMinor;
}

const postsValue = z.strictObject({
  lines: z.int(),
  credits: amountText,
  debits: amountText,
  balanceAfter: amountText,
});

/** An acceptance, with what it posts. */
export const acceptedValue = z
  .strictObject({
    outcome: z.enum(['accepted', 'already_accepted']),
    dryRun: z.boolean(),
    ...statementFields,
    warnings: z.array(z.string()),
    posts: postsValue.nullable().meta({ description: 'Null if it posts nothing.' }),
  })
  .meta({ id: 'AcceptedStatement' });

/** Returns an acceptance as JSON. */
export function acceptedJson(
  { kind, listed, warnings, posts }: AcceptOutcome,
  dryRun: boolean,
): z.input<typeof acceptedValue> {
  return { outcome: kind, dryRun, ...statementJson(listed), warnings: [...warnings], posts: toPostJson(posts) };
}

/** Returns what an acceptance posts, as decimal text in dinars. */
export function toPostJson(posts: AcceptOutcome['posts']): z.input<typeof postsValue> | null {
  if (posts === undefined) return null;
  const { lines, ...amounts } = posts;
  const texts = Object.entries(amounts).map(([name, amount]) => [name, minorUnitsText(Number(amount), 'TND')]);
  return { lines, ...(Object.fromEntries(texts) as Record<keyof typeof amounts, string>) };
}

/** An exclusion. */
export const excludedValue = z
  .strictObject({ outcome: z.literal('left_out'), dryRun: z.boolean(), ...statementFields })
  .meta({ id: 'ExcludedStatement' });
