import { type Database, type Row, rowsOf, type Session } from '../../../../src/db';
import { type Actor, SCOPES } from '../../../../src/identity';
import { businessCalendar, businessDate, millimes, newId, parseInstant, WorkingDays } from '../../../../src/kernel';
import { type Account, type LedgerCode, type NewLedgerTransaction, openLedger } from '../../../../src/ledger';
import { silentLogger } from '../../../../src/logging';
import { createDayClosing, type DayClosing } from '../../../../src/reconciliation';
import { type FixedClock, fixedClock } from '../../../support/fakes';

export const SALMA: Actor = { kind: 'api_key', name: 'salma', keyId: '1'.repeat(26), scopes: new Set(SCOPES) };
export const OMAR: Actor = { kind: 'api_key', name: 'omar', keyId: '2'.repeat(26), scopes: new Set(SCOPES) };

/** Why a day is closed in these tests, which have no bank. */
export const NO_BANK = 'this account is not in use yet';

export interface Given {
  readonly reference: string;
  readonly code: LedgerCode;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly at: string;
  readonly reverses?: string;
}

/** The closing on one database and one clock, with short ways to the ledger. */
export interface Scene {
  readonly clock: FixedClock;
  readonly closing: DayClosing;
  /** Posts one transaction of one posting, recorded when it says, and gives its id. */
  post(given: Given): Promise<string>;
  /** A payment through a channel. */
  paid(channel: string, id: string, amount: number, at: string): Promise<string>;
  /** A payout of items, matched and posted. */
  paidOut(
    lineId: string,
    channel: string,
    items: Readonly<Record<string, number>>,
    net: number,
    at: string,
    remainder?: number,
  ): Promise<string>;
  /** A run has looked through this day. */
  reconciled(through: string): Promise<void>;
  close(date: string, actor?: Actor): ReturnType<DayClosing['close']>;
  rows(table: string): Promise<Row[]>;
}

export function openScene(database: Database, start: string): Scene {
  const clock = fixedClock(start);
  const calendar = businessCalendar('Africa/Tunis');
  const workingDays = new WorkingDays([]);
  const closing = createDayClosing({ database, clock, calendar, workingDays, logger: silentLogger });
  const scene: Scene = {
    clock,
    closing,
    post: (given) => database.transact((session) => post(session, given)),
    paid: (channel, id, amount, at) =>
      scene.post({
        ...{ reference: `payment:${id}`, code: 'payment', amount, at },
        ...{ debit: `gateway_clearing:${channel}`, credit: 'payments_received' },
      }),
    paidOut: (lineId, channel, items, net, at, remainder = 0) =>
      database.transact(async (session) => {
        const ledgerTransactionId = await post(session, {
          ...{ reference: `payout:${lineId}`, code: 'payout', amount: net, at },
          ...{ debit: 'bank_unmatched', credit: `gateway_clearing:${channel}` },
        });
        await writeMatch(session, { lineId, channel, items, net, at, remainder, ledgerTransactionId });
        return ledgerTransactionId;
      }),
    reconciled: (through) =>
      database.transact(async (session) => {
        const id = newId();
        const run = { id, through, digest: '0'.repeat(64), verdict: 'reconciled', summary: '{}' };
        await session('recon_runs').insert({ ...run, recorded_at: clock.now(), recorded_by: 'test' });
      }),
    close: (date, actor = SALMA) => closing.close({ date: businessDate(date), actor, reason: NO_BANK, dryRun: false }),
    rows: (table) => database.read((session) => rowsOf(session(table).select('*'))),
  };
  return scene;
}

async function post(
  session: Session,
  { reference, code, debit, credit, amount, at, reverses }: Given,
): Promise<string> {
  const id = newId();
  const instant = instantOf(at);
  const transaction: NewLedgerTransaction = {
    ...{ id, reference, code, occurredAt: instant, recordedAt: instant, recordedBy: 'test' },
    postings: [{ debit: debit as Account, credit: credit as Account, amount: millimes(amount) }],
    ...(reverses === undefined ? {} : { reversesId: reverses }),
  };
  await openLedger(session).post([transaction]);
  return id;
}

interface MatchGiven {
  readonly lineId: string;
  readonly channel: string;
  readonly items: Readonly<Record<string, number>>;
  readonly net: number;
  readonly remainder: number;
  readonly at: string;
  readonly ledgerTransactionId: string;
}

async function writeMatch(session: Session, given: MatchGiven): Promise<void> {
  const { lineId, channel, items, net, at, remainder, ledgerTransactionId } = given;
  const matchId = newId();
  const gross = Object.values(items).reduce((sum, amount) => sum + amount, 0);
  await session('payout_matches').insert({
    ...{ id: matchId, line_id: lineId, run_id: null, kind: 'inferred', model: 'sweep-all', stream: 'all' },
    ...{ evidence: 'inferred_by_cut', gross_millimes: gross, fee_millimes: gross + remainder - net, tva_millimes: 0 },
    ...{
      remainder_millimes: remainder,
      rest_channel: channel,
      claimed_error: null,
      cut_after: null,
      cut_until: null,
      reason: null,
    },
    ...{
      ledger_transaction_id: ledgerTransactionId,
      recorded_at: instantOf(at),
      recorded_by: 'test',
      approved_by: null,
    },
  });
  const rows = Object.entries(items).map(([itemId, amount]) => ({
    ...{ match_id: matchId, item_id: itemId, channel, amount_millimes: amount, fee_millimes: 0, tva_millimes: 0 },
    evidence: 'inferred_by_cut',
  }));
  await session('payout_match_items').insert(rows);
}

function instantOf(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`not an instant: ${text}`);
  return instant;
}
