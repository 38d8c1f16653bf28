CREATE TABLE `actor_names` (
  `name` varchar(64) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `agent_confirmations` (
  `transaction_id` varchar(255) NOT NULL,
  `agent_id` varchar(255) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `fingerprint` char(64) NOT NULL,
  `attempt_id` char(26) NOT NULL,
  `balance_before_millimes` bigint(20) NOT NULL,
  `followed_unavailable` bigint(20) NOT NULL,
  `token_sub` varchar(255) NOT NULL,
  `token_jti` varchar(255) NOT NULL,
  `received_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `ledger_transaction_id` char(26) NOT NULL,
  PRIMARY KEY (`transaction_id`),
  KEY `agent_confirmations_received` (`received_at`,`transaction_id`),
  KEY `agent_confirmations_agent` (`agent_id`,`received_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `agent_confirmations_no_delete` BEFORE DELETE ON `agent_confirmations` FOR EACH ROW signal sqlstate '45000' set message_text = 'agent_confirmations is append-only';

CREATE TRIGGER `agent_confirmations_no_update` BEFORE UPDATE ON `agent_confirmations` FOR EACH ROW signal sqlstate '45000' set message_text = 'agent_confirmations is append-only';

CREATE TABLE `agent_search_words` (
  `word` varchar(64) NOT NULL,
  `agent_id` varchar(255) NOT NULL,
  PRIMARY KEY (`word`,`agent_id`),
  KEY `agent_search_words_agent` (`agent_id`,`word`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `agents` (
  `agent_id` varchar(255) NOT NULL,
  `full_name` varchar(1000) NOT NULL,
  `phone` varchar(1000) NOT NULL,
  `status` varchar(64) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  `closed_at` bigint(20) DEFAULT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  `erased_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`agent_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `agents_no_delete` BEFORE DELETE ON `agents` FOR EACH ROW signal sqlstate '45000' set message_text = 'agents is append-only';

CREATE TRIGGER `agents_no_update` BEFORE UPDATE ON `agents` FOR EACH ROW if old.erased_at is not null then signal sqlstate '45000' set message_text = 'agents is append-only'; end if;

CREATE TABLE `api_key_revocations` (
  `key_id` char(26) NOT NULL,
  `revoked_at` bigint(20) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`key_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `api_key_revocations_no_delete` BEFORE DELETE ON `api_key_revocations` FOR EACH ROW signal sqlstate '45000' set message_text = 'api_key_revocations is append-only';

CREATE TRIGGER `api_key_revocations_no_update` BEFORE UPDATE ON `api_key_revocations` FOR EACH ROW signal sqlstate '45000' set message_text = 'api_key_revocations is append-only';

CREATE TABLE `api_keys` (
  `id` char(26) NOT NULL,
  `name` varchar(64) NOT NULL,
  `scopes` varchar(1000) NOT NULL,
  `secret_hash` char(64) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `api_keys_name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `api_keys_no_delete` BEFORE DELETE ON `api_keys` FOR EACH ROW signal sqlstate '45000' set message_text = 'api_keys is append-only';

CREATE TRIGGER `api_keys_no_update` BEFORE UPDATE ON `api_keys` FOR EACH ROW signal sqlstate '45000' set message_text = 'api_keys is append-only';

CREATE TABLE `audit_records` (
  `id` char(26) NOT NULL,
  `at` bigint(20) NOT NULL,
  `actor_kind` varchar(64) NOT NULL,
  `actor_name` varchar(1000) NOT NULL,
  `key_id` char(26) DEFAULT NULL,
  `action` varchar(64) NOT NULL,
  `subject` varchar(320) NOT NULL,
  `detail` mediumtext NOT NULL,
  `request_id` char(26) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `audit_records_at` (`at`,`id`),
  KEY `audit_records_subject_at` (`subject`,`at`,`id`),
  KEY `audit_records_action_at` (`action`,`at`,`id`),
  KEY `audit_records_request` (`request_id`),
  KEY `audit_records_key_at` (`key_id`,`at`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `audit_records_no_delete` BEFORE DELETE ON `audit_records` FOR EACH ROW signal sqlstate '45000' set message_text = 'audit_records is append-only';

CREATE TRIGGER `audit_records_no_update` BEFORE UPDATE ON `audit_records` FOR EACH ROW signal sqlstate '45000' set message_text = 'audit_records is append-only';

CREATE TABLE `bank_account_names` (
  `id` char(26) NOT NULL,
  `name` varchar(255) NOT NULL,
  `account` varchar(255) NOT NULL,
  `decided_at` bigint(20) NOT NULL,
  `decided_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `bank_account_names_name` (`name`,`account`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `bank_account_names_no_delete` BEFORE DELETE ON `bank_account_names` FOR EACH ROW signal sqlstate '45000' set message_text = 'bank_account_names is append-only';

CREATE TRIGGER `bank_account_names_no_update` BEFORE UPDATE ON `bank_account_names` FOR EACH ROW signal sqlstate '45000' set message_text = 'bank_account_names is append-only';

CREATE TABLE `bank_repeated_lines` (
  `line_id` char(26) NOT NULL,
  `stays_id` char(26) NOT NULL,
  `repeated_at` bigint(20) NOT NULL,
  `repeated_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`line_id`),
  KEY `bank_repeated_lines_stays` (`stays_id`),
  CONSTRAINT `bank_repeated_lines_line` FOREIGN KEY (`line_id`) REFERENCES `bank_statement_lines` (`id`),
  CONSTRAINT `bank_repeated_lines_stays_line` FOREIGN KEY (`stays_id`) REFERENCES `bank_statement_lines` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `bank_repeated_lines_no_delete` BEFORE DELETE ON `bank_repeated_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'bank_repeated_lines is append-only';

CREATE TRIGGER `bank_repeated_lines_no_update` BEFORE UPDATE ON `bank_repeated_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'bank_repeated_lines is append-only';

CREATE TABLE `bank_statement_lines` (
  `id` char(26) NOT NULL,
  `statement_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `file_line` bigint(20) DEFAULT NULL,
  `account` varchar(255) NOT NULL,
  `currency` varchar(64) NOT NULL,
  `booking_date` char(10) NOT NULL,
  `value_date` char(10) DEFAULT NULL,
  `amount_minor` bigint(20) NOT NULL,
  `counterparty` varchar(1000) NOT NULL,
  `counterparty_account` varchar(1000) NOT NULL,
  `remittance` varchar(1000) NOT NULL,
  `bank_reference` varchar(1000) NOT NULL,
  `end_to_end_id` varchar(1000) NOT NULL,
  `transaction_code` varchar(1000) NOT NULL,
  `details` mediumtext DEFAULT NULL,
  `payout_candidate` bigint(20) NOT NULL,
  `balance_after_minor` bigint(20) DEFAULT NULL,
  `identity` char(64) NOT NULL,
  `raw` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `bank_statement_lines_identity` (`identity`),
  UNIQUE KEY `bank_statement_lines_position` (`statement_id`,`position`),
  KEY `bank_statement_lines_days` (`account`,`currency`,`booking_date`),
  KEY `bank_statement_lines_payouts` (`payout_candidate`,`booking_date`,`id`),
  KEY `bank_statement_lines_account_payouts` (`account`,`currency`,`payout_candidate`),
  CONSTRAINT `bank_statement_lines_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `bank_statement_lines_no_delete` BEFORE DELETE ON `bank_statement_lines` FOR EACH ROW if exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') then signal sqlstate '45000' set message_text = 'bank_statement_lines is append-only'; end if;

CREATE TRIGGER `bank_statement_lines_no_update` BEFORE UPDATE ON `bank_statement_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'bank_statement_lines is append-only';

CREATE TABLE `bank_statements` (
  `id` char(26) NOT NULL,
  `file_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `account` varchar(255) NOT NULL,
  `currency` varchar(64) NOT NULL,
  `bank_id` varchar(1000) NOT NULL,
  `number` varchar(1000) NOT NULL,
  `verdict` varchar(64) NOT NULL,
  `opening_minor` bigint(20) DEFAULT NULL,
  `closing_minor` bigint(20) DEFAULT NULL,
  `credits_minor` bigint(20) NOT NULL,
  `debits_minor` bigint(20) NOT NULL,
  `entries` bigint(20) NOT NULL,
  `pending_entries` bigint(20) NOT NULL,
  `from_date` char(10) DEFAULT NULL,
  `through_date` char(10) DEFAULT NULL,
  `first_date` char(10) DEFAULT NULL,
  `last_date` char(10) DEFAULT NULL,
  `fingerprint` char(64) NOT NULL,
  `notes` mediumtext DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `bank_statements_position` (`file_id`,`position`),
  KEY `bank_statements_fingerprint` (`account`,`fingerprint`),
  KEY `bank_statements_days` (`account`,`currency`,`last_date`),
  CONSTRAINT `bank_statements_file` FOREIGN KEY (`file_id`) REFERENCES `statement_files` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `bank_statements_no_delete` BEFORE DELETE ON `bank_statements` FOR EACH ROW if exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') then signal sqlstate '45000' set message_text = 'bank_statements is append-only'; end if;

CREATE TRIGGER `bank_statements_no_update` BEFORE UPDATE ON `bank_statements` FOR EACH ROW if exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') then signal sqlstate '45000' set message_text = 'bank_statements is append-only'; end if;

CREATE TABLE `break_assignments` (
  `break_id` char(26) NOT NULL,
  `assignee` varchar(255) NOT NULL,
  `assigned_at` bigint(20) NOT NULL,
  `assigned_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`break_id`),
  KEY `break_assignments_assignee` (`assignee`),
  CONSTRAINT `break_assignments_break` FOREIGN KEY (`break_id`) REFERENCES `recon_breaks` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `break_decisions` (
  `proposal_id` char(26) NOT NULL,
  `outcome` varchar(64) NOT NULL,
  `reason` varchar(1000) DEFAULT NULL,
  `decided_by` varchar(1000) NOT NULL,
  `decided_by_key` char(26) DEFAULT NULL,
  `decided_at` bigint(20) NOT NULL,
  `posted_as` varchar(320) DEFAULT NULL,
  `amount_millimes` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`proposal_id`),
  UNIQUE KEY `break_decisions_posted_as` (`posted_as`),
  KEY `break_decisions_decided` (`decided_at`,`proposal_id`),
  CONSTRAINT `break_decisions_proposal` FOREIGN KEY (`proposal_id`) REFERENCES `break_proposals` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `break_decisions_no_delete` BEFORE DELETE ON `break_decisions` FOR EACH ROW signal sqlstate '45000' set message_text = 'break_decisions is append-only';

CREATE TRIGGER `break_decisions_no_update` BEFORE UPDATE ON `break_decisions` FOR EACH ROW signal sqlstate '45000' set message_text = 'break_decisions is append-only';

CREATE TABLE `break_proposals` (
  `id` char(26) NOT NULL,
  `subject` varchar(320) NOT NULL,
  `position` bigint(20) NOT NULL,
  `break_id` char(26) DEFAULT NULL,
  `kind` varchar(64) NOT NULL,
  `payload` mediumtext NOT NULL,
  `reason` varchar(1000) NOT NULL,
  `basis` char(64) DEFAULT NULL,
  `proposed_by` varchar(1000) NOT NULL,
  `proposed_by_key` char(26) NOT NULL,
  `proposed_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `break_proposals_subject` (`subject`,`position`),
  KEY `break_proposals_break` (`break_id`),
  KEY `break_proposals_proposed` (`proposed_at`,`id`),
  CONSTRAINT `break_proposals_break` FOREIGN KEY (`break_id`) REFERENCES `recon_breaks` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `break_proposals_no_delete` BEFORE DELETE ON `break_proposals` FOR EACH ROW signal sqlstate '45000' set message_text = 'break_proposals is append-only';

CREATE TRIGGER `break_proposals_no_update` BEFORE UPDATE ON `break_proposals` FOR EACH ROW signal sqlstate '45000' set message_text = 'break_proposals is append-only';

CREATE TABLE `charge_observations` (
  `id` char(26) NOT NULL,
  `payment_id` varchar(255) NOT NULL,
  `observed_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `status` varchar(255) NOT NULL,
  `fee_millimes` bigint(20) DEFAULT NULL,
  `tva_millimes` bigint(20) DEFAULT NULL,
  `detail` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `charge_observations_charge` (`payment_id`,`observed_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `charge_observations_no_delete` BEFORE DELETE ON `charge_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'charge_observations is append-only';

CREATE TRIGGER `charge_observations_no_update` BEFORE UPDATE ON `charge_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'charge_observations is append-only';

CREATE TABLE `confirm_refusals` (
  `id` char(26) NOT NULL,
  `fingerprint` char(64) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `transaction_id` varchar(255) DEFAULT NULL,
  `raw_body` mediumtext NOT NULL,
  `first_at` bigint(20) NOT NULL,
  `last_at` bigint(20) NOT NULL,
  `times` bigint(20) NOT NULL,
  `last_attempt_id` char(26) NOT NULL,
  `token_sub` varchar(255) NOT NULL,
  `token_jti` varchar(255) NOT NULL,
  `agent_id` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `confirm_refusals_call` (`fingerprint`,`kind`),
  KEY `confirm_refusals_transaction` (`transaction_id`),
  KEY `confirm_refusals_agent` (`agent_id`,`first_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `day_credits` (
  `business_date` char(10) NOT NULL,
  `credit_count` bigint(20) NOT NULL,
  `credit_millimes` bigint(20) NOT NULL,
  `charged_millimes` bigint(20) NOT NULL,
  `unexplained_count` bigint(20) NOT NULL,
  `unexplained_millimes` bigint(20) NOT NULL,
  PRIMARY KEY (`business_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `day_cut_offs` (
  `business_date` char(10) NOT NULL,
  `run_id` char(26) NOT NULL,
  `known_at` bigint(20) NOT NULL,
  `owing_count` bigint(20) NOT NULL,
  `owing_millimes` bigint(20) NOT NULL,
  `favored_count` bigint(20) NOT NULL,
  `favored_millimes` bigint(20) NOT NULL,
  `processing_count` bigint(20) NOT NULL,
  `processing_millimes` bigint(20) NOT NULL,
  `available_count` bigint(20) NOT NULL,
  `available_millimes` bigint(20) NOT NULL,
  `late_count` bigint(20) NOT NULL,
  `late_millimes` bigint(20) NOT NULL,
  `last_due_on` char(10) DEFAULT NULL,
  `bank_through` char(10) DEFAULT NULL,
  `last_statement_id` char(26) DEFAULT NULL,
  PRIMARY KEY (`business_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `day_expectations` (
  `business_date` char(10) NOT NULL,
  `item_count` bigint(20) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  PRIMARY KEY (`business_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `day_figures` (
  `business_date` char(10) NOT NULL,
  `channel` varchar(64) NOT NULL,
  `payment_count` bigint(20) NOT NULL,
  `succeeded_millimes` bigint(20) NOT NULL,
  `refunded_millimes` bigint(20) NOT NULL,
  `charged_millimes` bigint(20) NOT NULL,
  `settled_millimes` bigint(20) NOT NULL,
  `other_millimes` bigint(20) NOT NULL,
  `closing_millimes` bigint(20) NOT NULL,
  PRIMARY KEY (`business_date`,`channel`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `day_reopening_proposals` (
  `number` bigint(20) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  `proposed_at` bigint(20) NOT NULL,
  `proposed_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`number`),
  CONSTRAINT `day_reopening_proposals_seal` FOREIGN KEY (`number`) REFERENCES `day_seals` (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `day_reopening_proposals_no_delete` BEFORE DELETE ON `day_reopening_proposals` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_reopening_proposals is append-only';

CREATE TRIGGER `day_reopening_proposals_no_update` BEFORE UPDATE ON `day_reopening_proposals` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_reopening_proposals is append-only';

CREATE TABLE `day_seal_pages` (
  `close_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `content` mediumtext NOT NULL,
  PRIMARY KEY (`close_id`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `day_seal_pages_no_delete` BEFORE DELETE ON `day_seal_pages` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_seal_pages is append-only';

CREATE TRIGGER `day_seal_pages_no_update` BEFORE UPDATE ON `day_seal_pages` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_seal_pages is append-only';

CREATE TABLE `day_sealed_breaks` (
  `number` bigint(20) NOT NULL,
  `break_id` char(26) NOT NULL,
  `through_position` bigint(20) NOT NULL,
  PRIMARY KEY (`number`,`break_id`),
  KEY `day_sealed_breaks_break` (`break_id`),
  CONSTRAINT `day_sealed_breaks_seal` FOREIGN KEY (`number`) REFERENCES `day_seals` (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `day_sealed_breaks_no_delete` BEFORE DELETE ON `day_sealed_breaks` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_sealed_breaks is append-only';

CREATE TRIGGER `day_sealed_breaks_no_update` BEFORE UPDATE ON `day_sealed_breaks` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_sealed_breaks is append-only';

CREATE TABLE `day_seals` (
  `number` bigint(20) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `business_date` char(10) NOT NULL,
  `reopens_number` bigint(20) DEFAULT NULL,
  `close_id` char(26) DEFAULT NULL,
  `content` mediumtext NOT NULL,
  `previous_digest` char(64) DEFAULT NULL,
  `digest` char(64) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`number`),
  UNIQUE KEY `day_seals_reopens` (`reopens_number`),
  UNIQUE KEY `day_seals_close` (`close_id`),
  KEY `day_seals_date` (`business_date`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `day_seals_no_delete` BEFORE DELETE ON `day_seals` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_seals is append-only';

CREATE TRIGGER `day_seals_no_update` BEFORE UPDATE ON `day_seals` FOR EACH ROW signal sqlstate '45000' set message_text = 'day_seals is append-only';

CREATE TABLE `due_cancellations` (
  `reference` varchar(255) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`reference`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `due_cancellations_no_delete` BEFORE DELETE ON `due_cancellations` FOR EACH ROW signal sqlstate '45000' set message_text = 'due_cancellations is append-only';

CREATE TRIGGER `due_cancellations_no_update` BEFORE UPDATE ON `due_cancellations` FOR EACH ROW signal sqlstate '45000' set message_text = 'due_cancellations is append-only';

CREATE TABLE `dues` (
  `reference` varchar(255) NOT NULL,
  `agent_id` varchar(255) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `due_date` char(10) NOT NULL,
  `memo` varchar(1000) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`reference`),
  KEY `dues_agent` (`agent_id`,`due_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `dues_no_delete` BEFORE DELETE ON `dues` FOR EACH ROW signal sqlstate '45000' set message_text = 'dues is append-only';

CREATE TRIGGER `dues_no_update` BEFORE UPDATE ON `dues` FOR EACH ROW signal sqlstate '45000' set message_text = 'dues is append-only';

CREATE TABLE `exclusive_turns` (
  `name` varchar(64) NOT NULL,
  `taken` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `gateway_budget` (
  `budget_key` varchar(255) NOT NULL,
  `value` mediumtext NOT NULL,
  `version` bigint(20) NOT NULL,
  `keep_until` bigint(20) NOT NULL,
  PRIMARY KEY (`budget_key`),
  KEY `gateway_budget_keep_until` (`keep_until`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `gateway_item_fees` (
  `reference` varchar(320) NOT NULL,
  `item_id` varchar(320) NOT NULL,
  `channel` varchar(64) NOT NULL,
  `fee_millimes` bigint(20) NOT NULL,
  `tva_millimes` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `ledger_transaction_id` char(26) NOT NULL,
  PRIMARY KEY (`reference`),
  KEY `gateway_item_fees_item` (`item_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `gateway_item_fees_no_delete` BEFORE DELETE ON `gateway_item_fees` FOR EACH ROW signal sqlstate '45000' set message_text = 'gateway_item_fees is append-only';

CREATE TRIGGER `gateway_item_fees_no_update` BEFORE UPDATE ON `gateway_item_fees` FOR EACH ROW signal sqlstate '45000' set message_text = 'gateway_item_fees is append-only';

CREATE TABLE `gateway_items` (
  `item_id` varchar(320) NOT NULL,
  `channel` varchar(64) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `agent_id` varchar(255) DEFAULT NULL,
  `refund_of` varchar(320) DEFAULT NULL,
  `occurred_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `ledger_transaction_id` char(26) NOT NULL,
  PRIMARY KEY (`item_id`),
  KEY `gateway_items_recorded` (`recorded_at`,`item_id`),
  KEY `gateway_items_refund_of` (`refund_of`),
  KEY `gateway_items_agent_time` (`agent_id`,`occurred_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `gateway_items_no_delete` BEFORE DELETE ON `gateway_items` FOR EACH ROW signal sqlstate '45000' set message_text = 'gateway_items is append-only';

CREATE TRIGGER `gateway_items_no_update` BEFORE UPDATE ON `gateway_items` FOR EACH ROW signal sqlstate '45000' set message_text = 'gateway_items is append-only';

CREATE TABLE `idempotency_keys` (
  `actor_name` varchar(64) NOT NULL,
  `idempotency_key` varchar(255) NOT NULL,
  `fingerprint` char(64) NOT NULL,
  `request_id` char(26) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `lease_until` bigint(20) NOT NULL,
  `status` bigint(20) DEFAULT NULL,
  `headers` mediumtext DEFAULT NULL,
  `body` mediumtext DEFAULT NULL,
  PRIMARY KEY (`actor_name`,`idempotency_key`),
  KEY `idempotency_keys_expiry` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `job_runs` (
  `name` varchar(64) NOT NULL,
  `window_at` bigint(20) NOT NULL,
  `status` varchar(64) NOT NULL,
  `fencing` bigint(20) NOT NULL,
  `lease_until` bigint(20) NOT NULL,
  `started_at` bigint(20) NOT NULL,
  `finished_at` bigint(20) DEFAULT NULL,
  `error` varchar(1000) NOT NULL,
  PRIMARY KEY (`name`,`window_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `ledger_balances` (
  `account` varchar(320) NOT NULL,
  `balance_millimes` bigint(20) NOT NULL,
  PRIMARY KEY (`account`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `ledger_fence` (
  `name` varchar(64) NOT NULL,
  `open_from` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `ledger_late_transactions` (
  `ledger_transaction_id` char(26) NOT NULL,
  `belongs_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  PRIMARY KEY (`ledger_transaction_id`),
  KEY `ledger_late_transactions_recorded` (`recorded_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `ledger_late_transactions_no_delete` BEFORE DELETE ON `ledger_late_transactions` FOR EACH ROW signal sqlstate '45000' set message_text = 'ledger_late_transactions is append-only';

CREATE TRIGGER `ledger_late_transactions_no_update` BEFORE UPDATE ON `ledger_late_transactions` FOR EACH ROW signal sqlstate '45000' set message_text = 'ledger_late_transactions is append-only';

CREATE TABLE `ledger_transactions` (
  `id` char(26) NOT NULL,
  `reference` varchar(320) NOT NULL,
  `code` varchar(64) NOT NULL,
  `occurred_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `reverses_id` char(26) DEFAULT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `ledger_transactions_reference` (`reference`),
  UNIQUE KEY `ledger_transactions_reverses` (`reverses_id`),
  KEY `ledger_transactions_recorded` (`recorded_at`),
  KEY `ledger_transactions_occurred` (`occurred_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `ledger_transactions_no_delete` BEFORE DELETE ON `ledger_transactions` FOR EACH ROW signal sqlstate '45000' set message_text = 'ledger_transactions is append-only';

CREATE TRIGGER `ledger_transactions_no_update` BEFORE UPDATE ON `ledger_transactions` FOR EACH ROW signal sqlstate '45000' set message_text = 'ledger_transactions is append-only';

CREATE TABLE `notification_deliveries` (
  `id` char(26) NOT NULL,
  `recipient_id` char(26) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `content` mediumtext NOT NULL,
  `state` varchar(64) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `available_at` bigint(20) NOT NULL,
  `lease_until` bigint(20) NOT NULL,
  `fencing` bigint(20) NOT NULL,
  `tries` bigint(20) NOT NULL,
  `error` varchar(64) DEFAULT NULL,
  `answer` bigint(20) DEFAULT NULL,
  `done_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `notification_deliveries_due` (`state`,`available_at`),
  KEY `notification_deliveries_recipient` (`recipient_id`,`created_at`),
  KEY `notification_deliveries_done` (`done_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `notification_events` (
  `kind` varchar(64) NOT NULL,
  `subject` varchar(255) NOT NULL,
  `began_at` bigint(20) NOT NULL,
  `ended_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`kind`,`subject`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `notification_recipients` (
  `id` char(26) NOT NULL,
  `owner_name` varchar(64) NOT NULL,
  `key_id` char(26) DEFAULT NULL,
  `way` varchar(64) NOT NULL,
  `address` varchar(1000) NOT NULL,
  `kinds` varchar(1000) NOT NULL,
  `language` varchar(64) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `notification_recipients_owner` (`owner_name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `payment_observations` (
  `id` char(26) NOT NULL,
  `tracking_id` char(26) NOT NULL,
  `source` varchar(64) NOT NULL,
  `observed_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `status` varchar(255) NOT NULL,
  `settlement_status` varchar(255) DEFAULT NULL,
  `method` varchar(255) DEFAULT NULL,
  `amount_millimes` bigint(20) DEFAULT NULL,
  `detail` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `payment_observations_payment` (`tracking_id`,`observed_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payment_observations_no_delete` BEFORE DELETE ON `payment_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'payment_observations is append-only';

CREATE TRIGGER `payment_observations_no_update` BEFORE UPDATE ON `payment_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'payment_observations is append-only';

CREATE TABLE `payment_operations` (
  `id` char(26) NOT NULL,
  `tracking_id` char(26) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `live_key` varchar(64) DEFAULT NULL,
  `state` varchar(64) NOT NULL,
  `amount_millimes` bigint(20) DEFAULT NULL,
  `refund_id` varchar(255) DEFAULT NULL,
  `error` varchar(1000) DEFAULT NULL,
  `requested_at` bigint(20) NOT NULL,
  `ended_at` bigint(20) DEFAULT NULL,
  `next_check_at` bigint(20) DEFAULT NULL,
  `checks` bigint(20) NOT NULL,
  `requested_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `payment_operations_live` (`live_key`),
  KEY `payment_operations_payment` (`tracking_id`),
  KEY `payment_operations_check` (`next_check_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `payments` (
  `tracking_id` char(26) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `reference` varchar(255) DEFAULT NULL,
  `live_reference` varchar(255) DEFAULT NULL,
  `agent_id` varchar(255) DEFAULT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `our_share_millimes` bigint(20) NOT NULL,
  `terms` mediumtext NOT NULL,
  `is_test` bigint(20) NOT NULL,
  `request_state` varchar(64) NOT NULL,
  `request_error` varchar(1000) DEFAULT NULL,
  `requested_at` bigint(20) NOT NULL,
  `sent_at` bigint(20) DEFAULT NULL,
  `gateway_id` varchar(255) DEFAULT NULL,
  `link` mediumtext DEFAULT NULL,
  `session_ends_at` bigint(20) DEFAULT NULL,
  `status` varchar(255) DEFAULT NULL,
  `settlement_status` varchar(255) DEFAULT NULL,
  `method` varchar(255) DEFAULT NULL,
  `captured_millimes` bigint(20) DEFAULT NULL,
  `succeeded_after` bigint(20) DEFAULT NULL,
  `succeeded_until` bigint(20) DEFAULT NULL,
  `item_id` varchar(320) DEFAULT NULL,
  `next_look_at` bigint(20) DEFAULT NULL,
  `nudged_at` bigint(20) DEFAULT NULL,
  `last_look_at` bigint(20) DEFAULT NULL,
  `looks` bigint(20) NOT NULL,
  `failed_looks` bigint(20) NOT NULL,
  `last_look_error` varchar(255) DEFAULT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`tracking_id`),
  UNIQUE KEY `payments_live_reference` (`live_reference`),
  UNIQUE KEY `payments_gateway_id` (`gateway_id`),
  KEY `payments_next_look` (`next_look_at`),
  KEY `payments_request` (`request_state`,`requested_at`),
  KEY `payments_reference` (`reference`),
  KEY `payments_item` (`item_id`),
  KEY `payments_requested` (`requested_at`,`tracking_id`),
  KEY `payments_agent_requested` (`agent_id`,`requested_at`,`tracking_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `payout_claimed_items` (
  `item_id` varchar(320) NOT NULL,
  `match_id` char(26) NOT NULL,
  PRIMARY KEY (`item_id`),
  KEY `payout_claimed_items_match` (`match_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_claimed_items_no_delete` BEFORE DELETE ON `payout_claimed_items` FOR EACH ROW if not exists (select 1 from payout_unmatches u where u.match_id = old.match_id) then signal sqlstate '45000' set message_text = 'payout_claimed_items is append-only'; end if;

CREATE TRIGGER `payout_claimed_items_no_update` BEFORE UPDATE ON `payout_claimed_items` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_claimed_items is append-only';

CREATE TABLE `payout_claimed_lines` (
  `line_id` char(26) NOT NULL,
  `match_id` char(26) NOT NULL,
  PRIMARY KEY (`line_id`),
  KEY `payout_claimed_lines_match` (`match_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_claimed_lines_no_delete` BEFORE DELETE ON `payout_claimed_lines` FOR EACH ROW if not exists (select 1 from payout_unmatches u where u.match_id = old.match_id) then signal sqlstate '45000' set message_text = 'payout_claimed_lines is append-only'; end if;

CREATE TRIGGER `payout_claimed_lines_no_update` BEFORE UPDATE ON `payout_claimed_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_claimed_lines is append-only';

CREATE TABLE `payout_fee_confirmations` (
  `schedule_id` char(26) NOT NULL,
  `confirmed_at` bigint(20) NOT NULL,
  `confirmed_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`schedule_id`),
  CONSTRAINT `payout_fee_confirmations_schedule` FOREIGN KEY (`schedule_id`) REFERENCES `payout_fee_schedules` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_fee_confirmations_no_delete` BEFORE DELETE ON `payout_fee_confirmations` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_fee_confirmations is append-only';

CREATE TRIGGER `payout_fee_confirmations_no_update` BEFORE UPDATE ON `payout_fee_confirmations` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_fee_confirmations is append-only';

CREATE TABLE `payout_fee_schedules` (
  `id` char(26) NOT NULL,
  `rules` mediumtext NOT NULL,
  `run_id` char(26) NOT NULL,
  `credits` mediumtext NOT NULL,
  `first_date` char(10) DEFAULT NULL,
  `last_date` char(10) DEFAULT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_fee_schedules_no_delete` BEFORE DELETE ON `payout_fee_schedules` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_fee_schedules is append-only';

CREATE TRIGGER `payout_fee_schedules_no_update` BEFORE UPDATE ON `payout_fee_schedules` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_fee_schedules is append-only';

CREATE TABLE `payout_marks` (
  `id` char(26) NOT NULL,
  `line_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `is_payout` bigint(20) NOT NULL,
  `pattern` varchar(1000) NOT NULL,
  `decided_at` bigint(20) NOT NULL,
  `decided_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `payout_marks_line` (`line_id`,`position`),
  CONSTRAINT `payout_marks_of_line` FOREIGN KEY (`line_id`) REFERENCES `bank_statement_lines` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_marks_no_delete` BEFORE DELETE ON `payout_marks` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_marks is append-only';

CREATE TRIGGER `payout_marks_no_update` BEFORE UPDATE ON `payout_marks` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_marks is append-only';

CREATE TABLE `payout_match_items` (
  `match_id` char(26) NOT NULL,
  `item_id` varchar(320) NOT NULL,
  `channel` varchar(64) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `fee_millimes` bigint(20) NOT NULL,
  `tva_millimes` bigint(20) NOT NULL,
  `evidence` varchar(64) NOT NULL,
  PRIMARY KEY (`match_id`,`item_id`),
  KEY `payout_match_items_item` (`item_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_match_items_no_delete` BEFORE DELETE ON `payout_match_items` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_match_items is append-only';

CREATE TRIGGER `payout_match_items_no_update` BEFORE UPDATE ON `payout_match_items` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_match_items is append-only';

CREATE TABLE `payout_match_returns` (
  `match_id` char(26) NOT NULL,
  `credit_line_id` char(26) NOT NULL,
  `debit_line_id` char(26) NOT NULL,
  PRIMARY KEY (`match_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_match_returns_no_delete` BEFORE DELETE ON `payout_match_returns` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_match_returns is append-only';

CREATE TRIGGER `payout_match_returns_no_update` BEFORE UPDATE ON `payout_match_returns` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_match_returns is append-only';

CREATE TABLE `payout_matches` (
  `id` char(26) NOT NULL,
  `line_id` char(26) NOT NULL,
  `run_id` char(26) DEFAULT NULL,
  `kind` varchar(64) NOT NULL,
  `model` varchar(64) DEFAULT NULL,
  `stream` varchar(64) DEFAULT NULL,
  `evidence` varchar(64) NOT NULL,
  `gross_millimes` bigint(20) NOT NULL,
  `fee_millimes` bigint(20) NOT NULL,
  `tva_millimes` bigint(20) NOT NULL,
  `remainder_millimes` bigint(20) NOT NULL,
  `rest_channel` varchar(64) NOT NULL,
  `claimed_error` varchar(64) DEFAULT NULL,
  `cut_after` bigint(20) DEFAULT NULL,
  `cut_until` bigint(20) DEFAULT NULL,
  `ledger_transaction_id` char(26) NOT NULL,
  `reason` varchar(1000) DEFAULT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  `approved_by` varchar(1000) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `payout_matches_line` (`line_id`),
  KEY `payout_matches_recorded` (`recorded_at`),
  KEY `payout_matches_cut` (`cut_until`,`id`),
  KEY `payout_matches_run` (`run_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_matches_no_delete` BEFORE DELETE ON `payout_matches` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_matches is append-only';

CREATE TRIGGER `payout_matches_no_update` BEFORE UPDATE ON `payout_matches` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_matches is append-only';

CREATE TABLE `payout_unmatches` (
  `match_id` char(26) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `debit_line_id` char(26) DEFAULT NULL,
  `run_id` char(26) DEFAULT NULL,
  `reason` varchar(1000) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`match_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `payout_unmatches_no_delete` BEFORE DELETE ON `payout_unmatches` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_unmatches is append-only';

CREATE TRIGGER `payout_unmatches_no_update` BEFORE UPDATE ON `payout_unmatches` FOR EACH ROW signal sqlstate '45000' set message_text = 'payout_unmatches is append-only';

CREATE TABLE `pending_entries` (
  `id` char(26) NOT NULL,
  `statement_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `status` varchar(64) NOT NULL,
  `account` varchar(255) NOT NULL,
  `currency` varchar(64) NOT NULL,
  `booking_date` char(10) NOT NULL,
  `value_date` char(10) DEFAULT NULL,
  `amount_minor` bigint(20) NOT NULL,
  `counterparty` varchar(1000) NOT NULL,
  `counterparty_account` varchar(1000) NOT NULL,
  `remittance` varchar(1000) NOT NULL,
  `bank_reference` varchar(1000) NOT NULL,
  `end_to_end_id` varchar(1000) NOT NULL,
  `reference_key` char(64) DEFAULT NULL,
  `content_key` char(64) NOT NULL,
  `raw` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pending_entries_position` (`statement_id`,`position`),
  KEY `pending_entries_reference` (`account`,`reference_key`),
  KEY `pending_entries_content` (`account`,`content_key`),
  CONSTRAINT `pending_entries_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `pending_entries_no_delete` BEFORE DELETE ON `pending_entries` FOR EACH ROW if exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') then signal sqlstate '45000' set message_text = 'pending_entries is append-only'; end if;

CREATE TRIGGER `pending_entries_no_update` BEFORE UPDATE ON `pending_entries` FOR EACH ROW signal sqlstate '45000' set message_text = 'pending_entries is append-only';

CREATE TABLE `pending_replacements` (
  `pending_id` char(26) NOT NULL,
  `line_id` char(26) NOT NULL,
  `replaced_at` bigint(20) NOT NULL,
  PRIMARY KEY (`pending_id`),
  KEY `pending_replacements_line` (`line_id`),
  CONSTRAINT `pending_replacements_booked` FOREIGN KEY (`line_id`) REFERENCES `bank_statement_lines` (`id`),
  CONSTRAINT `pending_replacements_pending` FOREIGN KEY (`pending_id`) REFERENCES `pending_entries` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `pending_replacements_no_delete` BEFORE DELETE ON `pending_replacements` FOR EACH ROW if exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = (select statement_id from bank_statement_lines where id = old.line_id) and l.state <> 'loading') and exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = (select statement_id from pending_entries where id = old.pending_id) and l.state <> 'loading') then signal sqlstate '45000' set message_text = 'pending_replacements is append-only'; end if;

CREATE TRIGGER `pending_replacements_no_update` BEFORE UPDATE ON `pending_replacements` FOR EACH ROW signal sqlstate '45000' set message_text = 'pending_replacements is append-only';

CREATE TABLE `postings` (
  `transaction_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `debit_account` varchar(320) NOT NULL,
  `credit_account` varchar(320) NOT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  PRIMARY KEY (`transaction_id`,`position`),
  KEY `postings_debit` (`debit_account`,`transaction_id`),
  KEY `postings_credit` (`credit_account`,`transaction_id`),
  CONSTRAINT `postings_transaction` FOREIGN KEY (`transaction_id`) REFERENCES `ledger_transactions` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `postings_no_delete` BEFORE DELETE ON `postings` FOR EACH ROW signal sqlstate '45000' set message_text = 'postings is append-only';

CREATE TRIGGER `postings_no_update` BEFORE UPDATE ON `postings` FOR EACH ROW signal sqlstate '45000' set message_text = 'postings is append-only';

CREATE TABLE `qr_transactions` (
  `transaction_unique_id` varchar(255) NOT NULL,
  `tracking_id` char(26) DEFAULT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `channel` varchar(255) DEFAULT NULL,
  `paid_at` bigint(20) NOT NULL,
  `first_seen_at` bigint(20) NOT NULL,
  `item_id` varchar(320) DEFAULT NULL,
  PRIMARY KEY (`transaction_unique_id`),
  KEY `qr_transactions_payment` (`tracking_id`),
  KEY `qr_transactions_paid` (`paid_at`,`transaction_unique_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `recon_break_events` (
  `break_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `actor` varchar(1000) NOT NULL,
  `at` bigint(20) NOT NULL,
  `detail` mediumtext NOT NULL,
  PRIMARY KEY (`break_id`,`position`),
  CONSTRAINT `recon_break_events_break` FOREIGN KEY (`break_id`) REFERENCES `recon_breaks` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `recon_break_events_no_delete` BEFORE DELETE ON `recon_break_events` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_break_events is append-only';

CREATE TRIGGER `recon_break_events_no_update` BEFORE UPDATE ON `recon_break_events` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_break_events is append-only';

CREATE TABLE `recon_break_items` (
  `item_id` varchar(320) NOT NULL,
  `break_id` char(26) NOT NULL,
  PRIMARY KEY (`item_id`,`break_id`),
  KEY `recon_break_items_break` (`break_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `recon_breaks` (
  `id` char(26) NOT NULL,
  `fingerprint` varchar(320) NOT NULL,
  `class` varchar(64) NOT NULL,
  `status` varchar(64) NOT NULL,
  `since` char(10) NOT NULL,
  `amount_millimes` bigint(20) DEFAULT NULL,
  `subject` mediumtext NOT NULL,
  `opened_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  `resolved_at` bigint(20) DEFAULT NULL,
  `resolution` varchar(64) DEFAULT NULL,
  `direction` varchar(64) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `recon_breaks_fingerprint` (`fingerprint`),
  KEY `recon_breaks_status_since` (`status`,`since`,`class`,`fingerprint`),
  KEY `recon_breaks_class` (`class`,`status`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `recon_run_inputs` (
  `run_id` char(26) NOT NULL,
  `known_until` bigint(20) NOT NULL,
  `settings_digest` char(64) NOT NULL,
  `request_digest` char(64) NOT NULL,
  `answer_digest` char(64) NOT NULL,
  `engine_version` varchar(64) NOT NULL,
  `fees` mediumtext DEFAULT NULL,
  `fees_confirmed` bigint(20) NOT NULL,
  `error_max` varchar(64) NOT NULL,
  `horizon` char(10) NOT NULL,
  PRIMARY KEY (`run_id`),
  CONSTRAINT `recon_run_inputs_run` FOREIGN KEY (`run_id`) REFERENCES `recon_runs` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `recon_run_inputs_no_delete` BEFORE DELETE ON `recon_run_inputs` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_run_inputs is append-only';

CREATE TRIGGER `recon_run_inputs_no_update` BEFORE UPDATE ON `recon_run_inputs` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_run_inputs is append-only';

CREATE TABLE `recon_run_lines` (
  `run_id` char(26) NOT NULL,
  `line_ids` mediumtext NOT NULL,
  PRIMARY KEY (`run_id`),
  CONSTRAINT `recon_run_lines_run` FOREIGN KEY (`run_id`) REFERENCES `recon_runs` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `recon_run_lines_no_delete` BEFORE DELETE ON `recon_run_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_run_lines is append-only';

CREATE TRIGGER `recon_run_lines_no_update` BEFORE UPDATE ON `recon_run_lines` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_run_lines is append-only';

CREATE TABLE `recon_runs` (
  `id` char(26) NOT NULL,
  `through` char(10) NOT NULL,
  `digest` char(64) NOT NULL,
  `verdict` varchar(64) NOT NULL,
  `summary` mediumtext NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `recon_runs_recorded` (`recorded_at`),
  KEY `recon_runs_through` (`through`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `recon_runs_no_delete` BEFORE DELETE ON `recon_runs` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_runs is append-only';

CREATE TRIGGER `recon_runs_no_update` BEFORE UPDATE ON `recon_runs` FOR EACH ROW signal sqlstate '45000' set message_text = 'recon_runs is append-only';

CREATE TABLE `recon_waiting_items` (
  `item_id` varchar(320) NOT NULL,
  `channel` varchar(64) NOT NULL,
  `agent_id` varchar(255) DEFAULT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `succeeded_at` bigint(20) NOT NULL,
  `available_at` bigint(20) NOT NULL,
  `usually_on` char(10) DEFAULT NULL,
  `due_on` char(10) DEFAULT NULL,
  `is_late` bigint(20) NOT NULL,
  PRIMARY KEY (`item_id`),
  KEY `recon_waiting_items_available` (`available_at`,`item_id`),
  KEY `recon_waiting_items_channel` (`channel`,`available_at`,`item_id`),
  KEY `recon_waiting_items_agent` (`agent_id`,`available_at`,`item_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `recon_waiting_runs` (
  `position` bigint(20) NOT NULL,
  `run_id` char(26) NOT NULL,
  `through` char(10) NOT NULL,
  `known_at` bigint(20) NOT NULL,
  PRIMARY KEY (`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `service_token_revocations` (
  `jti` varchar(255) NOT NULL,
  `revoked_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`jti`),
  KEY `service_token_revocations_revoked` (`revoked_at`,`jti`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `service_token_revocations_no_delete` BEFORE DELETE ON `service_token_revocations` FOR EACH ROW signal sqlstate '45000' set message_text = 'service_token_revocations is append-only';

CREATE TRIGGER `service_token_revocations_no_update` BEFORE UPDATE ON `service_token_revocations` FOR EACH ROW signal sqlstate '45000' set message_text = 'service_token_revocations is append-only';

CREATE TABLE `service_tokens` (
  `jti` varchar(255) NOT NULL,
  `subject` varchar(255) NOT NULL,
  `kid` varchar(255) NOT NULL,
  `alg` varchar(64) NOT NULL,
  `issued_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`jti`),
  KEY `service_tokens_issued` (`issued_at`,`jti`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `service_tokens_no_delete` BEFORE DELETE ON `service_tokens` FOR EACH ROW signal sqlstate '45000' set message_text = 'service_tokens is append-only';

CREATE TRIGGER `service_tokens_no_update` BEFORE UPDATE ON `service_tokens` FOR EACH ROW signal sqlstate '45000' set message_text = 'service_tokens is append-only';

CREATE TABLE `sign_in_tries` (
  `key_digest` char(64) NOT NULL,
  `tries` bigint(20) NOT NULL,
  `counted_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`key_digest`),
  KEY `sign_in_tries_counted` (`counted_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `statement_acceptances` (
  `statement_id` char(26) NOT NULL,
  `accepted_at` bigint(20) NOT NULL,
  `accepted_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`statement_id`),
  CONSTRAINT `statement_acceptances_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_acceptances_no_delete` BEFORE DELETE ON `statement_acceptances` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_acceptances is append-only';

CREATE TRIGGER `statement_acceptances_no_update` BEFORE UPDATE ON `statement_acceptances` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_acceptances is append-only';

CREATE TABLE `statement_exclusions` (
  `statement_id` char(26) NOT NULL,
  `excluded_at` bigint(20) NOT NULL,
  `excluded_by` varchar(1000) NOT NULL,
  `reason` varchar(1000) NOT NULL,
  PRIMARY KEY (`statement_id`),
  CONSTRAINT `statement_exclusions_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_exclusions_no_delete` BEFORE DELETE ON `statement_exclusions` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_exclusions is append-only';

CREATE TRIGGER `statement_exclusions_no_update` BEFORE UPDATE ON `statement_exclusions` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_exclusions is append-only';

CREATE TABLE `statement_file_chunks` (
  `file_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `content` mediumblob NOT NULL,
  PRIMARY KEY (`file_id`,`position`),
  CONSTRAINT `statement_file_chunks_file` FOREIGN KEY (`file_id`) REFERENCES `statement_files` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_file_chunks_no_delete` BEFORE DELETE ON `statement_file_chunks` FOR EACH ROW if exists (select 1 from statement_loads where file_id = old.file_id and state <> 'loading') then signal sqlstate '45000' set message_text = 'statement_file_chunks is append-only'; end if;

CREATE TRIGGER `statement_file_chunks_no_update` BEFORE UPDATE ON `statement_file_chunks` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_file_chunks is append-only';

CREATE TABLE `statement_files` (
  `id` char(26) NOT NULL,
  `sha256` char(64) NOT NULL,
  `name` varchar(1000) NOT NULL,
  `size_bytes` bigint(20) NOT NULL,
  `format` varchar(64) NOT NULL,
  `profile` varchar(64) NOT NULL,
  `imported_at` bigint(20) NOT NULL,
  `imported_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `statement_files_sha256` (`sha256`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_files_no_delete` BEFORE DELETE ON `statement_files` FOR EACH ROW if exists (select 1 from statement_loads where file_id = old.id and state <> 'loading') then signal sqlstate '45000' set message_text = 'statement_files is append-only'; end if;

CREATE TRIGGER `statement_files_no_update` BEFORE UPDATE ON `statement_files` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_files is append-only';

CREATE TABLE `statement_holds` (
  `statement_id` char(26) NOT NULL,
  `kind` varchar(64) NOT NULL,
  `held_at` bigint(20) NOT NULL,
  PRIMARY KEY (`statement_id`),
  CONSTRAINT `statement_holds_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_holds_no_delete` BEFORE DELETE ON `statement_holds` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_holds is append-only';

CREATE TRIGGER `statement_holds_no_update` BEFORE UPDATE ON `statement_holds` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_holds is append-only';

CREATE TABLE `statement_line_repeats` (
  `statement_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `line_id` char(26) NOT NULL,
  PRIMARY KEY (`statement_id`,`position`),
  KEY `statement_line_repeats_line` (`line_id`),
  CONSTRAINT `statement_line_repeats_first` FOREIGN KEY (`line_id`) REFERENCES `bank_statement_lines` (`id`),
  CONSTRAINT `statement_line_repeats_statement` FOREIGN KEY (`statement_id`) REFERENCES `bank_statements` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_line_repeats_no_delete` BEFORE DELETE ON `statement_line_repeats` FOR EACH ROW if exists (select 1 from bank_statements s join statement_loads l on l.file_id = s.file_id where s.id = old.statement_id and l.state <> 'loading') then signal sqlstate '45000' set message_text = 'statement_line_repeats is append-only'; end if;

CREATE TRIGGER `statement_line_repeats_no_update` BEFORE UPDATE ON `statement_line_repeats` FOR EACH ROW signal sqlstate '45000' set message_text = 'statement_line_repeats is append-only';

CREATE TABLE `statement_loads` (
  `file_id` char(26) NOT NULL,
  `state` varchar(64) NOT NULL,
  `slot` bigint(20) DEFAULT NULL,
  `lease_until` bigint(20) NOT NULL,
  `started_at` bigint(20) NOT NULL,
  PRIMARY KEY (`file_id`),
  UNIQUE KEY `statement_loads_slot` (`slot`),
  CONSTRAINT `statement_loads_file` FOREIGN KEY (`file_id`) REFERENCES `statement_files` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `statement_loads_no_delete` BEFORE DELETE ON `statement_loads` FOR EACH ROW if old.state <> 'loading' then signal sqlstate '45000' set message_text = 'statement_loads is append-only'; end if;

CREATE TRIGGER `statement_loads_no_update` BEFORE UPDATE ON `statement_loads` FOR EACH ROW if new.file_id <> old.file_id or (new.state = 'loading' and old.state <> 'loading') then signal sqlstate '45000' set message_text = 'statement_loads is append-only'; end if;

CREATE TABLE `statement_upload_chunks` (
  `upload_id` char(26) NOT NULL,
  `position` bigint(20) NOT NULL,
  `content` mediumblob NOT NULL,
  PRIMARY KEY (`upload_id`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `statement_upload_quotas` (
  `name` varchar(64) NOT NULL,
  `counted_at` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `statement_uploads` (
  `id` char(26) NOT NULL,
  `name` varchar(255) NOT NULL,
  `size_bytes` bigint(20) NOT NULL,
  `sha256` char(64) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `created_by` varchar(64) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `statement_uploads_expiry` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `subscription_charges` (
  `payment_id` varchar(255) NOT NULL,
  `tracking_id` char(26) NOT NULL,
  `status` varchar(255) NOT NULL,
  `method` varchar(255) NOT NULL,
  `billing_reason` varchar(255) NOT NULL,
  `attempt` bigint(20) DEFAULT NULL,
  `period_start` char(10) DEFAULT NULL,
  `period_end` char(10) DEFAULT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `fee_millimes` bigint(20) DEFAULT NULL,
  `tva_millimes` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) DEFAULT NULL,
  `paid_at` bigint(20) DEFAULT NULL,
  `first_seen_at` bigint(20) NOT NULL,
  `last_look_at` bigint(20) NOT NULL,
  `item_id` varchar(320) DEFAULT NULL,
  `charged_at` bigint(20) GENERATED ALWAYS AS (coalesce(`paid_at`,`created_at`,`first_seen_at`)) VIRTUAL,
  PRIMARY KEY (`payment_id`),
  KEY `subscription_charges_subscription` (`tracking_id`,`period_start`),
  KEY `subscription_charges_created` (`tracking_id`,`created_at`,`payment_id`),
  KEY `subscription_charges_charged` (`charged_at`,`payment_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `subscription_observations` (
  `id` char(26) NOT NULL,
  `tracking_id` char(26) NOT NULL,
  `observed_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `status` varchar(255) NOT NULL,
  `detail` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `subscription_observations_subscription` (`tracking_id`,`observed_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `subscription_observations_no_delete` BEFORE DELETE ON `subscription_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'subscription_observations is append-only';

CREATE TRIGGER `subscription_observations_no_update` BEFORE UPDATE ON `subscription_observations` FOR EACH ROW signal sqlstate '45000' set message_text = 'subscription_observations is append-only';

CREATE TABLE `subscriptions` (
  `tracking_id` char(26) NOT NULL,
  `reference` varchar(255) DEFAULT NULL,
  `live_reference` varchar(255) DEFAULT NULL,
  `agent_id` varchar(255) DEFAULT NULL,
  `amount_millimes` bigint(20) NOT NULL,
  `terms` mediumtext NOT NULL,
  `is_test` bigint(20) NOT NULL,
  `request_state` varchar(64) NOT NULL,
  `request_error` varchar(1000) DEFAULT NULL,
  `requested_at` bigint(20) NOT NULL,
  `sent_at` bigint(20) DEFAULT NULL,
  `subscription_id` varchar(255) DEFAULT NULL,
  `first_payment_id` varchar(255) DEFAULT NULL,
  `link` mediumtext DEFAULT NULL,
  `session_ends_at` bigint(20) DEFAULT NULL,
  `status` varchar(255) DEFAULT NULL,
  `activated_at` bigint(20) DEFAULT NULL,
  `period_start_at` bigint(20) DEFAULT NULL,
  `period_end_at` bigint(20) DEFAULT NULL,
  `next_charge_at` bigint(20) DEFAULT NULL,
  `cycles_completed` bigint(20) NOT NULL,
  `cancel_at_period_end` bigint(20) NOT NULL,
  `canceled_at` bigint(20) DEFAULT NULL,
  `cancellation_initiator` varchar(255) DEFAULT NULL,
  `cancellation_reason` varchar(255) DEFAULT NULL,
  `next_look_at` bigint(20) DEFAULT NULL,
  `nudged_at` bigint(20) DEFAULT NULL,
  `last_look_at` bigint(20) DEFAULT NULL,
  `looks` bigint(20) NOT NULL,
  `failed_looks` bigint(20) NOT NULL,
  `last_look_error` varchar(255) DEFAULT NULL,
  `recorded_by` varchar(1000) NOT NULL,
  PRIMARY KEY (`tracking_id`),
  UNIQUE KEY `subscriptions_live_reference` (`live_reference`),
  UNIQUE KEY `subscriptions_subscription_id` (`subscription_id`),
  KEY `subscriptions_next_look` (`next_look_at`),
  KEY `subscriptions_request` (`request_state`,`requested_at`),
  KEY `subscriptions_reference` (`reference`),
  KEY `subscriptions_agent` (`agent_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `user_devices` (
  `token_digest` char(64) NOT NULL,
  `user_id` char(26) NOT NULL,
  `used_at` bigint(20) NOT NULL,
  PRIMARY KEY (`token_digest`),
  KEY `user_devices_used` (`used_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `user_sessions` (
  `id` char(26) NOT NULL,
  `token_digest` char(64) NOT NULL,
  `user_id` char(26) NOT NULL,
  `address` varchar(64) NOT NULL,
  `started_at` bigint(20) NOT NULL,
  `proved_at` bigint(20) NOT NULL,
  `used_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `enrolling_secret` varchar(64) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_sessions_token` (`token_digest`),
  KEY `user_sessions_user` (`user_id`),
  KEY `user_sessions_used` (`used_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `users` (
  `id` char(26) NOT NULL,
  `name` varchar(64) NOT NULL,
  `full_name` varchar(1000) NOT NULL,
  `language` varchar(64) DEFAULT NULL,
  `roles` varchar(1000) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `recorded_by` varchar(64) NOT NULL,
  `disabled_at` bigint(20) DEFAULT NULL,
  `password_hash` varchar(1000) DEFAULT NULL,
  `code_digest` char(64) DEFAULT NULL,
  `code_expires_at` bigint(20) DEFAULT NULL,
  `totp_secret` varchar(64) DEFAULT NULL,
  `totp_step` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users_name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `webhook_conflicts` (
  `id` char(26) NOT NULL,
  `inbox_id` char(26) NOT NULL,
  `content` mediumblob NOT NULL,
  `content_digest` char(64) NOT NULL,
  `received_at` bigint(20) NOT NULL,
  `facts` mediumtext DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `webhook_conflicts_content` (`inbox_id`,`content_digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `webhook_conflicts_no_delete` BEFORE DELETE ON `webhook_conflicts` FOR EACH ROW signal sqlstate '45000' set message_text = 'webhook_conflicts is append-only';

CREATE TRIGGER `webhook_conflicts_no_update` BEFORE UPDATE ON `webhook_conflicts` FOR EACH ROW signal sqlstate '45000' set message_text = 'webhook_conflicts is append-only';

CREATE TABLE `webhook_inbox` (
  `id` char(26) NOT NULL,
  `dedupe_digest` char(64) NOT NULL,
  `family` varchar(64) NOT NULL,
  `proof` varchar(64) NOT NULL,
  `event` varchar(255) NOT NULL,
  `payment_id` varchar(255) DEFAULT NULL,
  `subscription_id` varchar(255) DEFAULT NULL,
  `developer_tracking_id` varchar(255) DEFAULT NULL,
  `content` mediumblob NOT NULL,
  `content_digest` char(64) NOT NULL,
  `signed_at` bigint(20) DEFAULT NULL,
  `received_at` bigint(20) NOT NULL,
  `last_received_at` bigint(20) NOT NULL,
  `times` bigint(20) NOT NULL,
  `state` varchar(64) NOT NULL,
  `outcome` varchar(64) DEFAULT NULL,
  `available_at` bigint(20) NOT NULL,
  `lease_until` bigint(20) NOT NULL,
  `fencing` bigint(20) NOT NULL,
  `tries` bigint(20) NOT NULL,
  `error` varchar(1000) DEFAULT NULL,
  `done_at` bigint(20) DEFAULT NULL,
  `facts` mediumtext DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `webhook_inbox_dedupe` (`dedupe_digest`),
  KEY `webhook_inbox_available` (`state`,`available_at`),
  KEY `webhook_inbox_received` (`received_at`),
  KEY `webhook_inbox_payment_received` (`payment_id`,`received_at`,`id`),
  KEY `webhook_inbox_state_received` (`state`,`received_at`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
