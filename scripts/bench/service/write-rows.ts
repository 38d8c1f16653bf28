// The upper limit of the database, as a process of its own: writes the rows of confirms as multi-row inserts, 64 confirms
// a transaction, and prints how many it wrote. CEILING_DATABASE_URL, CEILING_AGENTS and CEILING_SECONDS are required.
import { sqliteDriver } from '../../../src/db';
import { newId, sha256Hex } from '../../../src/kernel';
import { openConnection, run } from '../bench-server';

const CONFIRMS_PER_TRANSACTION = 64;
const CONNECTIONS = 2;
const AMOUNT_MILLIMES = 1_000;
const MS_PER_SECOND = 1_000;
const TABLES = {
  agent_confirmations:
    'transaction_id, agent_id, amount_millimes, fingerprint, attempt_id, balance_before_millimes, ' +
    'followed_unavailable, token_sub, token_jti, received_at, recorded_at, ledger_transaction_id',
  ledger_transactions: 'id, reference, code, occurred_at, recorded_at, recorded_by',
  postings: 'transaction_id, position, debit_account, credit_account, amount_millimes',
  ledger_balances: 'account, balance_millimes',
} as const;

type Table = keyof typeof TABLES;
type Values = readonly (string | number)[];
type Rows = Readonly<Record<Table, readonly Values[]>>;
type Write = (rows: Rows) => Promise<void>;

const { CEILING_DATABASE_URL: url = '', CEILING_AGENTS, CEILING_SECONDS } = process.env;

void main();

async function main(): Promise<void> {
  const writers = await openWriters();
  const startedAt = performance.now();
  const until = startedAt + Number(CEILING_SECONDS) * MS_PER_SECOND;
  const written = await Promise.all(writers.map((write, index) => writeUntil(until, write, index, writers.length)));
  const confirms = written.reduce((sum, each) => sum + each, 0);
  console.log(JSON.stringify({ confirms, tookMs: performance.now() - startedAt }));
  process.exit();
}

async function writeUntil(until: number, write: Write, index: number, writers: number): Promise<number> {
  let confirms = 0;
  while (performance.now() < until) {
    await write(rowsOf(index, writers));
    confirms += CONFIRMS_PER_TRANSACTION;
  }
  return confirms;
}

/** Returns the rows of new confirms. Writers have different agents, so that none waits for the other. */
function rowsOf(index: number, writers: number): Rows {
  const share = Math.max(1, Math.floor(Number(CEILING_AGENTS) / writers));
  const confirms = Array.from({ length: CONFIRMS_PER_TRANSACTION }, () => {
    const number = Math.floor(Math.random() * share) * writers + index + 1;
    return { id: newId(), agentId: `A${String(number).padStart(7, '0')}`, at: Date.now() };
  });
  return {
    agent_confirmations: confirms.map(({ id, agentId, at }) => [
      ...[`ceiling-${id}`, agentId, AMOUNT_MILLIMES, sha256Hex(id), id],
      ...[0, 0, 'gateway', id, at, at, id],
    ]),
    ledger_transactions: confirms.map(({ id, at }) => [
      id,
      `service:ceiling-${id}`,
      'agent_payment',
      at,
      at,
      'gateway',
    ]),
    postings: confirms.map(({ id, agentId }) => [
      ...[id, 1, 'gateway_clearing:agent', `agent_receivable:${agentId}`, AMOUNT_MILLIMES],
    ]),
    ledger_balances: confirms.map(({ agentId }) => [`agent_receivable:${agentId}`, -AMOUNT_MILLIMES]),
  };
}

async function openWriters(): Promise<Write[]> {
  if (url.startsWith('sqlite:')) return [sqliteWriter(url.slice('sqlite:'.length))];
  return Promise.all(Array.from({ length: CONNECTIONS }, mariaDbWriter));
}

async function mariaDbWriter(): Promise<Write> {
  const connection = await openConnection(url);
  return async (rows) => {
    await run(connection, 'start transaction');
    for (const [table, columns] of tables()) {
      const change =
        table === 'ledger_balances'
          ? 'on duplicate key update balance_millimes = balance_millimes + values(balance_millimes)'
          : '';
      await run(connection, `insert into ${table} (${columns}) values ? ${change}`, [rows[table]]);
    }
    await run(connection, 'commit');
  };
}

function sqliteWriter(file: string): Write {
  const database = new (sqliteDriver())(file);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const inserts = tables().map(([table, columns]) => {
    const row = `(${columns.replaceAll(/\w+/g, '?')})`;
    const change =
      table === 'ledger_balances'
        ? 'on conflict (account) do update set balance_millimes = balance_millimes + excluded.balance_millimes'
        : '';
    const values = Array<string>(CONFIRMS_PER_TRANSACTION).fill(row).join(', ');
    return { table, insert: database.prepare(`insert into ${table} (${columns}) values ${values} ${change}`) };
  });
  const transact = database.transaction((rows: Rows) => {
    for (const { table, insert } of inserts) insert.run(rows[table].flat());
  });
  return async (rows) => transact.immediate(rows);
}

function tables(): [Table, string][] {
  return Object.entries(TABLES) as [Table, string][];
}
