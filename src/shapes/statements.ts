import { z } from 'zod';
import {
  type AcceptOutcome,
  type AccountDecided,
  type AnyProfile,
  decimalText,
  describeFaults,
  type ImportCheck,
  type ImportOutcome,
  type LineOnStatement,
  type ListedAccount,
  type ListedStatement,
  minorUnitsText,
  type PendingEntry,
  type RereadFile,
  type StatementFile,
  summarizeStatements,
  type Upload,
} from '../statements';
import { dayValue, idValue, instantJson, instantValue, millimesValue } from './values';

// Amounts of statements are decimal text in the currency of the statement.

const amountText = z
  .string()
  .meta({ description: 'Decimal text in the currency of the statement.', example: '1250.500' });
const verdictValue = z.enum(['ok', 'unbalanced', 'no-proof']);

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

const decisionValue = z.strictObject({ at: instantValue, by: z.string(), reason: z.string() });

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

const movementFields = {
  id: idValue,
  statementId: idValue,
  position: z.int(),
  account: z.string(),
  currency: z.string(),
  bookingDate: dayValue,
  valueDate: dayValue.nullable(),
  counterparty: z.string(),
  counterpartyAccount: z.string(),
  remittance: z.string(),
  bankReference: z.string(),
  endToEndId: z.string(),
  raw: z.string(),
  amount: amountText.meta({ description: 'Positive: credit.' }),
};

/** A line on a statement. */
export const statementLineValue = z
  .strictObject({
    ...movementFields,
    fileLine: z.int().optional(),
    transactionCode: z.string(),
    details: z.array(z.unknown()),
    payoutCandidate: z.boolean().meta({ description: 'Whether it may be a payout of the gateway.' }),
    known: z.boolean().meta({ description: 'Whether another statement brought it first: that of `statementId`.' }),
    balanceAfter: amountText.nullable(),
    amountMillimes: millimesValue.optional().meta({ description: 'Only of dinars.' }),
    balanceAfterMillimes: millimesValue.nullable().optional(),
  })
  .meta({ id: 'StatementLine' });

/** Returns a line on a statement as JSON. */
export function statementLineJson({ line, position, known }: LineOnStatement): z.input<typeof statementLineValue> {
  const { amountMinor, balanceAfterMinor, statementId, identity: _identity, details, ...rest } = line;
  return {
    ...rest,
    details: [...details],
    position,
    known,
    // The statement that brought the line: this one or an earlier one.
    statementId,
    valueDate: line.valueDate ?? null,
    amount: minorUnitsText(amountMinor, line.currency),
    balanceAfter: balanceAfterMinor === undefined ? null : minorUnitsText(balanceAfterMinor, line.currency),
    ...(line.currency === 'TND'
      ? { amountMillimes: amountMinor, balanceAfterMillimes: balanceAfterMinor ?? null }
      : {}),
  };
}

/** A movement that a bank announced and has not booked. */
export const announcedEntryValue = z
  .strictObject({ ...movementFields, status: z.enum(['pending', 'information', 'interim']) })
  .meta({ id: 'AnnouncedEntry' });

/** Returns an announced movement as JSON. */
export function announcedEntryJson(entry: PendingEntry): z.input<typeof announcedEntryValue> {
  const { amountMinor, ...rest } = entry;
  return { ...rest, valueDate: entry.valueDate ?? null, amount: minorUnitsText(amountMinor, entry.currency) };
}

/** A profile as the profiles file has it. Its fields depend on its format. */
export const profileValue = z
  .looseObject({
    name: z.string(),
    format: z.string(),
    description: z.string(),
    payoutPattern: z.string().nullable().meta({ description: 'The source of a regular expression.' }),
  })
  .meta({ id: 'StatementProfile' });

/** Returns a profile as JSON. A pattern is shown as its source. */
export function profileJson(profile: AnyProfile): z.input<typeof profileValue> {
  const { payoutPattern, ...rest } = profile;
  const shown = JSON.parse(
    JSON.stringify(rest, (_key, value: unknown) => (value instanceof RegExp ? value.source : value)),
  ) as Pick<AnyProfile, 'name' | 'format' | 'description'>;
  return { ...shown, payoutPattern: payoutPattern?.source ?? null };
}

/** A bank account with its names. */
export const bankAccountValue = z
  .strictObject({
    account: z.string(),
    joined: z.array(z.string()).meta({ description: 'The other names that people joined to it.' }),
    toJoin: z.array(z.string()).meta({ description: 'Other forms of its name that are not joined to it.' }),
    keyFault: z.string().nullable(),
    accepted: decisionValue.nullable(),
  })
  .meta({ id: 'BankAccount' });

/** Returns a bank account as JSON. */
export function bankAccountJson(listed: ListedAccount): z.input<typeof bankAccountValue> {
  const { account, joined, toJoin, keyFault, accepted } = listed;
  return {
    account,
    joined: [...joined],
    toJoin: [...toJoin],
    keyFault: keyFault ?? null,
    accepted: accepted === undefined ? null : { ...accepted, at: instantJson(accepted.at) },
  };
}

/** A decision on the names of an account. */
export const accountDecidedValue = z
  .strictObject({
    outcome: z.enum(['joined', 'accepted', 'already']),
    dryRun: z.boolean(),
    name: z.string(),
    account: z.string(),
    warnings: z.array(z.string()),
    repeated: z.strictObject({ lines: z.int(), creditsMillimes: millimesValue, debitsMillimes: millimesValue }),
  })
  .meta({ id: 'AccountDecision' });

/** Returns a decision on the names of an account as JSON. */
export function accountDecidedJson(
  { kind, name, account, warnings, repeated }: AccountDecided,
  dryRun: boolean,
): z.input<typeof accountDecidedValue> {
  const { lines, credits: creditsMillimes, debits: debitsMillimes } = repeated;
  const ofRepeated = { lines, creditsMillimes, debitsMillimes };
  return { outcome: kind, dryRun, name, account, warnings: [...warnings], repeated: ofRepeated };
}

/** What a file says about its statements, as written there. */
const summaryFields = {
  verdict: verdictValue,
  statements: z.array(
    z.strictObject({
      account: z.string().nullable(),
      currency: z.string().nullable(),
      opening: z.string().nullable(),
      closing: z.string().nullable(),
      entries: z.int(),
      credits: z.string(),
      debits: z.string(),
      verdict: verdictValue,
      missing: z.array(z.enum(['opening', 'closing'])),
    }),
  ),
};

/** A new reading of the stored file of a statement. */
export const rereadValue = z
  .strictObject({
    sha256: z.string(),
    ...summaryFields,
    differences: z.array(z.string()).meta({ description: 'Empty if it agrees with the stored statements.' }),
  })
  .meta({ id: 'StatementVerification' });

/** Returns a new reading as JSON. */
export function rereadJson({ scanned, differences }: RereadFile): z.input<typeof rereadValue> {
  const { verdict, statements } = summarizeStatements(scanned.statements);
  return {
    sha256: scanned.facts.sha256,
    verdict,
    statements: statements.map(({ missing, ...summary }) => ({ ...summary, missing: [...missing] })),
    differences: [...differences],
  };
}

/** An import of a bank file. */
export const importedValue = z
  .strictObject({
    outcome: z.enum(['imported', 'already_imported']),
    file: bankFileValue,
    statements: z.array(statementValue).meta({ description: 'Those that the file brought, now or before.' }),
    duplicates: z
      .array(z.strictObject({ account: z.string(), statementId: idValue }))
      .meta({ description: 'Skipped statements that another file brought.' }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'BankFileImport' });

/** Returns an import as JSON. `warnings` are those of the check before it and of the import. */
export function importedJson(outcome: ImportOutcome, warnings: readonly string[]): z.input<typeof importedValue> {
  const isNew = outcome.kind === 'imported';
  return {
    outcome: outcome.kind,
    file: fileJson(outcome.file),
    statements: outcome.statements.map(statementJson),
    duplicates: isNew ? duplicatesJson(outcome.duplicates) : [],
    warnings: [...warnings],
  };
}

/** A bank file that waits for its import. */
export const uploadValue = z
  .strictObject({
    id: idValue,
    fileName: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
    createdBy: z.string(),
    expiresAt: instantValue,
  })
  .meta({ id: 'BankUpload' });

/** Returns an upload as JSON. */
export function uploadJson(upload: Upload): z.input<typeof uploadValue> {
  const { id, name, sizeBytes, sha256, createdBy, expiresAt } = upload;
  return { id, fileName: name, sizeBytes, sha256, createdBy, expiresAt: instantJson(expiresAt) };
}

/** A line as it was read, to compare with the file. */
const previewLine = z.strictObject({
  fileLine: z.int(),
  bookingDate: dayValue,
  amount: amountText,
  counterparty: z.string(),
  remittance: z.string(),
});

/** What an import of a file would do, and why. */
export const importCheckValue = z
  .strictObject({
    outcome: z.enum(['imported', 'already_imported', 'refused']),
    format: z.string().nullable().meta({ description: 'Null if the file could not be read.' }),
    profile: z.string().nullable(),
    verdict: verdictValue.nullable(),
    statements: z.array(
      z.strictObject({
        ...summaryFields.statements.element.shape,
        lines: z.array(previewLine).meta({ description: 'The first lines.' }),
      }),
    ),
    refusals: z
      .array(z.looseObject({ code: z.string(), detail: z.string() }))
      .meta({ description: 'The problems with which an import would be refused, the first one first.' }),
    duplicates: importedValue.shape.duplicates,
    warnings: z.array(z.string()).meta({ description: 'Accounts that seem to have two names.' }),
    remarks: z.array(z.string()).meta({ description: 'What the import assumes.' }),
    faults: z.array(z.string()).meta({ description: 'Figures of the bank that its lines contradict.' }),
    payouts: z
      .strictObject({ credits: z.int(), recognized: z.int(), pattern: z.string() })
      .nullable()
      .meta({ description: 'How many credits the payout pattern recognizes; null without a pattern.' }),
    proposal: z
      .strictObject({
        profile: z.unknown(),
        gaps: z.array(z.strictObject({ field: z.string() })),
        reasons: z.array(z.string()),
      })
      .nullable()
      .meta({ description: 'The profile that was proposed for the file.' }),
  })
  .meta({ id: 'ImportCheck' });

type ImportCheckJson = z.input<typeof importCheckValue>;

/** Returns a check as JSON. `refusals` are its problems. */
export function importCheckJson(check: ImportCheck, refusals: ImportCheckJson['refusals']): ImportCheckJson {
  const { scanned, proposal, payouts, duplicates } = check;
  const read = scanned?.statements ?? [];
  const { verdict, statements } = summarizeStatements(read);
  return {
    outcome: check.outcome,
    format: scanned?.reading.format ?? null,
    profile: scanned?.reading.profile ?? null,
    verdict: scanned === undefined ? null : verdict,
    statements: statements.map(({ missing, ...summary }, index) => ({
      ...summary,
      missing: [...missing],
      lines: (read[index]?.preview ?? []).map(({ fileLine, bookingDate, amount, counterparty, remittance }) => ({
        ...{ fileLine, bookingDate, counterparty, remittance },
        amount: decimalText(amount),
      })),
    })),
    refusals,
    duplicates: duplicatesJson(duplicates),
    warnings: check.warnings.map(({ text }) => text),
    remarks: [...check.remarks],
    faults: describeFaults(read),
    payouts: payouts ?? null,
    proposal:
      proposal === undefined
        ? null
        : {
            profile: proposal.entry,
            gaps: proposal.gaps.map(({ field }) => ({ field })),
            reasons: [...proposal.reasons],
          },
  };
}

function duplicatesJson(duplicates: ImportCheck['duplicates']): ImportCheckJson['duplicates'] {
  return duplicates.map(({ statement, before }) => ({ account: statement.account, statementId: before.id }));
}
