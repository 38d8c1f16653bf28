CREATE TABLE `actor_names` (`name` text not null, primary key (`name`));

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

CREATE TABLE `agent_search_words` (`word` text not null,
  `agent_id` text not null, primary key (`word`,
  `agent_id`));

CREATE INDEX `agent_search_words_agent` on `agent_search_words` (`agent_id`, `word`);

CREATE TABLE `agents` (`agent_id` text not null,
  `full_name` text not null,
  `phone` text not null,
  `status` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `updated_at` bigint check (typeof("updated_at") in ('integer', 'null')) not null,
  `closed_at` bigint check (typeof("closed_at") in ('integer', 'null')),
  `recorded_by` text not null,
  `erased_at` bigint check (typeof("erased_at") in ('integer', 'null')), primary key (`agent_id`));

CREATE TRIGGER `agents_no_delete` before delete on `agents` begin select raise(abort, 'agents is append-only'); end;

CREATE TRIGGER `agents_no_update` before update on `agents` when old.erased_at is not null begin select raise(abort, 'agents is append-only'); end;

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

CREATE INDEX `api_keys_name` on `api_keys` (`name`);

CREATE TRIGGER `api_keys_no_delete` before delete on `api_keys` begin select raise(abort, 'api_keys is append-only'); end;

CREATE TRIGGER `api_keys_no_update` before update on `api_keys` begin select raise(abort, 'api_keys is append-only'); end;

CREATE TABLE `audit_records` (`id` text not null,
  `at` bigint check (typeof("at") in ('integer', 'null')) not null,
  `actor_kind` text not null,
  `actor_name` text not null,
  `key_id` text,
  `action` text not null,
  `subject` text not null,
  `detail` text not null,
  `request_id` text, primary key (`id`));

CREATE INDEX `audit_records_action_at` on `audit_records` (`action`, `at`, `id`);

CREATE INDEX `audit_records_at` on `audit_records` (`at`, `id`);

CREATE INDEX `audit_records_key_at` on `audit_records` (`key_id`, `at`, `id`);

CREATE INDEX `audit_records_request` on `audit_records` (`request_id`);

CREATE INDEX `audit_records_subject_at` on `audit_records` (`subject`, `at`, `id`);

CREATE TRIGGER `audit_records_no_delete` before delete on `audit_records` begin select raise(abort, 'audit_records is append-only'); end;

CREATE TRIGGER `audit_records_no_update` before update on `audit_records` begin select raise(abort, 'audit_records is append-only'); end;

CREATE TABLE `bank_account_names` (`id` text not null,
  `name` text not null,
  `account` text not null,
  `decided_at` bigint check (typeof("decided_at") in ('integer', 'null')) not null,
  `decided_by` text not null,
  `reason` text not null, primary key (`id`));

CREATE UNIQUE INDEX `bank_account_names_name` on `bank_account_names` (`name`, `account`);

CREATE TRIGGER `bank_account_names_no_delete` before delete on `bank_account_names` begin select raise(abort, 'bank_account_names is append-only'); end;

CREATE TRIGGER `bank_account_names_no_update` before update on `bank_account_names` begin select raise(abort, 'bank_account_names is append-only'); end;

CREATE TABLE `bank_repeated_lines` (`line_id` text not null,
  `stays_id` text not null,
  `repeated_at` bigint check (typeof("repeated_at") in ('integer', 'null')) not null,
  `repeated_by` text not null,
  `reason` text not null, constraint `bank_repeated_lines_line` foreign key(`line_id`) references `bank_statement_lines`(`id`), constraint `bank_repeated_lines_stays_line` foreign key(`stays_id`) references `bank_statement_lines`(`id`), primary key (`line_id`));

CREATE INDEX `bank_repeated_lines_stays` on `bank_repeated_lines` (`stays_id`);

CREATE TRIGGER `bank_repeated_lines_no_delete` before delete on `bank_repeated_lines` begin select raise(abort, 'bank_repeated_lines is append-only'); end;

CREATE TRIGGER `bank_repeated_lines_no_update` before update on `bank_repeated_lines` begin select raise(abort, 'bank_repeated_lines is append-only'); end;

CREATE TABLE `bank_statement_lines` (`id` text not null,
  `statement_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `file_line` bigint check (typeof("file_line") in ('integer', 'null')),
  `account` text not null,
  `currency` text not null,
  `booking_date` text not null,
  `value_date` text,
  `amount_minor` bigint check (typeof("amount_minor") in ('integer', 'null')) not null,
  `counterparty` text not null,
  `counterparty_account` text not null,
  `remittance` text not null,
  `bank_reference` text not null,
  `end_to_end_id` text not null,
  `transaction_code` text not null,
  `details` text,
  `payout_candidate` bigint check (typeof("payout_candidate") in ('integer', 'null') and ("payout_candidate" is null or "payout_candidate" in (0, 1))) not null,
  `balance_after_minor` bigint check (typeof("balance_after_minor") in ('integer', 'null')),
  `identity` text not null,
  `raw` text not null, constraint `bank_statement_lines_statement` foreign key(`statement_id`) references `bank_statements`(`id`), primary key (`id`));

CREATE INDEX `bank_statement_lines_account_payouts` on `bank_statement_lines` (`account`, `currency`, `payout_candidate`);

CREATE INDEX `bank_statement_lines_days` on `bank_statement_lines` (`account`, `currency`, `booking_date`);

CREATE UNIQUE INDEX `bank_statement_lines_identity` on `bank_statement_lines` (`identity`);

CREATE INDEX `bank_statement_lines_payouts` on `bank_statement_lines` (`payout_candidate`, `booking_date`, `id`);

CREATE UNIQUE INDEX `bank_statement_lines_position` on `bank_statement_lines` (`statement_id`, `position`);

CREATE TRIGGER `bank_statement_lines_no_delete` before delete on `bank_statement_lines` when exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') begin select raise(abort, 'bank_statement_lines is append-only'); end;

CREATE TRIGGER `bank_statement_lines_no_update` before update on `bank_statement_lines` begin select raise(abort, 'bank_statement_lines is append-only'); end;

CREATE TABLE `bank_statements` (`id` text not null,
  `file_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `kind` text not null,
  `account` text not null,
  `currency` text not null,
  `bank_id` text not null,
  `number` text not null,
  `verdict` text not null,
  `opening_minor` bigint check (typeof("opening_minor") in ('integer', 'null')),
  `closing_minor` bigint check (typeof("closing_minor") in ('integer', 'null')),
  `credits_minor` bigint check (typeof("credits_minor") in ('integer', 'null')) not null,
  `debits_minor` bigint check (typeof("debits_minor") in ('integer', 'null')) not null,
  `entries` bigint check (typeof("entries") in ('integer', 'null')) not null,
  `pending_entries` bigint check (typeof("pending_entries") in ('integer', 'null')) not null,
  `from_date` text,
  `through_date` text,
  `first_date` text,
  `last_date` text,
  `fingerprint` text not null,
  `notes` text, constraint `bank_statements_file` foreign key(`file_id`) references `statement_files`(`id`), primary key (`id`));

CREATE INDEX `bank_statements_days` on `bank_statements` (`account`, `currency`, `last_date`);

CREATE INDEX `bank_statements_fingerprint` on `bank_statements` (`account`, `fingerprint`);

CREATE UNIQUE INDEX `bank_statements_position` on `bank_statements` (`file_id`, `position`);

CREATE TRIGGER `bank_statements_no_delete` before delete on `bank_statements` when exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') begin select raise(abort, 'bank_statements is append-only'); end;

CREATE TRIGGER `bank_statements_no_update` before update on `bank_statements` when exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') begin select raise(abort, 'bank_statements is append-only'); end;

CREATE TABLE `break_assignments` (`break_id` text not null,
  `assignee` text not null,
  `assigned_at` bigint check (typeof("assigned_at") in ('integer', 'null')) not null,
  `assigned_by` text not null, constraint `break_assignments_break` foreign key(`break_id`) references `recon_breaks`(`id`), primary key (`break_id`));

CREATE INDEX `break_assignments_assignee` on `break_assignments` (`assignee`);

CREATE TABLE `break_decisions` (`proposal_id` text not null,
  `outcome` text not null,
  `reason` text,
  `decided_by` text not null,
  `decided_by_key` text,
  `decided_at` bigint check (typeof("decided_at") in ('integer', 'null')) not null,
  `posted_as` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')), constraint `break_decisions_proposal` foreign key(`proposal_id`) references `break_proposals`(`id`), primary key (`proposal_id`));

CREATE INDEX `break_decisions_decided` on `break_decisions` (`decided_at`, `proposal_id`);

CREATE UNIQUE INDEX `break_decisions_posted_as` on `break_decisions` (`posted_as`);

CREATE TRIGGER `break_decisions_no_delete` before delete on `break_decisions` begin select raise(abort, 'break_decisions is append-only'); end;

CREATE TRIGGER `break_decisions_no_update` before update on `break_decisions` begin select raise(abort, 'break_decisions is append-only'); end;

CREATE TABLE `break_proposals` (`id` text not null,
  `subject` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `break_id` text,
  `kind` text not null,
  `payload` text not null,
  `reason` text not null,
  `basis` text,
  `proposed_by` text not null,
  `proposed_by_key` text not null,
  `proposed_at` bigint check (typeof("proposed_at") in ('integer', 'null')) not null, constraint `break_proposals_break` foreign key(`break_id`) references `recon_breaks`(`id`), primary key (`id`));

CREATE INDEX `break_proposals_proposed` on `break_proposals` (`proposed_at`, `id`);

CREATE UNIQUE INDEX `break_proposals_subject` on `break_proposals` (`subject`, `position`);

CREATE TRIGGER `break_proposals_no_delete` before delete on `break_proposals` begin select raise(abort, 'break_proposals is append-only'); end;

CREATE TRIGGER `break_proposals_no_update` before update on `break_proposals` begin select raise(abort, 'break_proposals is append-only'); end;

CREATE TABLE `charge_observations` (`id` text not null,
  `payment_id` text not null,
  `observed_at` bigint check (typeof("observed_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `status` text not null,
  `fee_millimes` bigint check (typeof("fee_millimes") in ('integer', 'null')),
  `tva_millimes` bigint check (typeof("tva_millimes") in ('integer', 'null')),
  `detail` text not null, primary key (`id`));

CREATE INDEX `charge_observations_charge` on `charge_observations` (`payment_id`, `observed_at`);

CREATE TRIGGER `charge_observations_no_delete` before delete on `charge_observations` begin select raise(abort, 'charge_observations is append-only'); end;

CREATE TRIGGER `charge_observations_no_update` before update on `charge_observations` begin select raise(abort, 'charge_observations is append-only'); end;

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
  `token_jti` text not null,
  `agent_id` text, primary key (`id`));

CREATE INDEX `confirm_refusals_agent` on `confirm_refusals` (`agent_id`, `first_at`);

CREATE UNIQUE INDEX `confirm_refusals_call` on `confirm_refusals` (`fingerprint`, `kind`);

CREATE INDEX `confirm_refusals_transaction` on `confirm_refusals` (`transaction_id`);

CREATE TABLE `day_credits` (`business_date` text not null,
  `credit_count` bigint check (typeof("credit_count") in ('integer', 'null')) not null,
  `credit_millimes` bigint check (typeof("credit_millimes") in ('integer', 'null')) not null,
  `charged_millimes` bigint check (typeof("charged_millimes") in ('integer', 'null')) not null,
  `unexplained_count` bigint check (typeof("unexplained_count") in ('integer', 'null')) not null,
  `unexplained_millimes` bigint check (typeof("unexplained_millimes") in ('integer', 'null')) not null, primary key (`business_date`));

CREATE TABLE `day_cut_offs` (`business_date` text not null,
  `run_id` text not null,
  `known_at` bigint check (typeof("known_at") in ('integer', 'null')) not null,
  `owing_count` bigint check (typeof("owing_count") in ('integer', 'null')) not null,
  `owing_millimes` bigint check (typeof("owing_millimes") in ('integer', 'null')) not null,
  `favored_count` bigint check (typeof("favored_count") in ('integer', 'null')) not null,
  `favored_millimes` bigint check (typeof("favored_millimes") in ('integer', 'null')) not null,
  `processing_count` bigint check (typeof("processing_count") in ('integer', 'null')) not null,
  `processing_millimes` bigint check (typeof("processing_millimes") in ('integer', 'null')) not null,
  `available_count` bigint check (typeof("available_count") in ('integer', 'null')) not null,
  `available_millimes` bigint check (typeof("available_millimes") in ('integer', 'null')) not null,
  `late_count` bigint check (typeof("late_count") in ('integer', 'null')) not null,
  `late_millimes` bigint check (typeof("late_millimes") in ('integer', 'null')) not null,
  `last_due_on` text,
  `bank_through` text,
  `last_statement_id` text, primary key (`business_date`));

CREATE TABLE `day_expectations` (`business_date` text not null,
  `item_count` bigint check (typeof("item_count") in ('integer', 'null')) not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null, primary key (`business_date`));

CREATE TABLE `day_figures` (`business_date` text not null,
  `channel` text not null,
  `payment_count` bigint check (typeof("payment_count") in ('integer', 'null')) not null,
  `succeeded_millimes` bigint check (typeof("succeeded_millimes") in ('integer', 'null')) not null,
  `refunded_millimes` bigint check (typeof("refunded_millimes") in ('integer', 'null')) not null,
  `charged_millimes` bigint check (typeof("charged_millimes") in ('integer', 'null')) not null,
  `settled_millimes` bigint check (typeof("settled_millimes") in ('integer', 'null')) not null,
  `other_millimes` bigint check (typeof("other_millimes") in ('integer', 'null')) not null,
  `closing_millimes` bigint check (typeof("closing_millimes") in ('integer', 'null')) not null, primary key (`business_date`,
  `channel`));

CREATE TABLE `day_reopening_proposals` (`number` bigint check (typeof("number") in ('integer', 'null')) not null,
  `reason` text not null,
  `proposed_at` bigint check (typeof("proposed_at") in ('integer', 'null')) not null,
  `proposed_by` text not null, constraint `day_reopening_proposals_seal` foreign key(`number`) references `day_seals`(`number`), primary key (`number`));

CREATE TRIGGER `day_reopening_proposals_no_delete` before delete on `day_reopening_proposals` begin select raise(abort, 'day_reopening_proposals is append-only'); end;

CREATE TRIGGER `day_reopening_proposals_no_update` before update on `day_reopening_proposals` begin select raise(abort, 'day_reopening_proposals is append-only'); end;

CREATE TABLE `day_seal_pages` (`close_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `kind` text not null,
  `content` text not null, primary key (`close_id`,
  `position`));

CREATE TRIGGER `day_seal_pages_no_delete` before delete on `day_seal_pages` begin select raise(abort, 'day_seal_pages is append-only'); end;

CREATE TRIGGER `day_seal_pages_no_update` before update on `day_seal_pages` begin select raise(abort, 'day_seal_pages is append-only'); end;

CREATE TABLE `day_sealed_breaks` (`number` bigint check (typeof("number") in ('integer', 'null')) not null,
  `break_id` text not null,
  `through_position` bigint check (typeof("through_position") in ('integer', 'null')) not null, constraint `day_sealed_breaks_seal` foreign key(`number`) references `day_seals`(`number`), primary key (`number`,
  `break_id`));

CREATE INDEX `day_sealed_breaks_break` on `day_sealed_breaks` (`break_id`);

CREATE TRIGGER `day_sealed_breaks_no_delete` before delete on `day_sealed_breaks` begin select raise(abort, 'day_sealed_breaks is append-only'); end;

CREATE TRIGGER `day_sealed_breaks_no_update` before update on `day_sealed_breaks` begin select raise(abort, 'day_sealed_breaks is append-only'); end;

CREATE TABLE `day_seals` (`number` bigint check (typeof("number") in ('integer', 'null')) not null,
  `kind` text not null,
  `business_date` text not null,
  `reopens_number` bigint check (typeof("reopens_number") in ('integer', 'null')),
  `close_id` text,
  `content` text not null,
  `previous_digest` text,
  `digest` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`number`));

CREATE UNIQUE INDEX `day_seals_close` on `day_seals` (`close_id`);

CREATE INDEX `day_seals_date` on `day_seals` (`business_date`, `number`);

CREATE UNIQUE INDEX `day_seals_reopens` on `day_seals` (`reopens_number`);

CREATE TRIGGER `day_seals_no_delete` before delete on `day_seals` begin select raise(abort, 'day_seals is append-only'); end;

CREATE TRIGGER `day_seals_no_update` before update on `day_seals` begin select raise(abort, 'day_seals is append-only'); end;

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

CREATE TABLE `exclusive_turns` (`name` text not null,
  `taken` bigint check (typeof("taken") in ('integer', 'null')) not null, primary key (`name`));

CREATE TABLE `gateway_budget` (`budget_key` text not null,
  `value` text not null,
  `version` bigint check (typeof("version") in ('integer', 'null')) not null,
  `keep_until` bigint check (typeof("keep_until") in ('integer', 'null')) not null, primary key (`budget_key`));

CREATE INDEX `gateway_budget_keep_until` on `gateway_budget` (`keep_until`);

CREATE TABLE `gateway_item_fees` (`reference` text not null,
  `item_id` text not null,
  `channel` text not null,
  `fee_millimes` bigint check (typeof("fee_millimes") in ('integer', 'null')) not null,
  `tva_millimes` bigint check (typeof("tva_millimes") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `ledger_transaction_id` text not null, primary key (`reference`));

CREATE INDEX `gateway_item_fees_item` on `gateway_item_fees` (`item_id`);

CREATE TRIGGER `gateway_item_fees_no_delete` before delete on `gateway_item_fees` begin select raise(abort, 'gateway_item_fees is append-only'); end;

CREATE TRIGGER `gateway_item_fees_no_update` before update on `gateway_item_fees` begin select raise(abort, 'gateway_item_fees is append-only'); end;

CREATE TABLE `gateway_items` (`item_id` text not null,
  `channel` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `agent_id` text,
  `refund_of` text,
  `occurred_at` bigint check (typeof("occurred_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `ledger_transaction_id` text not null, primary key (`item_id`));

CREATE INDEX `gateway_items_agent_time` on `gateway_items` (`agent_id`, `occurred_at`);

CREATE INDEX `gateway_items_recorded` on `gateway_items` (`recorded_at`, `item_id`);

CREATE INDEX `gateway_items_refund_of` on `gateway_items` (`refund_of`);

CREATE TRIGGER `gateway_items_no_delete` before delete on `gateway_items` begin select raise(abort, 'gateway_items is append-only'); end;

CREATE TRIGGER `gateway_items_no_update` before update on `gateway_items` begin select raise(abort, 'gateway_items is append-only'); end;

CREATE TABLE `idempotency_keys` (`actor_name` text not null,
  `idempotency_key` text not null,
  `fingerprint` text not null,
  `request_id` text not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')) not null,
  `lease_until` bigint check (typeof("lease_until") in ('integer', 'null')) not null,
  `status` bigint check (typeof("status") in ('integer', 'null')),
  `headers` text,
  `body` text, primary key (`actor_name`,
  `idempotency_key`));

CREATE INDEX `idempotency_keys_expiry` on `idempotency_keys` (`expires_at`);

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

CREATE TABLE `ledger_fence` (`name` text not null,
  `open_from` bigint check (typeof("open_from") in ('integer', 'null')) not null, primary key (`name`));

CREATE TABLE `ledger_late_transactions` (`ledger_transaction_id` text not null,
  `belongs_at` bigint check (typeof("belongs_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null, primary key (`ledger_transaction_id`));

CREATE INDEX `ledger_late_transactions_recorded` on `ledger_late_transactions` (`recorded_at`);

CREATE TRIGGER `ledger_late_transactions_no_delete` before delete on `ledger_late_transactions` begin select raise(abort, 'ledger_late_transactions is append-only'); end;

CREATE TRIGGER `ledger_late_transactions_no_update` before update on `ledger_late_transactions` begin select raise(abort, 'ledger_late_transactions is append-only'); end;

CREATE TABLE `ledger_transactions` (`id` text not null,
  `reference` text not null,
  `code` text not null,
  `occurred_at` bigint check (typeof("occurred_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `reverses_id` text,
  `recorded_by` text not null, primary key (`id`));

CREATE INDEX `ledger_transactions_occurred` on `ledger_transactions` (`occurred_at`);

CREATE INDEX `ledger_transactions_recorded` on `ledger_transactions` (`recorded_at`);

CREATE UNIQUE INDEX `ledger_transactions_reference` on `ledger_transactions` (`reference`);

CREATE UNIQUE INDEX `ledger_transactions_reverses` on `ledger_transactions` (`reverses_id`);

CREATE TRIGGER `ledger_transactions_no_delete` before delete on `ledger_transactions` begin select raise(abort, 'ledger_transactions is append-only'); end;

CREATE TRIGGER `ledger_transactions_no_update` before update on `ledger_transactions` begin select raise(abort, 'ledger_transactions is append-only'); end;

CREATE TABLE `notification_deliveries` (`id` text not null,
  `recipient_id` text not null,
  `kind` text not null,
  `content` text not null,
  `state` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `available_at` bigint check (typeof("available_at") in ('integer', 'null')) not null,
  `lease_until` bigint check (typeof("lease_until") in ('integer', 'null')) not null,
  `fencing` bigint check (typeof("fencing") in ('integer', 'null')) not null,
  `tries` bigint check (typeof("tries") in ('integer', 'null')) not null,
  `error` text,
  `answer` bigint check (typeof("answer") in ('integer', 'null')),
  `done_at` bigint check (typeof("done_at") in ('integer', 'null')), primary key (`id`));

CREATE INDEX `notification_deliveries_done` on `notification_deliveries` (`done_at`);

CREATE INDEX `notification_deliveries_due` on `notification_deliveries` (`state`, `available_at`);

CREATE INDEX `notification_deliveries_recipient` on `notification_deliveries` (`recipient_id`, `created_at`);

CREATE TABLE `notification_events` (`kind` text not null,
  `subject` text not null,
  `began_at` bigint check (typeof("began_at") in ('integer', 'null')) not null,
  `ended_at` bigint check (typeof("ended_at") in ('integer', 'null')), primary key (`kind`,
  `subject`));

CREATE TABLE `notification_recipients` (`id` text not null,
  `owner_name` text not null,
  `key_id` text,
  `way` text not null,
  `address` text not null,
  `kinds` text not null,
  `language` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null, primary key (`id`));

CREATE INDEX `notification_recipients_owner` on `notification_recipients` (`owner_name`);

CREATE TABLE `payment_observations` (`id` text not null,
  `tracking_id` text not null,
  `source` text not null,
  `observed_at` bigint check (typeof("observed_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `status` text not null,
  `settlement_status` text,
  `method` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')),
  `detail` text not null, primary key (`id`));

CREATE INDEX `payment_observations_payment` on `payment_observations` (`tracking_id`, `observed_at`);

CREATE TRIGGER `payment_observations_no_delete` before delete on `payment_observations` begin select raise(abort, 'payment_observations is append-only'); end;

CREATE TRIGGER `payment_observations_no_update` before update on `payment_observations` begin select raise(abort, 'payment_observations is append-only'); end;

CREATE TABLE `payment_operations` (`id` text not null,
  `tracking_id` text not null,
  `kind` text not null,
  `live_key` text,
  `state` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')),
  `refund_id` text,
  `error` text,
  `requested_at` bigint check (typeof("requested_at") in ('integer', 'null')) not null,
  `ended_at` bigint check (typeof("ended_at") in ('integer', 'null')),
  `next_check_at` bigint check (typeof("next_check_at") in ('integer', 'null')),
  `checks` bigint check (typeof("checks") in ('integer', 'null')) not null,
  `requested_by` text not null, primary key (`id`));

CREATE INDEX `payment_operations_check` on `payment_operations` (`next_check_at`);

CREATE UNIQUE INDEX `payment_operations_live` on `payment_operations` (`live_key`);

CREATE INDEX `payment_operations_payment` on `payment_operations` (`tracking_id`);

CREATE TABLE `payments` (`tracking_id` text not null,
  `kind` text not null,
  `reference` text,
  `live_reference` text,
  `agent_id` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `our_share_millimes` bigint check (typeof("our_share_millimes") in ('integer', 'null')) not null,
  `terms` text not null,
  `is_test` bigint check (typeof("is_test") in ('integer', 'null') and ("is_test" is null or "is_test" in (0, 1))) not null,
  `request_state` text not null,
  `request_error` text,
  `requested_at` bigint check (typeof("requested_at") in ('integer', 'null')) not null,
  `sent_at` bigint check (typeof("sent_at") in ('integer', 'null')),
  `gateway_id` text,
  `link` text,
  `session_ends_at` bigint check (typeof("session_ends_at") in ('integer', 'null')),
  `status` text,
  `settlement_status` text,
  `method` text,
  `captured_millimes` bigint check (typeof("captured_millimes") in ('integer', 'null')),
  `succeeded_after` bigint check (typeof("succeeded_after") in ('integer', 'null')),
  `succeeded_until` bigint check (typeof("succeeded_until") in ('integer', 'null')),
  `item_id` text,
  `next_look_at` bigint check (typeof("next_look_at") in ('integer', 'null')),
  `nudged_at` bigint check (typeof("nudged_at") in ('integer', 'null')),
  `last_look_at` bigint check (typeof("last_look_at") in ('integer', 'null')),
  `looks` bigint check (typeof("looks") in ('integer', 'null')) not null,
  `failed_looks` bigint check (typeof("failed_looks") in ('integer', 'null')) not null,
  `last_look_error` text,
  `recorded_by` text not null, primary key (`tracking_id`));

CREATE INDEX `payments_agent_requested` on `payments` (`agent_id`, `requested_at`, `tracking_id`);

CREATE UNIQUE INDEX `payments_gateway_id` on `payments` (`gateway_id`);

CREATE INDEX `payments_item` on `payments` (`item_id`);

CREATE UNIQUE INDEX `payments_live_reference` on `payments` (`live_reference`);

CREATE INDEX `payments_next_look` on `payments` (`next_look_at`);

CREATE INDEX `payments_reference` on `payments` (`reference`);

CREATE INDEX `payments_request` on `payments` (`request_state`, `requested_at`);

CREATE INDEX `payments_requested` on `payments` (`requested_at`, `tracking_id`);

CREATE TABLE `payout_claimed_items` (`item_id` text not null,
  `match_id` text not null, primary key (`item_id`));

CREATE INDEX `payout_claimed_items_match` on `payout_claimed_items` (`match_id`);

CREATE TRIGGER `payout_claimed_items_no_delete` before delete on `payout_claimed_items` when not exists (select 1 from payout_unmatches u where u.match_id = old.match_id) begin select raise(abort, 'payout_claimed_items is append-only'); end;

CREATE TRIGGER `payout_claimed_items_no_update` before update on `payout_claimed_items` begin select raise(abort, 'payout_claimed_items is append-only'); end;

CREATE TABLE `payout_claimed_lines` (`line_id` text not null,
  `match_id` text not null, primary key (`line_id`));

CREATE INDEX `payout_claimed_lines_match` on `payout_claimed_lines` (`match_id`);

CREATE TRIGGER `payout_claimed_lines_no_delete` before delete on `payout_claimed_lines` when not exists (select 1 from payout_unmatches u where u.match_id = old.match_id) begin select raise(abort, 'payout_claimed_lines is append-only'); end;

CREATE TRIGGER `payout_claimed_lines_no_update` before update on `payout_claimed_lines` begin select raise(abort, 'payout_claimed_lines is append-only'); end;

CREATE TABLE `payout_fee_confirmations` (`schedule_id` text not null,
  `confirmed_at` bigint check (typeof("confirmed_at") in ('integer', 'null')) not null,
  `confirmed_by` text not null,
  `reason` text not null, constraint `payout_fee_confirmations_schedule` foreign key(`schedule_id`) references `payout_fee_schedules`(`id`), primary key (`schedule_id`));

CREATE TRIGGER `payout_fee_confirmations_no_delete` before delete on `payout_fee_confirmations` begin select raise(abort, 'payout_fee_confirmations is append-only'); end;

CREATE TRIGGER `payout_fee_confirmations_no_update` before update on `payout_fee_confirmations` begin select raise(abort, 'payout_fee_confirmations is append-only'); end;

CREATE TABLE `payout_fee_schedules` (`id` text not null,
  `rules` text not null,
  `run_id` text not null,
  `credits` text not null,
  `first_date` text,
  `last_date` text,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`id`));

CREATE TRIGGER `payout_fee_schedules_no_delete` before delete on `payout_fee_schedules` begin select raise(abort, 'payout_fee_schedules is append-only'); end;

CREATE TRIGGER `payout_fee_schedules_no_update` before update on `payout_fee_schedules` begin select raise(abort, 'payout_fee_schedules is append-only'); end;

CREATE TABLE `payout_marks` (`id` text not null,
  `line_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `is_payout` bigint check (typeof("is_payout") in ('integer', 'null') and ("is_payout" is null or "is_payout" in (0, 1))) not null,
  `pattern` text not null,
  `decided_at` bigint check (typeof("decided_at") in ('integer', 'null')) not null,
  `decided_by` text not null,
  `reason` text not null, constraint `payout_marks_of_line` foreign key(`line_id`) references `bank_statement_lines`(`id`), primary key (`id`));

CREATE UNIQUE INDEX `payout_marks_line` on `payout_marks` (`line_id`, `position`);

CREATE TRIGGER `payout_marks_no_delete` before delete on `payout_marks` begin select raise(abort, 'payout_marks is append-only'); end;

CREATE TRIGGER `payout_marks_no_update` before update on `payout_marks` begin select raise(abort, 'payout_marks is append-only'); end;

CREATE TABLE `payout_match_items` (`match_id` text not null,
  `item_id` text not null,
  `channel` text not null,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `fee_millimes` bigint check (typeof("fee_millimes") in ('integer', 'null')) not null,
  `tva_millimes` bigint check (typeof("tva_millimes") in ('integer', 'null')) not null,
  `evidence` text not null, primary key (`match_id`,
  `item_id`));

CREATE INDEX `payout_match_items_item` on `payout_match_items` (`item_id`);

CREATE TRIGGER `payout_match_items_no_delete` before delete on `payout_match_items` begin select raise(abort, 'payout_match_items is append-only'); end;

CREATE TRIGGER `payout_match_items_no_update` before update on `payout_match_items` begin select raise(abort, 'payout_match_items is append-only'); end;

CREATE TABLE `payout_match_returns` (`match_id` text not null,
  `credit_line_id` text not null,
  `debit_line_id` text not null, primary key (`match_id`));

CREATE TRIGGER `payout_match_returns_no_delete` before delete on `payout_match_returns` begin select raise(abort, 'payout_match_returns is append-only'); end;

CREATE TRIGGER `payout_match_returns_no_update` before update on `payout_match_returns` begin select raise(abort, 'payout_match_returns is append-only'); end;

CREATE TABLE `payout_matches` (`id` text not null,
  `line_id` text not null,
  `run_id` text,
  `kind` text not null,
  `model` text,
  `stream` text,
  `evidence` text not null,
  `gross_millimes` bigint check (typeof("gross_millimes") in ('integer', 'null')) not null,
  `fee_millimes` bigint check (typeof("fee_millimes") in ('integer', 'null')) not null,
  `tva_millimes` bigint check (typeof("tva_millimes") in ('integer', 'null')) not null,
  `remainder_millimes` bigint check (typeof("remainder_millimes") in ('integer', 'null')) not null,
  `rest_channel` text not null,
  `claimed_error` text,
  `cut_after` bigint check (typeof("cut_after") in ('integer', 'null')),
  `cut_until` bigint check (typeof("cut_until") in ('integer', 'null')),
  `ledger_transaction_id` text not null,
  `reason` text,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null,
  `approved_by` text, primary key (`id`));

CREATE INDEX `payout_matches_cut` on `payout_matches` (`cut_until`, `id`);

CREATE INDEX `payout_matches_line` on `payout_matches` (`line_id`);

CREATE INDEX `payout_matches_recorded` on `payout_matches` (`recorded_at`);

CREATE INDEX `payout_matches_run` on `payout_matches` (`run_id`);

CREATE TRIGGER `payout_matches_no_delete` before delete on `payout_matches` begin select raise(abort, 'payout_matches is append-only'); end;

CREATE TRIGGER `payout_matches_no_update` before update on `payout_matches` begin select raise(abort, 'payout_matches is append-only'); end;

CREATE TABLE `payout_unmatches` (`match_id` text not null,
  `kind` text not null,
  `debit_line_id` text,
  `run_id` text,
  `reason` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`match_id`));

CREATE TRIGGER `payout_unmatches_no_delete` before delete on `payout_unmatches` begin select raise(abort, 'payout_unmatches is append-only'); end;

CREATE TRIGGER `payout_unmatches_no_update` before update on `payout_unmatches` begin select raise(abort, 'payout_unmatches is append-only'); end;

CREATE TABLE `pending_entries` (`id` text not null,
  `statement_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `status` text not null,
  `account` text not null,
  `currency` text not null,
  `booking_date` text not null,
  `value_date` text,
  `amount_minor` bigint check (typeof("amount_minor") in ('integer', 'null')) not null,
  `counterparty` text not null,
  `counterparty_account` text not null,
  `remittance` text not null,
  `bank_reference` text not null,
  `end_to_end_id` text not null,
  `reference_key` text,
  `content_key` text not null,
  `raw` text not null, constraint `pending_entries_statement` foreign key(`statement_id`) references `bank_statements`(`id`), primary key (`id`));

CREATE INDEX `pending_entries_content` on `pending_entries` (`account`, `content_key`);

CREATE UNIQUE INDEX `pending_entries_position` on `pending_entries` (`statement_id`, `position`);

CREATE INDEX `pending_entries_reference` on `pending_entries` (`account`, `reference_key`);

CREATE TRIGGER `pending_entries_no_delete` before delete on `pending_entries` when exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') begin select raise(abort, 'pending_entries is append-only'); end;

CREATE TRIGGER `pending_entries_no_update` before update on `pending_entries` begin select raise(abort, 'pending_entries is append-only'); end;

CREATE TABLE `pending_replacements` (`pending_id` text not null,
  `line_id` text not null,
  `replaced_at` bigint check (typeof("replaced_at") in ('integer', 'null')) not null, constraint `pending_replacements_pending` foreign key(`pending_id`) references `pending_entries`(`id`), constraint `pending_replacements_booked` foreign key(`line_id`) references `bank_statement_lines`(`id`), primary key (`pending_id`));

CREATE INDEX `pending_replacements_line` on `pending_replacements` (`line_id`);

CREATE TRIGGER `pending_replacements_no_delete` before delete on `pending_replacements` when exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = (select statement_id from bank_statement_lines where id = old.line_id) and l.state <> 'loading') and exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = (select statement_id from pending_entries where id = old.pending_id) and l.state <> 'loading') begin select raise(abort, 'pending_replacements is append-only'); end;

CREATE TRIGGER `pending_replacements_no_update` before update on `pending_replacements` begin select raise(abort, 'pending_replacements is append-only'); end;

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

CREATE TABLE `qr_transactions` (`transaction_unique_id` text not null,
  `tracking_id` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `channel` text,
  `paid_at` bigint check (typeof("paid_at") in ('integer', 'null')) not null,
  `first_seen_at` bigint check (typeof("first_seen_at") in ('integer', 'null')) not null,
  `item_id` text, primary key (`transaction_unique_id`));

CREATE INDEX `qr_transactions_paid` on `qr_transactions` (`paid_at`, `transaction_unique_id`);

CREATE INDEX `qr_transactions_payment` on `qr_transactions` (`tracking_id`);

CREATE TABLE `recon_break_events` (`break_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `kind` text not null,
  `actor` text not null,
  `at` bigint check (typeof("at") in ('integer', 'null')) not null,
  `detail` text not null, constraint `recon_break_events_break` foreign key(`break_id`) references `recon_breaks`(`id`), primary key (`break_id`,
  `position`));

CREATE TRIGGER `recon_break_events_no_delete` before delete on `recon_break_events` begin select raise(abort, 'recon_break_events is append-only'); end;

CREATE TRIGGER `recon_break_events_no_update` before update on `recon_break_events` begin select raise(abort, 'recon_break_events is append-only'); end;

CREATE TABLE `recon_break_items` (`item_id` text not null,
  `break_id` text not null, primary key (`item_id`,
  `break_id`));

CREATE INDEX `recon_break_items_break` on `recon_break_items` (`break_id`);

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
  `resolution` text,
  `direction` text, primary key (`id`));

CREATE INDEX `recon_breaks_class` on `recon_breaks` (`class`, `status`);

CREATE UNIQUE INDEX `recon_breaks_fingerprint` on `recon_breaks` (`fingerprint`);

CREATE INDEX `recon_breaks_status_since` on `recon_breaks` (`status`, `since`, `class`, `fingerprint`);

CREATE TABLE `recon_run_inputs` (`run_id` text not null,
  `known_until` bigint check (typeof("known_until") in ('integer', 'null')) not null,
  `settings_digest` text not null,
  `request_digest` text not null,
  `answer_digest` text not null,
  `engine_version` text not null,
  `fees` text,
  `fees_confirmed` bigint check (typeof("fees_confirmed") in ('integer', 'null') and ("fees_confirmed" is null or "fees_confirmed" in (0, 1))) not null,
  `error_max` text not null,
  `horizon` text not null, constraint `recon_run_inputs_run` foreign key(`run_id`) references `recon_runs`(`id`), primary key (`run_id`));

CREATE TRIGGER `recon_run_inputs_no_delete` before delete on `recon_run_inputs` begin select raise(abort, 'recon_run_inputs is append-only'); end;

CREATE TRIGGER `recon_run_inputs_no_update` before update on `recon_run_inputs` begin select raise(abort, 'recon_run_inputs is append-only'); end;

CREATE TABLE `recon_run_lines` (`run_id` text not null,
  `line_ids` text not null, constraint `recon_run_lines_run` foreign key(`run_id`) references `recon_runs`(`id`), primary key (`run_id`));

CREATE TRIGGER `recon_run_lines_no_delete` before delete on `recon_run_lines` begin select raise(abort, 'recon_run_lines is append-only'); end;

CREATE TRIGGER `recon_run_lines_no_update` before update on `recon_run_lines` begin select raise(abort, 'recon_run_lines is append-only'); end;

CREATE TABLE `recon_runs` (`id` text not null,
  `through` text not null,
  `digest` text not null,
  `verdict` text not null,
  `summary` text not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`id`));

CREATE INDEX `recon_runs_recorded` on `recon_runs` (`recorded_at`);

CREATE INDEX `recon_runs_through` on `recon_runs` (`through`);

CREATE TRIGGER `recon_runs_no_delete` before delete on `recon_runs` begin select raise(abort, 'recon_runs is append-only'); end;

CREATE TRIGGER `recon_runs_no_update` before update on `recon_runs` begin select raise(abort, 'recon_runs is append-only'); end;

CREATE TABLE `recon_waiting_items` (`item_id` text not null,
  `channel` text not null,
  `agent_id` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `succeeded_at` bigint check (typeof("succeeded_at") in ('integer', 'null')) not null,
  `available_at` bigint check (typeof("available_at") in ('integer', 'null')) not null,
  `usually_on` text,
  `due_on` text,
  `is_late` bigint check (typeof("is_late") in ('integer', 'null') and ("is_late" is null or "is_late" in (0, 1))) not null, primary key (`item_id`));

CREATE INDEX `recon_waiting_items_agent` on `recon_waiting_items` (`agent_id`, `available_at`, `item_id`);

CREATE INDEX `recon_waiting_items_available` on `recon_waiting_items` (`available_at`, `item_id`);

CREATE INDEX `recon_waiting_items_channel` on `recon_waiting_items` (`channel`, `available_at`, `item_id`);

CREATE TABLE `recon_waiting_runs` (`position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `run_id` text not null,
  `through` text not null,
  `known_at` bigint check (typeof("known_at") in ('integer', 'null')) not null, primary key (`position`));

CREATE TABLE `service_token_revocations` (`jti` text not null,
  `revoked_at` bigint check (typeof("revoked_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`jti`));

CREATE INDEX `service_token_revocations_revoked` on `service_token_revocations` (`revoked_at`, `jti`);

CREATE TRIGGER `service_token_revocations_no_delete` before delete on `service_token_revocations` begin select raise(abort, 'service_token_revocations is append-only'); end;

CREATE TRIGGER `service_token_revocations_no_update` before update on `service_token_revocations` begin select raise(abort, 'service_token_revocations is append-only'); end;

CREATE TABLE `service_tokens` (`jti` text not null,
  `subject` text not null,
  `kid` text not null,
  `alg` text not null,
  `issued_at` bigint check (typeof("issued_at") in ('integer', 'null')) not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')) not null,
  `recorded_by` text not null, primary key (`jti`));

CREATE INDEX `service_tokens_issued` on `service_tokens` (`issued_at`, `jti`);

CREATE TRIGGER `service_tokens_no_delete` before delete on `service_tokens` begin select raise(abort, 'service_tokens is append-only'); end;

CREATE TRIGGER `service_tokens_no_update` before update on `service_tokens` begin select raise(abort, 'service_tokens is append-only'); end;

CREATE TABLE `sign_in_tries` (`key_digest` text not null,
  `tries` bigint check (typeof("tries") in ('integer', 'null')) not null,
  `counted_at` bigint check (typeof("counted_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')), primary key (`key_digest`));

CREATE INDEX `sign_in_tries_counted` on `sign_in_tries` (`counted_at`);

CREATE TABLE `statement_acceptances` (`statement_id` text not null,
  `accepted_at` bigint check (typeof("accepted_at") in ('integer', 'null')) not null,
  `accepted_by` text not null,
  `reason` text not null, constraint `statement_acceptances_statement` foreign key(`statement_id`) references `bank_statements`(`id`), primary key (`statement_id`));

CREATE TRIGGER `statement_acceptances_no_delete` before delete on `statement_acceptances` begin select raise(abort, 'statement_acceptances is append-only'); end;

CREATE TRIGGER `statement_acceptances_no_update` before update on `statement_acceptances` begin select raise(abort, 'statement_acceptances is append-only'); end;

CREATE TABLE `statement_exclusions` (`statement_id` text not null,
  `excluded_at` bigint check (typeof("excluded_at") in ('integer', 'null')) not null,
  `excluded_by` text not null,
  `reason` text not null, constraint `statement_exclusions_statement` foreign key(`statement_id`) references `bank_statements`(`id`), primary key (`statement_id`));

CREATE TRIGGER `statement_exclusions_no_delete` before delete on `statement_exclusions` begin select raise(abort, 'statement_exclusions is append-only'); end;

CREATE TRIGGER `statement_exclusions_no_update` before update on `statement_exclusions` begin select raise(abort, 'statement_exclusions is append-only'); end;

CREATE TABLE `statement_file_chunks` (`file_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `content` blob not null, constraint `statement_file_chunks_file` foreign key(`file_id`) references `statement_files`(`id`), primary key (`file_id`,
  `position`));

CREATE TRIGGER `statement_file_chunks_no_delete` before delete on `statement_file_chunks` when exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') begin select raise(abort, 'statement_file_chunks is append-only'); end;

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

CREATE TRIGGER `statement_files_no_delete` before delete on `statement_files` when exists (select 1 from statement_loads where file_id = old.id and state <> 'loading') begin select raise(abort, 'statement_files is append-only'); end;

CREATE TRIGGER `statement_files_no_update` before update on `statement_files` begin select raise(abort, 'statement_files is append-only'); end;

CREATE TABLE `statement_holds` (`statement_id` text not null,
  `kind` text not null,
  `held_at` bigint check (typeof("held_at") in ('integer', 'null')) not null, constraint `statement_holds_statement` foreign key(`statement_id`) references `bank_statements`(`id`), primary key (`statement_id`));

CREATE TRIGGER `statement_holds_no_delete` before delete on `statement_holds` begin select raise(abort, 'statement_holds is append-only'); end;

CREATE TRIGGER `statement_holds_no_update` before update on `statement_holds` begin select raise(abort, 'statement_holds is append-only'); end;

CREATE TABLE `statement_line_repeats` (`statement_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `line_id` text not null, constraint `statement_line_repeats_statement` foreign key(`statement_id`) references `bank_statements`(`id`), constraint `statement_line_repeats_first` foreign key(`line_id`) references `bank_statement_lines`(`id`), primary key (`statement_id`,
  `position`));

CREATE INDEX `statement_line_repeats_line` on `statement_line_repeats` (`line_id`);

CREATE TRIGGER `statement_line_repeats_no_delete` before delete on `statement_line_repeats` when exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') begin select raise(abort, 'statement_line_repeats is append-only'); end;

CREATE TRIGGER `statement_line_repeats_no_update` before update on `statement_line_repeats` begin select raise(abort, 'statement_line_repeats is append-only'); end;

CREATE TABLE `statement_loads` (`file_id` text not null,
  `state` text not null,
  `slot` bigint check (typeof("slot") in ('integer', 'null')),
  `lease_until` bigint check (typeof("lease_until") in ('integer', 'null')) not null,
  `started_at` bigint check (typeof("started_at") in ('integer', 'null')) not null, constraint `statement_loads_file` foreign key(`file_id`) references `statement_files`(`id`), primary key (`file_id`));

CREATE UNIQUE INDEX `statement_loads_slot` on `statement_loads` (`slot`);

CREATE TRIGGER `statement_loads_no_delete` before delete on `statement_loads` when old.state <> 'loading' begin select raise(abort, 'statement_loads is append-only'); end;

CREATE TRIGGER `statement_loads_no_update` before update on `statement_loads` when new.file_id <> old.file_id or (new.state = 'loading' and old.state <> 'loading') begin select raise(abort, 'statement_loads is append-only'); end;

CREATE TABLE `statement_upload_chunks` (`upload_id` text not null,
  `position` bigint check (typeof("position") in ('integer', 'null')) not null,
  `content` blob not null, primary key (`upload_id`,
  `position`));

CREATE TABLE `statement_upload_quotas` (`name` text not null,
  `counted_at` bigint check (typeof("counted_at") in ('integer', 'null')) not null, primary key (`name`));

CREATE TABLE `statement_uploads` (`id` text not null,
  `name` text not null,
  `size_bytes` bigint check (typeof("size_bytes") in ('integer', 'null')) not null,
  `sha256` text,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')) not null,
  `created_by` text not null, primary key (`id`));

CREATE INDEX `statement_uploads_expiry` on `statement_uploads` (`expires_at`);

CREATE TABLE `subscription_charges` (`payment_id` text not null,
  `tracking_id` text not null,
  `status` text not null,
  `method` text not null,
  `billing_reason` text not null,
  `attempt` bigint check (typeof("attempt") in ('integer', 'null')),
  `period_start` text,
  `period_end` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `fee_millimes` bigint check (typeof("fee_millimes") in ('integer', 'null')),
  `tva_millimes` bigint check (typeof("tva_millimes") in ('integer', 'null')),
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')),
  `paid_at` bigint check (typeof("paid_at") in ('integer', 'null')),
  `first_seen_at` bigint check (typeof("first_seen_at") in ('integer', 'null')) not null,
  `last_look_at` bigint check (typeof("last_look_at") in ('integer', 'null')) not null,
  `item_id` text,
  `charged_at` bigint generated always as (coalesce(paid_at, created_at, first_seen_at)) virtual, primary key (`payment_id`));

CREATE INDEX `subscription_charges_charged` on `subscription_charges` (`charged_at`, `payment_id`);

CREATE INDEX `subscription_charges_created` on `subscription_charges` (`tracking_id`, `created_at`, `payment_id`);

CREATE INDEX `subscription_charges_subscription` on `subscription_charges` (`tracking_id`, `period_start`);

CREATE TABLE `subscription_observations` (`id` text not null,
  `tracking_id` text not null,
  `observed_at` bigint check (typeof("observed_at") in ('integer', 'null')) not null,
  `recorded_at` bigint check (typeof("recorded_at") in ('integer', 'null')) not null,
  `status` text not null,
  `detail` text not null, primary key (`id`));

CREATE INDEX `subscription_observations_subscription` on `subscription_observations` (`tracking_id`, `observed_at`);

CREATE TRIGGER `subscription_observations_no_delete` before delete on `subscription_observations` begin select raise(abort, 'subscription_observations is append-only'); end;

CREATE TRIGGER `subscription_observations_no_update` before update on `subscription_observations` begin select raise(abort, 'subscription_observations is append-only'); end;

CREATE TABLE `subscriptions` (`tracking_id` text not null,
  `reference` text,
  `live_reference` text,
  `agent_id` text,
  `amount_millimes` bigint check (typeof("amount_millimes") in ('integer', 'null')) not null,
  `terms` text not null,
  `is_test` bigint check (typeof("is_test") in ('integer', 'null') and ("is_test" is null or "is_test" in (0, 1))) not null,
  `request_state` text not null,
  `request_error` text,
  `requested_at` bigint check (typeof("requested_at") in ('integer', 'null')) not null,
  `sent_at` bigint check (typeof("sent_at") in ('integer', 'null')),
  `subscription_id` text,
  `first_payment_id` text,
  `link` text,
  `session_ends_at` bigint check (typeof("session_ends_at") in ('integer', 'null')),
  `status` text,
  `activated_at` bigint check (typeof("activated_at") in ('integer', 'null')),
  `period_start_at` bigint check (typeof("period_start_at") in ('integer', 'null')),
  `period_end_at` bigint check (typeof("period_end_at") in ('integer', 'null')),
  `next_charge_at` bigint check (typeof("next_charge_at") in ('integer', 'null')),
  `cycles_completed` bigint check (typeof("cycles_completed") in ('integer', 'null')) not null,
  `cancel_at_period_end` bigint check (typeof("cancel_at_period_end") in ('integer', 'null') and ("cancel_at_period_end" is null or "cancel_at_period_end" in (0, 1))) not null,
  `canceled_at` bigint check (typeof("canceled_at") in ('integer', 'null')),
  `cancellation_initiator` text,
  `cancellation_reason` text,
  `next_look_at` bigint check (typeof("next_look_at") in ('integer', 'null')),
  `nudged_at` bigint check (typeof("nudged_at") in ('integer', 'null')),
  `last_look_at` bigint check (typeof("last_look_at") in ('integer', 'null')),
  `looks` bigint check (typeof("looks") in ('integer', 'null')) not null,
  `failed_looks` bigint check (typeof("failed_looks") in ('integer', 'null')) not null,
  `last_look_error` text,
  `recorded_by` text not null, primary key (`tracking_id`));

CREATE INDEX `subscriptions_agent` on `subscriptions` (`agent_id`);

CREATE UNIQUE INDEX `subscriptions_live_reference` on `subscriptions` (`live_reference`);

CREATE INDEX `subscriptions_next_look` on `subscriptions` (`next_look_at`);

CREATE INDEX `subscriptions_reference` on `subscriptions` (`reference`);

CREATE INDEX `subscriptions_request` on `subscriptions` (`request_state`, `requested_at`);

CREATE UNIQUE INDEX `subscriptions_subscription_id` on `subscriptions` (`subscription_id`);

CREATE TABLE `user_devices` (`token_digest` text not null,
  `user_id` text not null,
  `used_at` bigint check (typeof("used_at") in ('integer', 'null')) not null, primary key (`token_digest`));

CREATE INDEX `user_devices_used` on `user_devices` (`used_at`);

CREATE TABLE `user_sessions` (`id` text not null,
  `token_digest` text not null,
  `user_id` text not null,
  `address` text not null,
  `started_at` bigint check (typeof("started_at") in ('integer', 'null')) not null,
  `proved_at` bigint check (typeof("proved_at") in ('integer', 'null')) not null,
  `used_at` bigint check (typeof("used_at") in ('integer', 'null')) not null,
  `expires_at` bigint check (typeof("expires_at") in ('integer', 'null')) not null,
  `enrolling_secret` text, primary key (`id`));

CREATE UNIQUE INDEX `user_sessions_token` on `user_sessions` (`token_digest`);

CREATE INDEX `user_sessions_used` on `user_sessions` (`used_at`);

CREATE INDEX `user_sessions_user` on `user_sessions` (`user_id`);

CREATE TABLE `users` (`id` text not null,
  `name` text not null,
  `full_name` text not null,
  `language` text,
  `roles` text not null,
  `created_at` bigint check (typeof("created_at") in ('integer', 'null')) not null,
  `recorded_by` text not null,
  `disabled_at` bigint check (typeof("disabled_at") in ('integer', 'null')),
  `password_hash` text,
  `code_digest` text,
  `code_expires_at` bigint check (typeof("code_expires_at") in ('integer', 'null')),
  `totp_secret` text,
  `totp_step` bigint check (typeof("totp_step") in ('integer', 'null')), primary key (`id`));

CREATE UNIQUE INDEX `users_name` on `users` (`name`);

CREATE TABLE `webhook_conflicts` (`id` text not null,
  `inbox_id` text not null,
  `content` blob not null,
  `content_digest` text not null,
  `received_at` bigint check (typeof("received_at") in ('integer', 'null')) not null,
  `facts` text, primary key (`id`));

CREATE UNIQUE INDEX `webhook_conflicts_content` on `webhook_conflicts` (`inbox_id`, `content_digest`);

CREATE TRIGGER `webhook_conflicts_no_delete` before delete on `webhook_conflicts` begin select raise(abort, 'webhook_conflicts is append-only'); end;

CREATE TRIGGER `webhook_conflicts_no_update` before update on `webhook_conflicts` begin select raise(abort, 'webhook_conflicts is append-only'); end;

CREATE TABLE `webhook_inbox` (`id` text not null,
  `dedupe_digest` text not null,
  `family` text not null,
  `proof` text not null,
  `event` text not null,
  `payment_id` text,
  `subscription_id` text,
  `developer_tracking_id` text,
  `content` blob not null,
  `content_digest` text not null,
  `signed_at` bigint check (typeof("signed_at") in ('integer', 'null')),
  `received_at` bigint check (typeof("received_at") in ('integer', 'null')) not null,
  `last_received_at` bigint check (typeof("last_received_at") in ('integer', 'null')) not null,
  `times` bigint check (typeof("times") in ('integer', 'null')) not null,
  `state` text not null,
  `outcome` text,
  `available_at` bigint check (typeof("available_at") in ('integer', 'null')) not null,
  `lease_until` bigint check (typeof("lease_until") in ('integer', 'null')) not null,
  `fencing` bigint check (typeof("fencing") in ('integer', 'null')) not null,
  `tries` bigint check (typeof("tries") in ('integer', 'null')) not null,
  `error` text,
  `done_at` bigint check (typeof("done_at") in ('integer', 'null')),
  `facts` text, primary key (`id`));

CREATE INDEX `webhook_inbox_available` on `webhook_inbox` (`state`, `available_at`);

CREATE UNIQUE INDEX `webhook_inbox_dedupe` on `webhook_inbox` (`dedupe_digest`);

CREATE INDEX `webhook_inbox_payment_received` on `webhook_inbox` (`payment_id`, `received_at`, `id`);

CREATE INDEX `webhook_inbox_received` on `webhook_inbox` (`received_at`);

CREATE INDEX `webhook_inbox_state_received` on `webhook_inbox` (`state`, `received_at`, `id`);
