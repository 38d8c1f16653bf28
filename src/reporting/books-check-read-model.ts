import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { column, prefixedInSql, type Row, rowCodec, type Session } from '../db';
import { alikeStatements } from './alike-statements';
import { doubledMovements, ONE_ACCOUNT_INVARIANT, rootInSql } from './bank-account-invariants';
import { BREAK_INVARIANTS } from './break-invariants';
import { GATEWAY_ITEM_INVARIANTS } from './gateway-item-invariants';
import type { Invariant } from './invariant';
import { PAYOUT_INVARIANTS } from './payout-invariants';
import { PAYOUT_MARK_INVARIANTS } from './payout-marks';
import { STATEMENT_INVARIANTS } from './statement-invariants';
import { WRITE_OFF_INVARIANTS } from './write-off-invariants';

/** A broken invariant, with the first rows that break it. */
export interface BrokenInvariant {
  readonly name: string;
  readonly rows: readonly Row[];
}

const ROWS_SHOWN_MAX = 20;

// Sums are grouped where they are read: a group over millions of rows of a union is sorted on disk.
// `agent_receivable:` has 17 characters, `service:` 8, `due:` 4, `due-cancel:` 11, `line:` 5, `payout:` 7, `bank:` 5,
// `webhook_mismatch:` and a tracking id 43.
// The sum of `bank_unmatched` excludes write-offs of two people: WRITE_OFF_INVARIANTS state that nothing else is excluded.
const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every posting is positive and between two accounts',
    sql: `select p.transaction_id, p.position, p.amount_millimes from postings p
          where p.amount_millimes <= 0 or p.debit_account = p.credit_account`,
  },
  {
    name: 'only the balances of agents are kept',
    sql: `select b.account, b.balance_millimes from ledger_balances b where b.account not like 'agent_receivable:%'`,
  },
  {
    name: 'every ledger transaction has postings',
    sql: `select t.reference from ledger_transactions t
          where not exists (select 1 from postings p where p.transaction_id = t.id)`,
  },
  {
    name: 'every posting has its ledger transaction',
    sql: `select p.transaction_id from postings p
          where not exists (select 1 from ledger_transactions t where t.id = p.transaction_id)`,
  },
  {
    name: 'no reference stands twice',
    sql: `select t.reference from ledger_transactions t group by t.reference having count(*) > 1`,
  },
  {
    name: "an agent's balance is the sum of its postings",
    sql: `select s.account, s.posted, b.balance_millimes
          from (select m.account, sum(m.amount) as posted
                from (select p.debit_account as account, sum(p.amount_millimes) as amount from postings p
                      where p.debit_account like 'agent_receivable:%' group by p.debit_account
                      union all
                      select p.credit_account, -sum(p.amount_millimes) from postings p
                      where p.credit_account like 'agent_receivable:%' group by p.credit_account) m
                group by m.account) s
          left join ledger_balances b on b.account = s.account
          where coalesce(b.balance_millimes, 0) <> s.posted`,
  },
  {
    name: 'a balance without postings is 0',
    sql: `select b.account, b.balance_millimes from ledger_balances b
          where b.balance_millimes <> 0
            and not exists (select 1 from postings p where p.debit_account = b.account)
            and not exists (select 1 from postings p where p.credit_account = b.account)`,
  },
  {
    name: "an agent's balance is the agent's dues less what was cancelled, confirmed and paid through other channels",
    // Not joined: MariaDB would compare each balance with each sum.
    sql: `select e.account, sum(e.balance) as balance_millimes, sum(e.owed) as total
          from (select b.account, b.balance_millimes as balance, 0 as owed from ledger_balances b
                where b.account like 'agent_receivable:%'
                union all
                select AGENT_OF_DUE, 0, sum(d.amount_millimes) from dues d
                where not exists (select 1 from due_cancellations c where c.reference = d.reference) group by d.agent_id
                union all
                select AGENT_OF_CONFIRM, 0, -sum(c.amount_millimes) from agent_confirmations c group by c.agent_id
                union all
                select AGENT_OF_ITEM, 0, -sum(i.amount_millimes) from gateway_items i
                where i.agent_id is not null group by i.agent_id) e
          group by e.account having sum(e.balance) <> sum(e.owed)`,
  },
  {
    name: 'each confirm has its one ledger transaction, with its agent and amount',
    sql: `select c.transaction_id from agent_confirmations c
          left join ledger_transactions t
            on t.id = c.ledger_transaction_id and t.code = 'agent_payment' and substr(t.reference, 9) = c.transaction_id
          left join postings p
            on p.transaction_id = t.id and p.amount_millimes = c.amount_millimes
            and p.debit_account = 'gateway_clearing:agent' and substr(p.credit_account, 18) = c.agent_id
          where t.id is null or p.transaction_id is null
             or (select count(*) from postings q where q.transaction_id = t.id) <> 1`,
  },
  {
    name: 'each ledger transaction of a confirm has its confirm',
    sql: `select t.reference from ledger_transactions t
          where t.code = 'agent_payment'
            and not exists (select 1 from agent_confirmations c
                            where c.transaction_id = substr(t.reference, 9) and c.ledger_transaction_id = t.id)`,
  },
  {
    name: 'each due has its one ledger transaction',
    sql: `select d.reference from dues d
          left join ledger_transactions t on t.code = 'due_assessed' and t.reference = REF_DUE
          left join postings p on p.transaction_id = t.id and p.amount_millimes = d.amount_millimes
            and p.credit_account = 'dues_assessed' and substr(p.debit_account, 18) = d.agent_id
          where p.transaction_id is null`,
  },
  {
    name: 'each cancelled due has its reversal',
    sql: `select c.reference from due_cancellations c
          left join ledger_transactions t on t.code = 'due_cancelled' and t.reference = REF_CANCELLATION
          left join ledger_transactions o on o.id = t.reverses_id and o.reference = REF_CANCELLED_DUE
          where t.id is null or o.id is null`,
  },
  {
    name: 'each confirm is of a known agent',
    sql: `select c.transaction_id from agent_confirmations c
          where not exists (select 1 from agents a where a.agent_id = c.agent_id)`,
  },
  {
    name: 'each erased agent is closed, has no name and phone, and has its audit record',
    sql: `select a.agent_id from agents a
          where a.erased_at is not null
            and (a.status <> 'closed' or a.full_name <> 'erased' or a.phone <> ''
                 or not exists (select 1 from audit_records r
                                where r.action = 'agent.erased' and r.subject = SUBJECT_OF_AGENT))`,
  },
  ...STATEMENT_INVARIANTS,
  ...PAYOUT_INVARIANTS,
  ...PAYOUT_MARK_INVARIANTS,
  ...GATEWAY_ITEM_INVARIANTS,
  ...WRITE_OFF_INVARIANTS,
  ...BREAK_INVARIANTS,
];

/** The parts of a reference, concatenated in the SQL of each database. */
const REFERENCES: Readonly<Record<string, readonly [prefix: string, column: string]>> = {
  REF_DUE: ['due:', 'd.reference'],
  REF_CANCELLATION: ['due-cancel:', 'c.reference'],
  REF_CANCELLED_DUE: ['due:', 'c.reference'],
  AGENT_OF_DUE: ['agent_receivable:', 'd.agent_id'],
  AGENT_OF_CONFIRM: ['agent_receivable:', 'c.agent_id'],
  REF_LINE_BACK: ['line-back:', 'l.id'],
  REF_LINE: ['line:', 'l.id'],
  BANK_OF_LINE: ['bank:', 'l.account'],
  REF_PAYOUT: ['payout:', 'm.line_id'],
  AGENT_OF_ITEM: ['agent_receivable:', 'i.agent_id'],
  CLEARING_OF_ITEM: ['gateway_clearing:', 'i.channel'],
  CLEARING_OF_FEE: ['gateway_clearing:', 'f.channel'],
  CLEARING_OF_REST: ['gateway_clearing:', 'm.rest_channel'],
  REF_FEE: ['fee:', 'f.item_id'],
  MISMATCH_OF_CODE: ['webhook_mismatch:', 'p.tracking_id'],
  RESOLUTION_OF_BREAK: ['{"resolution":"', 'b.resolution'],
  AMOUNT_OF_BREAK: ['{"amountMillimes":', 'b.amount_millimes'],
  SUBJECT_OF_BREAK: ['break:', 'b.id'],
  SUBJECT_OF_AGENT: ['agent:', 'a.agent_id'],
  SUBJECT_OF_STEP: ['break:', 'e.break_id'],
};

/** Names of bank accounts, each replaced by the account that a person joined it to. */
const ROOTS: Readonly<Record<string, string>> = {
  ROOT_OF_STATEMENT: 's.account',
  ROOT_OF_NEWEST: 'n.account',
  ROOT_OF_OTHER: 'u.account',
  ROOT_OF_LINE: 'l.account',
  ROOT_OF_POSTING: 'x.name',
};

function withRoots(sql: string): string {
  return Object.entries(ROOTS).reduce((text, [word, name]) => text.replaceAll(word, rootInSql(name)), sql);
}

/**
 * The business day at whose start a ledger transaction occurred. Thirteen hours later UTC has the same date, for every
 * time zone from 10 hours behind UTC to 13 hours ahead.
 */
const DAY_OF_POSTING: Readonly<Record<Session['dialect'], string>> = {
  sqlite: "date((t.occurred_at + 46800000) / 1000, 'unixepoch')",
  mariadb: "date_format(timestampadd(second, (t.occurred_at + 46800000) div 1000, '1970-01-01'), '%Y-%m-%d')",
};

const BYTES_INVARIANT = 'the original bytes of each bank file have their sha256';

const FILE = rowCodec({ id: column.text('id'), name: column.text('name'), sha256: column.text('sha256') });
const CHUNK = rowCodec({ content: column.bytes('content') });

/** Checks every invariant of the ledger (docs/adr/0004) and returns the broken ones. */
export async function brokenInvariants(session: Session): Promise<BrokenInvariant[]> {
  const broken: BrokenInvariant[] = [];
  for (const { name, sql } of INVARIANTS) {
    const rows = await session.raw(withReferences(withRoots(sql), session.dialect));
    if (rows.length > 0) broken.push({ name, rows: rows.slice(0, ROWS_SHOWN_MAX) });
  }
  const doubled = [...(await doubledMovements(session)), ...(await alikeStatements(session))];
  if (doubled.length > 0) broken.push({ name: ONE_ACCOUNT_INVARIANT, rows: doubled.slice(0, ROWS_SHOWN_MAX) });
  const damaged = await damagedFiles(session);
  if (damaged.length > 0) broken.push({ name: BYTES_INVARIANT, rows: damaged.slice(0, ROWS_SHOWN_MAX) });
  return broken;
}

export const INVARIANT_COUNT = INVARIANTS.length + 2;

/** Reads one file at a time, so that memory holds at most one. */
async function damagedFiles(session: Session): Promise<Row[]> {
  const files = await FILE.all(
    session('statement_files as f')
      .join('statement_loads as w', 'w.file_id', 'f.id')
      .select(FILE.columns('f'))
      .whereNot('w.state', 'loading')
      .orderBy('f.id'),
  );
  const damaged: Row[] = [];
  for (const { id, name, sha256 } of files) {
    const chunks = await CHUNK.all(
      session('statement_file_chunks as c').select(CHUNK.columns('c')).where('c.file_id', id).orderBy('c.position'),
    );
    if (digestOf(chunks) !== sha256) damaged.push({ file: id, name });
  }
  return damaged;
}

function digestOf(chunks: readonly { readonly content: Buffer }[]): string | undefined {
  try {
    const hash = createHash('sha256');
    for (const { content } of chunks) hash.update(gunzipSync(content));
    return hash.digest('hex');
  } catch {
    return undefined; // not in the format of gzip
  }
}

function withReferences(sql: string, dialect: Session['dialect']): string {
  return Object.entries(REFERENCES).reduce(
    (text, [word, [prefix, column]]) => text.replaceAll(word, prefixedInSql(dialect, prefix, column)),
    sql.replaceAll('DAY_OF_POSTING', DAY_OF_POSTING[dialect]),
  );
}
