import type { MigrationTools } from '../src/db';

/** A match holds its line and its items until it is taken back, and that is on record first. */
const STILL_MATCHED = 'not exists (select 1 from payout_unmatches u where u.match_id = old.match_id)';

/** Matches that can be undone: what was matched stays as it was written, who holds a line or an item now is apart. */
export async function up({ createTable, appendOnly, guardRows }: MigrationTools): Promise<void> {
  // One row each time that a credit was explained: by a run, or by a person.
  await createTable('payout_matches', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('line_id').notNullable();
    // Null when a person matched it.
    t.ulid('run_id');
    t.code('kind').notNullable(); // inferred | forced
    t.code('model');
    t.code('stream');
    t.code('evidence').notNullable();
    t.millimes('gross_millimes').notNullable();
    t.millimes('fee_millimes').notNullable();
    t.millimes('tva_millimes').notNullable();
    // Gross less fee and TVA plus this is the amount of the line; 0 unless a person forced what does not fit.
    t.millimes('remainder_millimes').notNullable();
    // The channel that bears what no item has: a fee of the payout as a whole, and the remainder.
    t.code('rest_channel').notNullable();
    // A probability as it was printed; null when no engine said one.
    t.code('claimed_error');
    t.instant('cut_after');
    t.instant('cut_until');
    t.ulid('ledger_transaction_id').notNullable();
    t.text('reason');
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
    // The second person, when the amounts did not fit.
    t.text('approved_by');
    t.keys.index(['line_id'], 'payout_matches_line');
    t.keys.index(['recorded_at'], 'payout_matches_recorded');
  });
  await createTable('payout_match_items', (t) => {
    t.ulid('match_id').notNullable();
    t.reference('item_id').notNullable();
    t.code('channel').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.millimes('fee_millimes').notNullable();
    t.millimes('tva_millimes').notNullable();
    t.code('evidence').notNullable();
    t.keys.primary(['match_id', 'item_id']);
    t.keys.index(['item_id'], 'payout_match_items_item');
  });
  // A payout that the bank took back and that came again: the two lines beside the one that is matched.
  await createTable('payout_match_returns', (t) => {
    t.ulid('match_id').notNullable().primary();
    t.ulid('credit_line_id').notNullable();
    t.ulid('debit_line_id').notNullable();
  });
  // Who holds a line now. The key decides which of two runs at once may match it; unmatching deletes the row.
  await createTable('payout_claimed_lines', (t) => {
    t.ulid('line_id').notNullable().primary();
    t.ulid('match_id').notNullable();
    t.keys.index(['match_id'], 'payout_claimed_lines_match');
  });
  // An item is paid once.
  await createTable('payout_claimed_items', (t) => {
    t.reference('item_id').notNullable().primary();
    t.ulid('match_id').notNullable();
    t.keys.index(['match_id'], 'payout_claimed_items_match');
  });
  await createTable('payout_unmatches', (t) => {
    t.ulid('match_id').notNullable().primary();
    t.code('kind').notNullable(); // returned | unmatched
    // The debit that took the money back; null when a person unmatched it.
    t.ulid('debit_line_id');
    t.ulid('run_id');
    t.text('reason').notNullable();
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  // What the gateway keeps, as a run learned it from the credits.
  await createTable('payout_fee_schedules', (t) => {
    t.ulid('id').notNullable().primary();
    t.longText('rules').notNullable();
    t.ulid('run_id').notNullable();
    // The ids of the credits that it was learned from, as JSON, and their days.
    t.longText('credits').notNullable();
    t.businessDate('first_date');
    t.businessDate('last_date');
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  await createTable('payout_fee_confirmations', (t) => {
    t.ulid('schedule_id').notNullable().primary();
    t.instant('confirmed_at').notNullable();
    t.text('confirmed_by').notNullable();
    t.text('reason').notNullable();
    t.keys.foreign('schedule_id', 'payout_fee_confirmations_schedule').references('id').inTable('payout_fee_schedules');
  });
  // What a run knew, so that it can be repeated to the same answer.
  await createTable('recon_run_inputs', (t) => {
    t.ulid('run_id').notNullable().primary();
    // The highest recorded_at that it saw.
    t.instant('known_until').notNullable();
    // Of fees, calendar, profiles and the version of the engine.
    t.digest('settings_digest').notNullable();
    // Of what the engine was given, and of what it said.
    t.digest('request_digest').notNullable();
    t.digest('answer_digest').notNullable();
    t.code('engine_version').notNullable();
    // The fee rules that it was given; null when it had to learn them.
    t.longText('fees');
    t.flag('fees_confirmed').notNullable();
    t.code('error_max').notNullable();
    t.businessDate('horizon').notNullable();
    t.keys.foreign('run_id', 'recon_run_inputs_run').references('id').inTable('recon_runs');
  });
  for (const table of [
    ...['payout_matches', 'payout_match_items', 'payout_match_returns', 'payout_unmatches'],
    ...['payout_fee_schedules', 'payout_fee_confirmations', 'recon_run_inputs'],
  ]) {
    await appendOnly(table);
  }
  for (const table of ['payout_claimed_lines', 'payout_claimed_items']) {
    await guardRows(table, { refuseDeleteWhen: STILL_MATCHED });
  }
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of [
    ...['recon_run_inputs', 'payout_fee_confirmations', 'payout_fee_schedules', 'payout_unmatches'],
    ...['payout_claimed_items', 'payout_claimed_lines', 'payout_match_returns', 'payout_match_items', 'payout_matches'],
  ]) {
    await dropTable(table);
  }
}
