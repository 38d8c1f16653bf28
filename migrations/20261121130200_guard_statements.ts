import type { MigrationTools } from '../src/db';

const KEPT_STATEMENT = keptStatement('old.statement_id');
// It came with its line or with its pending entry, so it goes with whichever is being loaded.
const KEPT_REPLACEMENT =
  `${keptStatement('(select statement_id from bank_statement_lines where id = old.line_id)')} and ` +
  keptStatement('(select statement_id from pending_entries where id = old.pending_id)');

/** No row changes once its file is loaded, and only the rows of a file that is still being loaded may be removed. */
export async function up({ appendOnly, guardRows }: MigrationTools): Promise<void> {
  await guardRows('statement_loads', {
    // Else a file that is imported could be made one that is loading, and be removed.
    refuseUpdateWhen: `new.file_id <> old.file_id or (new.state = 'loading' and old.state <> 'loading')`,
    refuseDeleteWhen: `old.state <> 'loading'`,
  });
  await guardRows('statement_files', { refuseDeleteWhen: keptFile('old.id') });
  await guardRows('statement_file_chunks', { refuseDeleteWhen: keptFile('old.file_id') });
  // A large file is read once: what it says of a statement as a whole is known after its lines.
  await guardRows('bank_statements', {
    refuseUpdateWhen: keptFile('old.file_id'),
    refuseDeleteWhen: keptFile('old.file_id'),
  });
  await guardRows('bank_statement_lines', { refuseDeleteWhen: KEPT_STATEMENT });
  await guardRows('statement_line_repeats', { refuseDeleteWhen: KEPT_STATEMENT });
  await guardRows('pending_entries', { refuseDeleteWhen: KEPT_STATEMENT });
  await guardRows('pending_replacements', { refuseDeleteWhen: KEPT_REPLACEMENT });
  for (const table of ['statement_holds', 'statement_acceptances']) await appendOnly(table);
}

/** The other tables are dropped by the migration that made them. */
export async function down({ guardRows }: MigrationTools): Promise<void> {
  for (const table of ['statement_files', 'statement_file_chunks']) await guardRows(table, {});
}

function keptFile(fileId: string): string {
  return `exists (select 1 from statement_loads where file_id = ${fileId} and state <> 'loading')`;
}

function keptStatement(statementId: string): string {
  return (
    'exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id ' +
    `where s.id = ${statementId} and l.state <> 'loading')`
  );
}
