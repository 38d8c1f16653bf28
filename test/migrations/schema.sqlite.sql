CREATE TABLE `agent_confirmations` (`transaction_id` text not null,
  `agent_id` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `fingerprint` text not null,
  `attempt_id` text not null,
  `balance_before_millimes` bigint check (typeof("balance_before_millimes") in ('integer', 'null')) not null,
  `followed_unavailable` bigint check (typeof("followed_unavailable") in ('integer', 'null') and ("followed_unavailable" is null or "followed_unavailable" in (0, 1))) not null,
  `token_sub` text not null,
  `token_jti` text not null,
  `received_at` bigint check (typeof("received_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `ledger_transaction_id` text not null, primary key (`transaction_id`));

CREATE INDEX `agent_confirmations_agent` on `agent_confirmations` (`agent_id`, `received_at`);

CREATE INDEX `agent_confirmations_received` on `agent_confirmations` (`received_at`, `transaction_id`);

CREATE TRIGGER `agent_confirmations_no_delete` before delete on `agent_confirmations` begin select raise(abort, 'agent_confirmations is append-only'); end;

CREATE TRIGGER `agent_confirmations_no_update` before update on `agent_confirmations` begin select raise(abort, 'agent_confirmations is append-only'); end;

CREATE TABLE `agents` (`agent_id` text not null,
  `full_name` text not null,
  `phone` text not null,
  `status` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `updated_at` bigint check (typeof("updated_at") in ('integer', 'null')) not null,
  `closed_at` bigint check (typeof("closed_at") in ('integer', 'null')),
  `recorded_by` text not null, primary key (`agent_id`));

CREATE TABLE `api_key_revocations` (`key_id` text not null,
  `revoked_at` bigint check (typeof("revoked_at") in ('integer', 'null')) not null,
  `reason` text not null,
  `recorded_by` text not null, primary key (`key_id`));

CREATE TRIGGER `api_key_revocations_no_delete` before delete on `api_key_revocations` begin select raise(abort, 'api_key_revocations is append-only'); end;

CREATE TRIGGER `api_key_revocations_no_update` before update on `api_key_revocations` begin select raise(abort, 'api_key_revocations is append-only'); end;

CREATE TABLE `api_keys` (`id` text not null,
  `name` text not null,
  `scopes` text not null,
  `secret_hash` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')),
  `recorded_by` text not null, primary key (`id`));

CREATE TRIGGER `api_keys_no_delete` before delete on `api_keys` begin select raise(abort, 'api_keys is append-only'); end;

CREATE TRIGGER `api_keys_no_update` before update on `api_keys` begin select raise(abort, 'api_keys is append-only'); end;

CREATE TABLE `audit_records` (`id` text not null,
  `at` bigint check (typeof("at") in ('integer', 'null')) not null,
  `actor_kind` text not null,
  `actor_name` text not null,
  `key_id` text,
  `action` text not null,
  `subject` text not null,
  `detail` text not null, primary key (`id`));

CREATE INDEX `audit_records_at` on `audit_records` (`at`, `id`);

CREATE INDEX `audit_records_subject` on `audit_records` (`subject`);

CREATE TRIGGER `audit_records_no_delete` before delete on `audit_records` begin select raise(abort, 'audit_records is append-only'); end;

CREATE TRIGGER `audit_records_no_update` before update on `audit_records` begin select raise(abort, 'audit_records is append-only'); end;

CREATE TABLE `confirm_refusals` (`id` text not null,
  `fingerprint` text not null,
  `kind` text not null,
  `transaction_id` text,
  `raw_body` text not null,
  `first_at` bigint check (typeof("first_at") in ('integer', 'null')) not null,
  `last_at` bigint check (typeof("last_at") in ('integer', 'null')) not null,
  `times` bigint check (typeof("times") in ('integer', 'null')) not null,
  `last_attempt_id` text not null,
  `token_sub` text not null,
  `token_jti` text not null, primary key (`id`));

CREATE UNIQUE INDEX `confirm_refusals_call` on `confirm_refusals` (`fingerprint`, `kind`);

CREATE INDEX `confirm_refusals_transaction` on `confirm_refusals` (`transaction_id`);

CREATE TABLE `due_cancellations` (`reference` text not null,
  `reason` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`reference`));

CREATE TRIGGER `due_cancellations_no_delete` before delete on `due_cancellations` begin select raise(abort, 'due_cancellations is append-only'); end;

CREATE TRIGGER `due_cancellations_no_update` before update on `due_cancellations` begin select raise(abort, 'due_cancellations is append-only'); end;

CREATE TABLE `dues` (`reference` text not null,
  `agent_id` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `due_date` text not null,
  `memo` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`reference`));

CREATE INDEX `dues_agent` on `dues` (`agent_id`, `due_date`);

CREATE TRIGGER `dues_no_delete` before delete on `dues` begin select raise(abort, 'dues is append-only'); end;

CREATE TRIGGER `dues_no_update` before update on `dues` begin select raise(abort, 'dues is append-only'); end;

CREATE TABLE `gateway_budget` (`budget_key` text not null,
  `value` text not null,
  `version` bigint check (typeof("version") in ('integer', 'null')) not null,
  `keep_until` bigint check (typeof("keep_until") in ('integer', 'null')) not null, primary key (`budget_key`));

CREATE INDEX `gateway_budget_keep_until` on `gateway_budget` (`keep_until`);

CREATE TABLE `job_runs` (`name` text not null,
  `window_at` bigint check (typeof("window_at") in ('integer', 'null')) not null,
  `status` text not null,
  `fencing` bigint check (typeof("fencing") in ('integer', 'null')) not null,
  `lease_until` bigint check (typeof("lease_until") in ('integer', 'null')) not null,
  `started_at` bigint check (typeof("started_at") in ('integer', 'null')) not null,
  `finished_at` bigint check (typeof("finished_at") in ('integer', 'null')),
  `error` text not null, primary key (`name`,
  `window_at`));

CREATE TABLE `ledger_balances` (`account` text not null,
  `balance_millimes` bigint check (typeof("balance_millimes") in ('integer', 'null')) not null, primary key (`account`));

CREATE TABLE `ledger_transactions` (`id` text not null,
  `reference` text not null,
  `code` text not null,
  `occurred_at` bigint check (typeof("occurred_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `reverses_id` text,
  `recorded_by` text not null, primary key (`id`));

CREATE INDEX `ledger_transactions_recorded` on `ledger_transactions` (`recorded_at`);

CREATE UNIQUE INDEX `ledger_transactions_reference` on `ledger_transactions` (`reference`);

CREATE UNIQUE INDEX `ledger_transactions_reverses` on `ledger_transactions` (`reverses_id`);

CREATE TRIGGER `ledger_transactions_no_delete` before delete on `ledger_transactions` begin select raise(abort, 'ledger_transactions is append-only'); end;

CREATE TRIGGER `ledger_transactions_no_update` before update on `ledger_transactions` begin select raise(abort, 'ledger_transactions is append-only'); end;

CREATE TABLE `postings` (`transaction_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `debit_account` text not null,
  `credit_account` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null, constraint `postings_transaction` foreign key(`transaction_id`) references `ledger_transactions`(`id`), primary key (`transaction_id`,
  `position`));

CREATE INDEX `postings_credit` on `postings` (`credit_account`, `transaction_id`);

CREATE INDEX `postings_debit` on `postings` (`debit_account`, `transaction_id`);

CREATE TRIGGER `postings_no_delete` before delete on `postings` begin select raise(abort, 'postings is append-only'); end;

CREATE TRIGGER `postings_no_update` before update on `postings` begin select raise(abort, 'postings is append-only'); end;

CREATE TABLE `recon_break_events` (`break_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `kind` text not null,
  `actor` text not null,
  `at` bigint check (typeof("at") in ('integer', 'null')) not null,
  `detail` text not null, constraint `recon_break_events_break` foreign key(`break_id`) references `recon_breaks`(`id`), primary key (`break_id`,
  `position`));

CREATE TRIGGER `recon_break_events_no_delete` before delete on `recon_break_events` begin select raise(abort, 'recon_break_events is append-only'); end;

CREATE TRIGGER `recon_break_events_no_update` before update on `recon_break_events` begin select raise(abort, 'recon_break_events is append-only'); end;

CREATE TABLE `recon_breaks` (`id` text not null,
  `fingerprint` text not null,
  `class` text not null,
  `status` text not null,
  `since` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')),
  `subject` text not null,
  `opened_at` bigint check (typeof("opened_at") in ('integer', 'null')) not null,
  `updated_at` bigint check (typeof("updated_at") in ('integer', 'null')) not null,
  `resolved_at` bigint check (typeof("resolved_at") in ('integer', 'null')),
  `resolution` text, primary key (`id`));

CREATE UNIQUE INDEX `recon_breaks_fingerprint` on `recon_breaks` (`fingerprint`);

CREATE INDEX `recon_breaks_status` on `recon_breaks` (`status`, `since`);

CREATE TABLE `recon_match_items` (`item_id` text not null,
  `line_id` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null, primary key (`item_id`));

CREATE INDEX `recon_match_items_line` on `recon_match_items` (`line_id`);

CREATE TRIGGER `recon_match_items_no_delete` before delete on `recon_match_items` begin select raise(abort, 'recon_match_items is append-only'); end;

CREATE TRIGGER `recon_match_items_no_update` before update on `recon_match_items` begin select raise(abort, 'recon_match_items is append-only'); end;

CREATE TABLE `recon_matches` (`line_id` text not null,
  `run_id` text not null,
  `model` text not null,
  `evidence` text not null,
  `gross_millimes` bigint check (typeof("gross_millimes") in ('integer', 'null')) not null,
  `cut_after` bigint check (typeof("cut_after") in ('integer', 'null')) not null,
  `cut_until` bigint check (typeof("cut_until") in ('integer', 'null')),
  `ledger_transaction_id` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null, primary key (`line_id`));

CREATE TRIGGER `recon_matches_no_delete` before delete on `recon_matches` begin select raise(abort, 'recon_matches is append-only'); end;

CREATE TRIGGER `recon_matches_no_update` before update on `recon_matches` begin select raise(abort, 'recon_matches is append-only'); end;

CREATE TABLE `recon_runs` (`id` text not null,
  `through` text not null,
  `digest` text not null,
  `verdict` text not null,
  `summary` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`id`));

CREATE INDEX `recon_runs_recorded` on `recon_runs` (`recorded_at`);

CREATE TRIGGER `recon_runs_no_delete` before delete on `recon_runs` begin select raise(abort, 'recon_runs is append-only'); end;

CREATE TRIGGER `recon_runs_no_update` before update on `recon_runs` begin select raise(abort, 'recon_runs is append-only'); end;

CREATE TABLE `service_token_revocations` (`jti` text not null,
  `revoked_at` bigint check (typeof("revoked_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`jti`));

CREATE TRIGGER `service_token_revocations_no_delete` before delete on `service_token_revocations` begin select raise(abort, 'service_token_revocations is append-only'); end;

CREATE TRIGGER `service_token_revocations_no_update` before update on `service_token_revocations` begin select raise(abort, 'service_token_revocations is append-only'); end;

CREATE TABLE `service_tokens` (`jti` text not null,
  `subject` text not null,
  `kid` text not null,
  `alg` text not null,
  `issued_at` bigint check (typeof("issued_at") in ('integer', 'null')) not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`jti`));

CREATE TRIGGER `service_tokens_no_delete` before delete on `service_tokens` begin select raise(abort, 'service_tokens is append-only'); end;

CREATE TRIGGER `service_tokens_no_update` before update on `service_tokens` begin select raise(abort, 'service_tokens is append-only'); end;

CREATE TABLE `statement_file_chunks` (`file_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `content` blob not null, constraint `statement_file_chunks_file` foreign key(`file_id`) references `statement_files`(`id`), primary key (`file_id`,
  `position`));

CREATE TRIGGER `statement_file_chunks_no_delete` before delete on `statement_file_chunks` begin select raise(abort, 'statement_file_chunks is append-only'); end;

CREATE TRIGGER `statement_file_chunks_no_update` before update on `statement_file_chunks` begin select raise(abort, 'statement_file_chunks is append-only'); end;

CREATE TABLE `statement_files` (`id` text not null,
  `sha256` text not null,
  `name` text not null,
  `size_bytes` bigint check (typeof("size_bytes") in ('integer', 'null')) not null,
  `format` text not null,
  `profile` text not null,
  `imported_at` bigint check (typeof("imported_at") in ('integer', 'null')) not null,
  `imported_by` text not null, primary key (`id`));

CREATE UNIQUE INDEX `statement_files_sha256` on `statement_files` (`sha256`);

CREATE TRIGGER `statement_files_no_delete` before delete on `statement_files` begin select raise(abort, 'statement_files is append-only'); end;

CREATE TRIGGER `statement_files_no_update` before update on `statement_files` begin select raise(abort, 'statement_files is append-only'); end;

CREATE TABLE `statement_lines` (`id` text not null,
  `statement_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `account` text not null,
  `booking_date` text not null,
  `value_date` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `counterparty` text not null,
  `remittance` text not null,
  `bank_reference` text not null,
  `payout_candidate` bigint check (typeof("payout_candidate") in ('integer', 'null') and ("payout_candidate" is null or "payout_candidate" in (0, 1))) not null,
  `balance_after_millimes` bigint check (typeof("balance_after_millimes") in ('integer', 'null')),
  `raw` text not null, constraint `statement_lines_statement` foreign key(`statement_id`) references `statements`(`id`), primary key (`id`));

CREATE INDEX `statement_lines_candidates` on `statement_lines` (`payout_candidate`, `booking_date`);

CREATE UNIQUE INDEX `statement_lines_position` on `statement_lines` (`statement_id`, `position`);

CREATE TRIGGER `statement_lines_no_delete` before delete on `statement_lines` begin select raise(abort, 'statement_lines is append-only'); end;

CREATE TRIGGER `statement_lines_no_update` before update on `statement_lines` begin select raise(abort, 'statement_lines is append-only'); end;

CREATE TABLE `statements` (`id` text not null,
  `file_id` text not null,
  `account` text not null,
  `sequence` bigint check (typeof("sequence") in ('integer', 'null')) not null,
  `currency` text not null,
  `verdict` text not null,
  `opening_millimes` bigint check (typeof("opening_millimes") in ('integer', 'null')) not null,
  `closing_millimes` bigint check (typeof("closing_millimes") in ('integer', 'null')) not null,
  `credits_millimes` bigint check (typeof("credits_millimes") in ('integer', 'null')) not null,
  `debits_millimes` bigint check (typeof("debits_millimes") in ('integer', 'null')) not null,
  `entries` bigint check (typeof("entries") in ('integer', 'null')) not null,
  `first_date` text,
  `last_date` text, constraint `statements_file` foreign key(`file_id`) references `statement_files`(`id`), primary key (`id`));

CREATE UNIQUE INDEX `statements_chain` on `statements` (`account`, `sequence`);

CREATE TRIGGER `statements_no_delete` before delete on `statements` begin select raise(abort, 'statements is append-only'); end;

CREATE TRIGGER `statements_no_update` before update on `statements` begin select raise(abort, 'statements is append-only'); end;
