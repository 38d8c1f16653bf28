import { openBreakStore } from '../../../../src/breaks';
import { type Database, rowsOf } from '../../../../src/db';
import { OPERATOR } from '../../../../src/identity';
import { AppError, type BusinessCalendar, businessCalendar, type Clock } from '../../../../src/kernel';
import { bankAccount, openLedger } from '../../../../src/ledger';
import { silentLogger } from '../../../../src/logging';
import { linesInUse } from '../../../../src/reconciliation';
import { brokenInvariants } from '../../../../src/reporting/testing';
import { bankFileOfBytes, createStatements, type ImportOutcome, type Statements } from '../../../../src/statements';
import { isEffectiveLine } from '../../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../../fixtures/statements/statement-bytes';
import type { Harness } from '../../../support/db';
import { fixedClock } from '../../../support/fakes';
import type { AccountLife } from './bank-life';

/** More than any of these tests opens. */
const BREAKS_MAX = 100_000;

/** What an import came to, as these tests tell it apart. */
export type Told = 'imported' | 'already_imported' | 'duplicate';

export interface OpenBreak {
  readonly kind: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The room on one database, and what can be seen of it. */
export interface TheBooks {
  readonly deps: { readonly database: Database; readonly clock: Clock; readonly calendar: BusinessCalendar };
  readonly statements: Statements;
  import(bytes: Uint8Array, name?: string): Promise<ImportOutcome>;
  /** The same, where a refusal as a duplicate is an answer as well. */
  offer(bytes: Uint8Array, name?: string): Promise<Told>;
  /** The lines of an account that count, as sorted texts. */
  linesOf(account: string): Promise<string[]>;
  bankBalance(account: string): Promise<number>;
  openBreaks(account: string): Promise<OpenBreak[]>;
  broken(): Promise<string[]>;
}

export function theBooks(harness: Harness): TheBooks {
  const deps = {
    database: harness.database,
    clock: fixedClock('2026-05-04T09:00:00+01:00'),
    calendar: businessCalendar('Africa/Tunis'),
  };
  const statements = createStatements({
    linesInUse,
    ...deps,
    logger: silentLogger,
    profilesFile: SHIPPED_PROFILES_FILE,
  });
  const importBytes: TheBooks['import'] = (bytes, name = 'bank.txt') =>
    statements.import({ file: bankFileOfBytes(name, bytes), actor: OPERATOR });
  return {
    deps,
    statements,
    import: importBytes,
    async offer(bytes, name) {
      try {
        return (await importBytes(bytes, name)).kind;
      } catch (error) {
        if (isDuplicate(error)) return 'duplicate';
        throw error;
      }
    },
    linesOf: (account) =>
      harness.database.read(async (session) => {
        const rows = await rowsOf(
          session('bank_statement_lines as l')
            .select('l.booking_date', 'l.amount_minor', 'l.remittance', 'l.bank_reference')
            .where('l.account', account)
            .whereRaw(isEffectiveLine('l')),
        );
        return rows
          .map((row) =>
            [row['booking_date'], Number(row['amount_minor']), row['remittance'], row['bank_reference']].join('|'),
          )
          .sort();
      }),
    bankBalance: async (account) =>
      Number(await harness.database.read((session) => openLedger(session).sumOf(bankAccount(account)))),
    openBreaks: (account) =>
      harness.database.read(async (session) => {
        const all = await openBreakStore(session).list({ classes: ['statement_gap'], limit: BREAKS_MAX });
        return all
          .map(({ subject }) => subject.facts)
          .filter((facts) => facts['account'] === account)
          .map((facts) => ({ kind: String(facts['kind']), facts }));
      }),
    broken: async () => (await harness.database.read(brokenInvariants)).map(({ name }) => name),
  };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof AppError && error.code === 'bad_input' && error.message.includes('were imported before');
}

/** The lines that truly happened, as `linesOf` tells them. */
export function truthOf({ lines }: AccountLife): string[] {
  return lines.map(({ date, amountMinor, text, reference }) => [date, amountMinor, text, reference].join('|')).sort();
}
