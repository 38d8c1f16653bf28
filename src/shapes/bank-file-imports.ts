import { z } from 'zod';
import {
  decimalText,
  describeFaults,
  ENCODINGS,
  HAND_COLUMNS,
  type ImportCheck,
  type ImportOutcome,
  minorUnitsText,
  type RereadFile,
  type SampleRows,
  summarizeStatements,
  type Upload,
} from '../statements';
import { amountText, bankFileValue, fileJson, statementJson, statementValue, verdictValue } from './statements';
import { dayValue, idValue, instantJson, instantValue, textField } from './values';

/** What a file says about its statements, as written there. */
const summaryFields = {
  verdict: verdictValue,
  statements: z.array(
    z.strictObject({
      account: z.string().nullable(),
      currency: z.string().nullable(),
      opening: z.string().nullable(),
      closing: z.string().nullable(),
      entries: z.int().meta({ description: 'Booked lines; of a report that books none, the announced ones.' }),
      credits: z.string(),
      debits: z.string(),
      pendingEntries: z.int().meta({ description: 'Lines that are only announced.' }),
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
    unit: z
      .enum(['dinars', 'millimes'])
      .nullable()
      .meta({ description: 'The unit of amounts in TND; null if the format states it.' }),
    setAside: z
      .array(z.string())
      .meta({ description: 'The columns that carry nothing of the money. They are not read.' }),
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
    chain: z
      .array(
        z.strictObject({
          account: z.string(),
          firstDate: dayValue.nullable(),
          lastDate: dayValue.nullable(),
          previous: z
            .strictObject({ statementId: idValue, through: dayValue.nullable(), closing: amountText.nullable() })
            .nullable()
            .meta({ description: 'The statement before it; null before the first.' }),
          follows: z.boolean().nullable().meta({
            description:
              'Whether its balances follow its neighbors; null without balances to compare, or on days of theirs.',
          }),
          differences: z.array(z.strictObject({ kind: z.enum(['gap', 'break']), since: dayValue, amount: amountText })),
        }),
      )
      .meta({ description: 'Where its first statements would stand among those of their accounts.' }),
    sharesDays: z.boolean().meta({
      description:
        'Whether stored statements have lines of the same days. An import compares them, and counts none twice.',
    }),
    savesProfiles: z.boolean().meta({ description: 'Whether this installation can save profiles.' }),
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
    unit: scanned?.reading.unit ?? null,
    setAside: [...(scanned?.reading.setAside ?? [])],
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
    chain: check.places.map(placeJson),
    sharesDays: check.notChecked.some(({ check: each }) => each === 'contradictions'),
    savesProfiles: check.savesProfiles,
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

function placeJson({ statement, previous, isAmongOthers, discontinuities }: ImportCheck['places'][number]) {
  const { account, currency, firstDate, lastDate, from, through } = statement;
  return {
    account,
    firstDate: firstDate ?? from ?? null,
    lastDate: lastDate ?? through ?? null,
    previous:
      previous === undefined
        ? null
        : {
            statementId: previous.id,
            through: previous.through ?? previous.lastDate ?? null,
            closing: previous.closingMinor === undefined ? null : minorUnitsText(previous.closingMinor, currency),
          },
    follows: discontinuities === undefined || isAmongOthers ? null : discontinuities.length === 0,
    differences: (discontinuities ?? []).map(({ kind, since, differenceMinor }) => ({
      ...{ kind, since, amount: minorUnitsText(differenceMinor, currency) },
    })),
  };
}

/** How a person says that the columns of a file are read. */
export const handReadingValue = z
  .strictObject({
    columns: z.strictObject(
      Object.fromEntries(HAND_COLUMNS.map((name) => [name, textField(200).optional()])) as Record<
        (typeof HAND_COLUMNS)[number],
        z.ZodOptional<z.ZodString>
      >,
    ),
    encoding: z.enum(ENCODINGS),
    delimiter: z.string().length(1),
    dateFormat: textField(30).meta({ example: 'dd/mm/yyyy' }),
    decimalSign: z.enum([',', '.']),
    order: z.enum(['oldest-first', 'newest-first']),
    statesOpening: z.boolean().meta({ description: 'Whether the file states the opening balance beside a label.' }),
    statesClosing: z.boolean(),
  })
  .meta({ id: 'HandReading' });

/** The first rows of a file with columns. */
export const sampleValue = z
  .strictObject({
    encoding: z.enum(ENCODINGS),
    delimiter: z.string(),
    line: z.int().meta({ description: 'The line of the headings.' }),
    columns: z.array(z.string()),
    rows: z.array(z.strictObject({ line: z.int(), cells: z.array(z.string()) })),
  })
  .meta({ id: 'BankFileSample' });

/** Returns the first rows of a file as JSON. */
export function sampleJson({ columns, rows, ...rest }: SampleRows): z.input<typeof sampleValue> {
  return { ...rest, columns: [...columns], rows: rows.map(({ line, cells }) => ({ line, cells: [...cells] })) };
}

function duplicatesJson(duplicates: ImportCheck['duplicates']): ImportCheckJson['duplicates'] {
  return duplicates.map(({ statement, before }) => ({ account: statement.account, statementId: before.id }));
}
