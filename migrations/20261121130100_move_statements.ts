import { createHash } from 'node:crypto';
import type { MigrationTools } from '../src/db';

type Row = Readonly<Record<string, unknown>>;

interface MovedStatement {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  readonly sequence: number;
}

/** What was imported before moves to the tables of today, with its ids: the ledger knows a line by its id. */
export async function up(tools: MigrationTools): Promise<void> {
  const { renameTable, dropTable } = tools;
  // First of all: an import by the version before ends before this, or fails, and cannot add a row that is left behind.
  await renameTable('statements', 'old_statements');
  await renameTable('statement_lines', 'old_statement_lines');
  await addLoads(tools);
  const statements = await moveStatements(tools);
  await moveLines(tools, statements);
  await dropTable('old_statement_lines');
  await dropTable('old_statements');
}

/** Nothing moves back: the old tables are made again, empty. For tests; a production database is never rolled back. */
export async function down({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('statements', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('file_id').notNullable();
    t.outsideId('account').notNullable();
    t.count('sequence').notNullable();
    t.code('currency').notNullable();
    t.code('verdict').notNullable();
    t.millimes('opening_millimes').notNullable();
    t.millimes('closing_millimes').notNullable();
    t.millimes('credits_millimes').notNullable();
    t.millimes('debits_millimes').notNullable();
    t.count('entries').notNullable();
    t.businessDate('first_date');
    t.businessDate('last_date');
    t.keys.unique(['account', 'sequence'], { indexName: 'statements_chain' });
    t.keys.foreign('file_id', 'statements_file').references('id').inTable('statement_files');
  });
  await createTable('statement_lines', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('statement_id').notNullable();
    t.count('position').notNullable();
    t.outsideId('account').notNullable();
    t.businessDate('booking_date').notNullable();
    t.businessDate('value_date');
    t.millimes('amount_millimes').notNullable();
    t.text('counterparty').notNullable();
    t.text('remittance').notNullable();
    t.text('bank_reference').notNullable();
    t.flag('payout_candidate').notNullable();
    t.millimes('balance_after_millimes');
    t.longText('raw').notNullable();
    t.keys.unique(['statement_id', 'position'], { indexName: 'statement_lines_position' });
    t.keys.index(['payout_candidate', 'booking_date'], 'statement_lines_candidates');
    t.keys.foreign('statement_id', 'statement_lines_statement').references('id').inTable('statements');
  });
  for (const table of ['statements', 'statement_lines']) await appendOnly(table);
}

/** Every file of before was stored and posted in one transaction. */
async function addLoads({ copyRows }: MigrationTools): Promise<void> {
  await copyRows('statement_files', 'statement_loads', {
    key: ['id'],
    id: 'file_id',
    convert: (file) => ({
      file_id: file['id'],
      state: 'posted',
      slot: null,
      lease_until: 0,
      started_at: file['imported_at'],
    }),
  });
}

async function moveStatements({ copyRows }: MigrationTools): Promise<MovedStatement[]> {
  const moved: MovedStatement[] = [];
  let fileId: unknown;
  let position = 0;
  await copyRows('old_statements', 'bank_statements', {
    // A file with several accounts has one of each sequence for each of them.
    key: ['file_id', 'sequence', 'account'],
    id: 'id',
    convert: (row) => {
      position = row['file_id'] === fileId ? position + 1 : 1;
      fileId = row['file_id'];
      moved.push({
        id: String(row['id']),
        account: String(row['account']),
        currency: String(row['currency']),
        sequence: Number(row['sequence']),
      });
      return bankStatement(row, position);
    },
  });
  // In the order of the bank, for the lines.
  return moved.sort((a, b) => (a.account === b.account ? a.sequence - b.sequence : a.account < b.account ? -1 : 1));
}

function bankStatement(row: Row, position: number): Row {
  const amounts = {
    opening_minor: Number(row['opening_millimes']),
    closing_minor: Number(row['closing_millimes']),
    credits_minor: Number(row['credits_millimes']),
    debits_minor: Number(row['debits_millimes']),
  };
  const entries = Number(row['entries']);
  const number = '';
  return {
    id: row['id'],
    file_id: row['file_id'],
    position,
    kind: 'statement',
    account: row['account'],
    currency: row['currency'],
    bank_id: '',
    number,
    verdict: row['verdict'],
    ...amounts,
    entries,
    pending_entries: 0,
    from_date: null,
    through_date: null,
    first_date: row['first_date'],
    last_date: row['last_date'],
    fingerprint: digestOf([
      row['account'],
      row['currency'],
      amounts.opening_minor,
      amounts.closing_minor,
      amounts.credits_minor,
      amounts.debits_minor,
      entries,
      row['first_date'],
      row['last_date'],
      number,
    ]),
    notes: null,
  };
}

async function moveLines({ copyRows }: MigrationTools, statements: readonly MovedStatement[]): Promise<void> {
  let account: string | undefined;
  let occurrences = new Map<string, number>();
  for (const statement of statements) {
    // Equal lines are counted within an account.
    if (statement.account !== account) occurrences = new Map();
    account = statement.account;
    await copyRows('old_statement_lines', 'bank_statement_lines', {
      key: ['position'],
      where: { statement_id: statement.id },
      id: 'id',
      convert: (row) => {
        const basis = basisOf(row);
        const key = digestOf(basis);
        const occurrence = (occurrences.get(key) ?? 0) + 1;
        occurrences.set(key, occurrence);
        return bankStatementLine(row, statement, digestOf([row['account'], statement.currency, basis, occurrence]));
      },
    });
  }
}

function bankStatementLine(row: Row, { currency }: MovedStatement, identity: string): Row {
  return {
    id: row['id'],
    statement_id: row['statement_id'],
    position: row['position'],
    file_line: null,
    account: row['account'],
    currency,
    booking_date: row['booking_date'],
    value_date: row['value_date'],
    amount_minor: row['amount_millimes'],
    counterparty: row['counterparty'],
    counterparty_account: '',
    remittance: row['remittance'],
    bank_reference: row['bank_reference'],
    end_to_end_id: '',
    transaction_code: '',
    details: null,
    payout_candidate: row['payout_candidate'],
    balance_after_minor: row['balance_after_millimes'],
    identity,
    raw: row['raw'],
  };
}

/** What a line shows in every file that holds it: the bank's reference, or else all that it says. */
function basisOf(row: Row): unknown[] {
  const amountMinor = Number(row['amount_millimes']);
  if (row['bank_reference'] !== '') return ['reference', row['bank_reference'], row['booking_date'], amountMinor];
  return ['content', row['booking_date'], row['value_date'], amountMinor, row['counterparty'], row['remittance']];
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
