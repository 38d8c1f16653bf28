import { dayOf, idOf, idText, instantOf, padded, type PutRows, putRowsInto } from '../api/book-sql';
import type { BooksSize } from '../api/fill-books';
import type { ServiceDatabase } from '../service/service-database';

const DAYS = 365;
const SEALED_DAYS = 360;
const CHANNELS = 7;
const DECIDED = 5_000;
const USERS = 300;
const SCHEDULES = 300;
const AMOUNT = '1000000 + mod(s.i, 9000)';

/** Stores what only pages read: figures by day, seals, decided proposals, balances, fee schedules, users and keys. */
export async function fillDesk(database: ServiceDatabase, { agents }: BooksSize): Promise<void> {
  const put = putRowsInto(database);
  await put('ledger_balances', agents, {
    account: `'agent_receivable:A' || ${padded('s.i', 7)}`,
    balance_millimes: 'elt(1 + mod(s.i, 3), -1000, 0, 1000)',
  });
  await putFigures(put);
  await putSeals(put);
  await putDecided(put);
  await put('payout_fee_schedules', SCHEDULES, {
    ...{ id: idOf('F'), rules: `'[]'`, run_id: idOf('V'), credits: `'[]'`, first_date: `'2025-03-01'` },
    ...{ last_date: `'2025-03-31'`, recorded_at: instantOf(SCHEDULES), recorded_by: `'bench'` },
  });
  await put('users', USERS, {
    ...{ id: idOf('E'), name: `'user-' || ${padded('s.i', 5)}`, full_name: `'User ' || s.i`, roles: `'reader'` },
    ...{ created_at: instantOf(USERS), recorded_by: `'bench'` },
  });
  await put('api_keys', USERS, {
    ...{ id: idOf('K'), name: `'key-' || s.i`, scopes: `'breaks:read'`, secret_hash: padded('s.i', 64) },
    ...{ created_at: instantOf(USERS), recorded_by: `'bench'` },
  });
}

async function putFigures(put: PutRows): Promise<void> {
  const rows = DAYS * CHANNELS;
  await put('day_figures', rows, {
    business_date: `adddate('2025-03-01', floor(s.i / ${CHANNELS}))`,
    channel: `elt(1 + mod(s.i, ${CHANNELS}), 'agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription')`,
    ...{ payment_count: '400', succeeded_millimes: AMOUNT, refunded_millimes: '0', charged_millimes: '0 - 20000' },
    ...{ settled_millimes: '0 - 900000', other_millimes: '0', closing_millimes: AMOUNT },
  });
  const business_date = dayOf(DAYS);
  await put('day_credits', DAYS, {
    ...{ business_date, credit_count: '10', credit_millimes: AMOUNT, charged_millimes: '20000' },
    ...{ unexplained_count: '2', unexplained_millimes: '200000' },
  });
  const groups = ['owing', 'favored', 'processing', 'available', 'late'].flatMap((group): [string, string][] => [
    [`${group}_count`, '1000'],
    [`${group}_millimes`, AMOUNT],
  ]);
  await put('day_cut_offs', DAYS, {
    ...{ business_date, run_id: idOf('V'), known_at: instantOf(DAYS), ...Object.fromEntries<string>(groups) },
    ...{ last_due_on: `'2026-03-09'`, bank_through: business_date, last_statement_id: `'${idText('B', 0)}'` },
  });
  await put('day_expectations', DAYS, { business_date, item_count: '100', amount_millimes: AMOUNT });
}

async function putSeals(put: PutRows): Promise<void> {
  await put('day_seals', SEALED_DAYS, {
    ...{ number: 's.i + 1', kind: `'closed'`, business_date: dayOf(DAYS), close_id: idOf('G') },
    ...{ content: `'${SEAL}'`, digest: padded('s.i', 64), recorded_at: instantOf(DAYS), recorded_by: `'bench'` },
  });
}

const SEAL = JSON.stringify({
  proof: { channels: [], throughDate: '2025-03-01' },
  ...{ pages: [], rows: {}, reason: null },
});

async function putDecided(put: PutRows): Promise<void> {
  await put('break_proposals', DECIDED, {
    ...{ id: idOf('L'), subject: `'bench:' || s.i`, position: '1', kind: `'accept'`, payload: `'{}'` },
    ...{ reason: `'checked'`, proposed_by: `'salma'`, proposed_by_key: idOf('Y'), proposed_at: instantOf(DECIDED) },
  });
  await put('break_decisions', DECIDED, {
    ...{ proposal_id: idOf('L'), outcome: `'approved'`, decided_by: `'omar'`, decided_by_key: idOf('Y') },
    decided_at: instantOf(DECIDED),
  });
}
