import type { Database } from '../../db';
import { counted, isAppError } from '../../kernel';
import { chooseReader, PROPOSED_PROFILE, type ReadOptions, STATEMENT_FORMATS } from '../reading/choose-reader';
import type { FormChoice, GivenForm } from '../reading/csv/form-choice';
import { inspectBankFile } from '../reading/inspect-bank-file';
import { joinPages } from '../reading/join-pages';
import { scanBankFile, type ScannedFile } from '../reading/scan-bank-file';
import type { AnyProfile } from '../reading/statement-profile';
import { requireStatement } from '../require-statement';
import type { ListedStatement, Statement } from '../statement-records';
import { openStatements } from '../statement-store';
import { ifOne } from './if-one';
import { newStatement } from './new-statement';
import { bankFileOfChunks } from './original-bytes';

export interface RereadFile {
  readonly scanned: ScannedFile;
  /** The differences between the stored statements and a new reading; empty if they agree. */
  readonly differences: readonly string[];
}

/**
 * Reads the original bytes of a statement's file again with the current readers and profiles, and compares the result
 * with the stored statements. Changes nothing.
 * @throws AppError `not_found`; `bad_input` if the file can no longer be read.
 */
export async function rereadFile(
  database: Database,
  statementId: string,
  profiles: readonly AnyProfile[],
): Promise<RereadFile> {
  const { found, siblings, chunks } = await database.read(
    async (session) => {
      const store = openStatements(session);
      const listed = await requireStatement(session, statementId);
      return {
        found: listed,
        siblings: await store.ofFile(listed.file.id),
        chunks: await store.originalChunks(listed.file.id),
      };
    },
    { snapshot: true },
  );
  const { file } = found;
  const known = profiles.some(({ name }) => name === file.profile);
  const format = STATEMENT_FORMATS.find((each) => each === file.format);
  // The profile may no longer exist. Other formats need none; a CSV file may be read as its header suggests.
  const profile = known ? file.profile : format === 'csv' ? PROPOSED_PROFILE : undefined;
  const options: ReadOptions = {
    format,
    profile,
    // The person who imported the file may have given them.
    account: ifOne(siblings.map(({ statement }) => statement.account)),
    currency: ifOne(siblings.map(({ statement }) => statement.currency)),
  };
  const bankFile = bankFileOfChunks(file, chunks);
  const compared = (form: GivenForm): RereadFile => {
    const scanned = scanBankFile(bankFile, { ...options, ...form }, profiles);
    return { scanned, differences: differences(scanned, siblings) };
  };
  if (profile !== PROPOSED_PROFILE) return compared({});
  const facts = inspectBankFile(bankFile);
  const forms = formsOf(
    (form) => chooseReader(bankFile, facts, { ...options, ...form }, profiles).proposal?.choices ?? [],
  );
  const read = forms.flatMap((form) => ifReadable(() => compared(form)) ?? []);
  return read.find((each) => each.differences.length === 0) ?? read[0] ?? compared({});
}

/** Returns each form in which a person may have had a file read. An answer may lead to another question. */
function formsOf(choicesWith: (form: GivenForm) => readonly FormChoice[], form: GivenForm = {}): readonly GivenForm[] {
  const choices = ifReadable(() => choicesWith(form)) ?? [];
  const next = choices.find(({ field }) => field === 'setAside' || !(field in form));
  if (next === undefined) return [form];
  const { field, readings } = next;
  return readings.flatMap(({ value }) => {
    const answer = field === 'setAside' ? [...(form.setAside ?? []), value] : value;
    return formsOf(choicesWith, { ...form, [field]: answer });
  });
}

/** Returns what `read` returns; undefined if it refuses the file, because the balances contradict the form. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isAppError(error, 'bad_input')) return undefined;
    throw error;
  }
}

function differences(scanned: ScannedFile, siblings: readonly ListedStatement[]): string[] {
  const wholes = joinPages(scanned.statements);
  const last = siblings.at(-1)?.statement.position ?? 0;
  const found: string[] =
    wholes.length < last ? [`the file has ${counted(wholes.length, 'statement')} now, and had ${last}`] : [];
  for (const { statement } of siblings) {
    const whole = wholes[statement.position - 1];
    if (whole === undefined) continue;
    const { fileId, position, account } = statement;
    const now = newStatement(whole, { fileId, position, account });
    for (const field of COMPARED) {
      if (now[field] === statement[field]) continue;
      found.push(`statement ${statement.id}: ${field} is ${shown(now[field])} now, and was ${shown(statement[field])}`);
    }
  }
  return found;
}

const COMPARED = [
  'kind',
  'currency',
  'verdict',
  'openingMinor',
  'closingMinor',
  'creditsMinor',
  'debitsMinor',
  'entries',
  'pendingEntries',
  'firstDate',
  'lastDate',
  'fingerprint',
] as const satisfies readonly (keyof Statement)[];

function shown(value: string | number | undefined): string {
  return value === undefined ? 'not stated' : String(value);
}
