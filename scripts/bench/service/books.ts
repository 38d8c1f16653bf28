// SQL that fills a database. MariaDB (with PIPES_AS_CONCAT) and SQLite read the same text, except for a sequence.
import type { DatabaseKind, ServiceDatabase } from './service-database';

const ROWS_PER_STATEMENT = 100_000;
const AMOUNT_MILLIMES = 1_000;
/** 2025-01-01 in UTC, so that filled confirms are older than measured ones. One confirm follows each second. */
const FIRST_AT = Date.UTC(2025, 0, 1);
const MS_PER_CONFIRM = 1_000;

/** Stores agents `A0000001` and following, each with a balance of 0, as after a first due that was paid. */
export async function putAgents(database: ServiceDatabase, agents: number): Promise<void> {
  const agent = `'A' || ${padded('s.i + 1', 7)}`;
  await inPages(database.kind, agents, async (sequence) => {
    await database.rows(
      `insert into agents (agent_id, full_name, phone, status, created_at, updated_at, recorded_by)
       select ${agent}, 'Agent ' || ${padded('s.i + 1', 7)}, '', 'open', ${FIRST_AT}, ${FIRST_AT}, 'bench' from ${sequence}`,
    );
    await database.rows(
      `insert into ledger_balances (account, balance_millimes) select 'agent_receivable:' || ${agent}, 0 from ${sequence}`,
    );
  });
}

/**
 * Stores confirms with their ledger transactions, postings and balances, as Millime stores them. The confirms of one
 * agent follow each other, so that every index grows at one end and filling stays fast.
 */
export async function fillBooks(database: ServiceDatabase, agents: number, postings: number): Promise<void> {
  if (postings === 0) return;
  const perAgent = Math.ceil(postings / agents);
  const rank = `s.i % ${perAgent}`;
  const agent = `'A' || ${padded(`floor((s.i - ${rank}) / ${perAgent}) + 1`, 7)}`;
  const id = `'00' || ${padded('s.i', 24)}`;
  const at = `${FIRST_AT} + s.i * ${MS_PER_CONFIRM}`;
  await inPages(database.kind, postings, async (sequence) => {
    await database.rows(
      `insert into agent_confirmations (transaction_id, agent_id, amount_millimes, fingerprint, attempt_id,
         balance_before_millimes, followed_unavailable, token_sub, token_jti, received_at, recorded_at,
         ledger_transaction_id)
       select 'filled-' || ${padded('s.i', 9)}, ${agent}, ${AMOUNT_MILLIMES}, ${padded('s.i', 64)}, ${id},
         -(${rank}) * ${AMOUNT_MILLIMES}, 0, 'gateway', 'bench', ${at}, ${at}, ${id} from ${sequence}`,
    );
    await database.rows(
      `insert into ledger_transactions (id, reference, code, occurred_at, recorded_at, recorded_by)
       select ${id}, 'service:filled-' || ${padded('s.i', 9)}, 'agent_payment', ${at}, ${at}, 'gateway'
       from ${sequence}`,
    );
    await database.rows(
      `insert into postings (transaction_id, position, debit_account, credit_account, amount_millimes)
       select ${id}, 1, 'gateway_clearing:agent', 'agent_receivable:' || ${agent}, ${AMOUNT_MILLIMES} from ${sequence}`,
    );
  });
  await database.rows(
    `update ledger_balances set balance_millimes = -${AMOUNT_MILLIMES} *
       (select count(*) from postings p where p.credit_account = ledger_balances.account)`,
  );
}

/** Creates the tables of the plain app with the agents of Millime. */
export async function createPlainTables(database: ServiceDatabase): Promise<void> {
  const id = database.kind === 'sqlite' ? 'integer primary key' : 'bigint auto_increment primary key';
  await database.rows('create table plain_agents (agent_id varchar(255) primary key, full_name varchar(255) not null)');
  await database.rows('create table plain_balances (agent_id varchar(255) primary key, balance bigint not null)');
  await database.rows(
    `create table plain_confirmations (transaction_id varchar(255) primary key, agent_id varchar(255) not null,
       amount bigint not null, received_at bigint not null)`,
  );
  await database.rows(
    `create table plain_transactions (id ${id}, reference varchar(255) not null unique, recorded_at bigint not null)`,
  );
  await database.rows(
    `create table plain_postings (id ${id}, transaction_id bigint not null, debit_account varchar(255) not null,
       credit_account varchar(255) not null, amount bigint not null)`,
  );
  await database.rows('create index plain_postings_transaction on plain_postings (transaction_id)');
  await database.rows('insert into plain_agents select agent_id, full_name from agents');
  await database.rows('insert into plain_balances select agent_id, 0 from agents');
}

/** Calls `insert` with one part of the sequence 0, 1, … after the other, as a table `s` with the column `i`. */
async function inPages(kind: DatabaseKind, count: number, insert: (sequence: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const until = Math.min(from + ROWS_PER_STATEMENT, count) - 1;
    await insert(
      kind === 'mariadb'
        ? `(select seq as i from seq_${from}_to_${until}) s`
        : `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${until}) select i from n) s`,
    );
  }
}

function padded(number: string, width: number): string {
  return `substr('${'0'.repeat(width)}' || (${number}), -${width})`;
}
