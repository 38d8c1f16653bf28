import type { Millime } from '../../../src/compose';
import { OPERATOR } from '../../../src/identity';
import type { ServiceDatabase } from '../service/service-database';
import { dayOf, FIRST_AT, idOf, instantOf, padded, type PutRows, putRowsInto, YEAR_MS } from './book-sql';

// Fills a database with a year of a large installation, by SQL, as far as the lists of the API read it.

const FIRST_NAMES = [
  'Salma',
  'Amal',
  'Nour',
  'Omar',
  'Hédi',
  'Chérif',
  'Ines',
  'Youssef',
  'سلمى',
  'محمد',
  'فاطمة',
  'Mehdi',
];
const LAST_NAMES = [
  'Ben Youssef',
  'Trabelsi',
  'Haddad',
  'Gharbi',
  'بن علي',
  'Jlassi',
  'Mzoughi',
  "M'Barek",
  'Ben Salah',
];
const AGENTS_PER_FILE = 20_000;

export interface BooksSize {
  readonly agents: number;
  readonly payments: number;
}

/** Stores agents by the import, so that the search finds them, and everything else by SQL. */
export async function fillBooks(
  millime: Millime,
  database: ServiceDatabase,
  { agents, payments }: BooksSize,
): Promise<void> {
  for (let from = 0; from < agents; from += AGENTS_PER_FILE) {
    const rows = Array.from({ length: Math.min(AGENTS_PER_FILE, agents - from) }, (_, index) => agentRow(from + index));
    const file = Buffer.from(['agent_id,full_name,phone', ...rows].join('\n'));
    await millime.agents.importCsv(file, { actor: OPERATOR, dryRun: false });
  }
  const share = (parts: number): number => Math.ceil((payments * parts) / 100);
  const agent = `'A' || ${padded(`mod(s.i * 7919, ${agents})`, 7)}`;
  const filling: Filling = { put: putRowsInto(database), agent, at: instantOf };
  await putDues(filling, agents);
  await putConfirms(filling, share(60));
  await putPayments(filling, share(30));
  await putCharges(filling, share(6));
  await putQrPayments(filling, share(4));
  await putBank(filling, Math.ceil(payments / 50));
  await putBreaks(filling, Math.ceil(payments / 50));
  await putWaiting(filling, { items: share(10), confirms: share(60) });
  await putRecords(filling, Math.ceil(payments / 5));
  // SQLite keeps no statistics without this command, and nothing that serves gives it.
  if (database.kind === 'mariadb') await database.rows('analyze table ' + TABLES.join(', '));
}

const TABLES = [
  ...['agents', 'dues', 'agent_confirmations', 'payments', 'gateway_items', 'subscription_charges', 'qr_transactions'],
  ...['bank_statement_lines', 'payout_matches', 'payout_match_items', 'recon_breaks', 'audit_records', 'webhook_inbox'],
  ...['postings', 'ledger_transactions', 'recon_waiting_items', 'recon_break_items'],
];

interface Filling {
  readonly put: PutRows;
  readonly agent: string;
  at(count: number): string;
}

function agentRow(number: number): string {
  const first = FIRST_NAMES[number % FIRST_NAMES.length];
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length];
  return `A${String(number).padStart(7, '0')},${first} ${last} ${number % 1_000},+2162${String(number).padStart(7, '0')}`;
}

async function putDues({ put }: Filling, agents: number): Promise<void> {
  const count = agents * 3;
  const agent = `'A' || ${padded(`mod(s.i, ${agents})`, 7)}`;
  await put('dues', count, {
    ...{ reference: `'D-' || s.i`, agent_id: agent, amount_millimes: '12500', memo: `''`, recorded_by: `'bench'` },
    ...{ due_date: `'2026-' || ${padded('1 + mod(s.i, 12)', 2)} || '-01'`, recorded_at: String(FIRST_AT) },
  });
}

async function putConfirms({ put, agent, at }: Filling, count: number): Promise<void> {
  const id = idOf('C');
  const reference = `'service:T-' || s.i`;
  await put('agent_confirmations', count, {
    ...{ transaction_id: `'T-' || s.i`, agent_id: agent, amount_millimes: '1000 + mod(s.i, 9000)' },
    ...{ fingerprint: padded('s.i', 64), attempt_id: id, balance_before_millimes: '0', followed_unavailable: '0' },
    ...{ token_sub: `'gateway'`, token_jti: `'bench'`, received_at: at(count), recorded_at: at(count) },
    ledger_transaction_id: id,
  });
  const recorded = { occurred_at: at(count), recorded_at: at(count), recorded_by: `'gateway'` };
  await put('ledger_transactions', count, { id, reference, code: `'agent_payment'`, ...recorded });
  const accounts = { debit_account: `'gateway_clearing:agent'`, credit_account: `'agent_receivable:' || ${agent}` };
  await put('postings', count, {
    transaction_id: id,
    position: '1',
    ...accounts,
    amount_millimes: '1000 + mod(s.i, 9000)',
  });
}

async function putPayments({ put, agent, at }: Filling, count: number): Promise<void> {
  const kind = `elt(1 + mod(s.i, 4), 'standard', 'standard', 'pos', 'wallet')`;
  const item = `'payment:pay_' || s.i`;
  await put('payments', count, {
    ...{
      tracking_id: idOf('P'),
      kind,
      reference: `'ORDER-' || s.i`,
      agent_id: agent,
      amount_millimes: '5000 + mod(s.i, 9000)',
    },
    ...{ our_share_millimes: '5000', terms: `'{}'`, is_test: '0', request_state: `'made'`, requested_at: at(count) },
    ...{
      sent_at: at(count),
      gateway_id: `'pay_' || s.i`,
      status: `elt(1 + mod(s.i, 5), 'SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILED', 'EXPIRED')`,
    },
    ...{ method: `'card'`, item_id: item, looks: '1', failed_looks: '0', recorded_by: `'bench'` },
  });
  await put('gateway_items', count, {
    ...{ item_id: item, channel: `'card'`, amount_millimes: '5000 + mod(s.i, 9000)', agent_id: agent },
    ...{ occurred_at: at(count), recorded_at: at(count), ledger_transaction_id: idOf('L') },
  });
}

const CHARGES_PER_SUBSCRIPTION = 12;

async function putCharges({ put, agent, at }: Filling, count: number): Promise<void> {
  const subscriptions = Math.ceil(count / CHARGES_PER_SUBSCRIPTION);
  await put('subscriptions', subscriptions, {
    ...{ tracking_id: idOf('S'), reference: `'SUB-' || s.i`, agent_id: agent, amount_millimes: '9000', terms: `'{}'` },
    ...{ is_test: '0', request_state: `'made'`, requested_at: at(subscriptions), subscription_id: `'sub_' || s.i` },
    ...{ status: `'active'`, cycles_completed: '12', cancel_at_period_end: '0', looks: '1', failed_looks: '0' },
    recorded_by: `'bench'`,
  });
  await put('subscription_charges', count, {
    ...{ payment_id: `'chg_' || s.i`, tracking_id: idOf('S', `mod(s.i, ${subscriptions})`), status: `'SUCCESS'` },
    ...{
      method: `'card'`,
      billing_reason: `'cycle'`,
      amount_millimes: '9000',
      created_at: at(count),
      paid_at: at(count),
    },
    ...{ first_seen_at: at(count), last_look_at: at(count) },
  });
}

async function putQrPayments({ put, at }: Filling, count: number): Promise<void> {
  await put('qr_transactions', count, {
    ...{ transaction_unique_id: `'qr_' || s.i`, amount_millimes: '700', channel: `'wallet'`, paid_at: at(count) },
    first_seen_at: at(count),
  });
}

const LINES_PER_STATEMENT = 250;
const ITEMS_PER_MATCH = 30;

/** Every fifth line is a credit of the gateway, and three of four of these are matched. */
async function putBank({ put, at }: Filling, lines: number): Promise<void> {
  const statements = Math.ceil(lines / LINES_PER_STATEMENT);
  const day = dayOf;
  await put('statement_files', statements, {
    ...{
      id: idOf('F'),
      sha256: padded('s.i', 64),
      name: `'bank-' || s.i || '.sta'`,
      size_bytes: '1000',
      format: `'mt940'`,
    },
    ...{ profile: `'mt940'`, imported_at: at(statements), imported_by: `'bench'` },
  });
  await put('statement_loads', statements, {
    ...{ file_id: idOf('F'), state: `'posted'`, lease_until: '0', started_at: at(statements) },
  });
  await put('bank_statements', statements, {
    ...{ id: idOf('B'), file_id: idOf('F'), position: '1', kind: `'statement'`, account: `'TN5904018104004942712345'` },
    ...{ currency: `'TND'`, bank_id: `''`, number: 's.i', verdict: `'ok'`, opening_minor: '0', closing_minor: '0' },
    ...{ credits_minor: '0', debits_minor: '0', entries: String(LINES_PER_STATEMENT), pending_entries: '0' },
    ...{
      from_date: day(statements),
      through_date: day(statements),
      first_date: day(statements),
      last_date: day(statements),
    },
    fingerprint: padded('s.i', 64),
  });
  await putLines(put, lines, day(lines));
  await putMatches({ put, at }, lines);
}

async function putLines(put: Filling['put'], lines: number, day: string): Promise<void> {
  const empty = Object.fromEntries(
    ['counterparty_account', 'bank_reference', 'end_to_end_id', 'transaction_code', 'raw'].map((name) => [name, `''`]),
  );
  await put('bank_statement_lines', lines, {
    ...{
      id: idOf('N'),
      statement_id: idOf('B', `floor(s.i / ${LINES_PER_STATEMENT})`),
      position: `1 + mod(s.i, ${LINES_PER_STATEMENT})`,
    },
    ...{
      account: `'TN5904018104004942712345'`,
      currency: `'TND'`,
      booking_date: day,
      amount_minor: '100000 + s.i',
    },
    ...{ counterparty: `'SERVICE DE PAIEMENT'`, remittance: `'VIR'`, payout_candidate: 'if(mod(s.i, 5) = 0, 1, 0)' },
    ...{ identity: padded('s.i', 64), ...empty },
  });
}

async function putMatches({ put, at }: Pick<Filling, 'put' | 'at'>, lines: number): Promise<void> {
  const matches = Math.floor((lines / 5) * 0.75);
  const line = idOf('N', 's.i * 5');
  await put('payout_matches', matches, {
    ...{
      id: idOf('M'),
      line_id: line,
      kind: `'inferred'`,
      evidence: `'inferred_by_cut'`,
      gross_millimes: '100000',
      fee_millimes: '0',
    },
    ...{
      tva_millimes: '0',
      remainder_millimes: '0',
      rest_channel: `'card'`,
      model: `'sweep-per-channel'`,
      stream: `'card'`,
      cut_after: at(matches),
      cut_until: `${at(matches)} + 1000`,
      claimed_error: `'0.000001'`,
      ledger_transaction_id: idOf('K'),
    },
    ...{ recorded_at: at(matches), recorded_by: `'job:reconcile'` },
  });
  await put('payout_claimed_lines', matches, { line_id: line, match_id: idOf('M') });
  const items = matches * ITEMS_PER_MATCH;
  const match = idOf('M', `floor(s.i / ${ITEMS_PER_MATCH})`);
  await put('payout_match_items', items, {
    ...{
      match_id: match,
      item_id: `'payment:pay_' || s.i`,
      channel: `'card'`,
      amount_millimes: '5000',
      fee_millimes: '0',
    },
    ...{ tva_millimes: '0', evidence: `'inferred_by_cut'` },
  });
  await put('payout_claimed_items', items, { item_id: `'payment:pay_' || s.i`, match_id: match });
}

/** One break in five is open. */
async function putBreaks({ put, at }: Filling, count: number): Promise<void> {
  const day = dayOf(count);
  await put('recon_breaks', count, {
    ...{
      id: idOf('R'),
      fingerprint: `'bench:' || s.i`,
      class: `elt(1 + mod(s.i, 3), 'missing_in_bank', 'amount_differs', 'missing_in_book')`,
    },
    ...{
      status: `if(mod(s.i, 5) = 0, 'open', 'resolved')`,
      since: day,
      amount_millimes: '1000 * (1 + mod(s.i, 2000))',
    },
    ...{ subject: `'{"itemIds":[],"lineIds":[],"facts":{}}'`, opened_at: at(count), updated_at: at(count) },
    ...{
      resolved_at: `if(mod(s.i, 5) = 0, null, ${at(count)})`,
      resolution: `if(mod(s.i, 5) = 0, null, 'disappeared')`,
    },
    direction: `'books_have_more'`,
  });
  await put('recon_break_items', Math.floor(count / 5), {
    ...{ item_id: `'payment:pay_' || (s.i * 5)`, break_id: idOf('R', 's.i * 5') },
  });
  await put('recon_break_events', count, {
    ...{
      break_id: idOf('R'),
      position: '1',
      kind: `'opened'`,
      actor: `'job:reconcile'`,
      at: at(count),
      detail: `'{}'`,
    },
  });
}

/** The newest confirms wait for their payout. */
async function putWaiting(
  { put, agent }: Filling,
  { items, confirms }: { readonly items: number; readonly confirms: number },
): Promise<void> {
  const number = `(${confirms - 1} - s.i)`;
  const at = `${FIRST_AT} + floor(${number} * ${YEAR_MS} / ${confirms})`;
  await put('recon_waiting_items', items, {
    ...{ item_id: `'service:T-' || ${number}`, channel: `'agent'`, agent_id: agent },
    ...{ amount_millimes: '1000 + mod(s.i, 9000)', succeeded_at: at, available_at: at },
    ...{ usually_on: `'2026-03-04'`, due_on: `'2026-03-09'`, is_late: `if(mod(s.i, 1000) = 0, 1, 0)` },
  });
  await put('recon_waiting_runs', 1, {
    ...{ position: '1', run_id: idOf('V', '0'), through: `'2026-02-28'`, known_at: String(FIRST_AT + YEAR_MS) },
  });
}

async function putRecords({ put, at }: Filling, count: number): Promise<void> {
  await put('audit_records', count, {
    ...{
      id: idOf('Z'),
      at: at(count),
      actor_kind: `'api_key'`,
      actor_name: `elt(1 + mod(s.i, 3), 'salma', 'omar', 'nour')`,
    },
    ...{
      key_id: idOf('Y', '1'),
      action: `elt(1 + mod(s.i, 2), 'agent.closed', 'break.commented')`,
      subject: `'agent:' || s.i`,
      detail: `'{}'`,
    },
  });
  await put('webhook_inbox', count, {
    ...{
      id: idOf('W'),
      dedupe_digest: padded('s.i', 64),
      family: `'payment_v2'`,
      proof: `'authentic'`,
      event: `'payment.success'`,
    },
    ...{
      payment_id: `'pay_' || s.i`,
      content: `x'78'`,
      content_digest: padded('s.i', 64),
      received_at: at(count),
      last_received_at: at(count),
    },
    ...{
      times: '1',
      state: `if(mod(s.i, 1000) = 0, 'received', 'done')`,
      available_at: at(count),
      lease_until: '0',
      fencing: '0',
      tries: '1',
    },
  });
  const runs = 2_000;
  await put('recon_runs', runs, {
    ...{
      id: idOf('V'),
      through: `'2026-02-28'`,
      digest: padded('s.i', 64),
      verdict: `'clean'`,
      summary: `'{}'`,
      recorded_at: at(runs),
    },
    recorded_by: `'job:reconcile'`,
  });
}
