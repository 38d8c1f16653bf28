import { counted } from './counted';
import { badField, badFile, conflict, notFound, quoted } from './problem-type';

export interface UploadQuota {
  readonly of: string;
  readonly filesMax: number;
  readonly mebibytesMax: number;
  readonly uploadIds: readonly string[];
}

/** The problems of bank statements and of closing days. */
export const BANK_PROBLEMS = {
  // Statements.
  account_differs: badField,
  account_missing: badField,
  account_renamed: conflict(
    ({ account }: { account: string }) =>
      `the name of account ${account} changed during the import; nothing was stored; import the file again`,
  ),
  account_changed_by_spreadsheet: badField,
  account_unproven: badField,
  account_joined: conflict(
    ({ name, into, account }: { name: string; into: string; account: string }) =>
      `${name} and ${into} already are one account, ${account}, and a join is permanent; nothing was changed`,
    () => 'run "millime statements accounts list" for its names',
  ),
  accounts_overlap: conflict(
    (params: { name: string; account: string; statementId: string; otherId: string; day: string }) =>
      `${params.name} and ${params.account} have different movements or balances of ${params.day}, in statements ` +
      `${params.statementId} and ${params.otherId}; nothing was changed; two formats of one statement agree if their ` +
      'balances and the amounts of each common day are equal; compare both with the bank; if they are one account, ' +
      'restore the backup from before the wrong import, then import its file again',
  ),
  movement_used_twice: conflict(
    ({ lineId, otherId, day }: { lineId: string; otherId: string; day: string }) =>
      `lines ${lineId} and ${otherId} are one movement of ${day}, and both are matched or written off; nothing was ` +
      'changed',
    ({ lineId }) => `run "millime reconcile unmatch ${lineId} --reason ..." or reopen its break, then join again`,
  ),
  currency_missing: badField,
  date_format_undecided: badField,
  decimal_sign_undecided: badField,
  unit_undecided: badField,
  sign_undecided: badField,
  column_undecided: badField,
  profile_unconfirmed: badField,
  profile_exists: conflict(
    ({ name }: { name: string }) =>
      `a saved or shipped profile ${quoted(name)} differs from the proposed one; save it under another name`,
    () => '"millime statements profiles" lists the names',
  ),
  dates_impossible: badFile,
  statements_known: badFile,
  /** `uploadIds`: the uploads of the actor, which may remove them. */
  upload_quota: conflict(
    ({ of, filesMax, mebibytesMax }: UploadQuota) =>
      `the uploads of ${of} would exceed ${counted(filesMax, 'file')} or ${mebibytesMax} MiB; nothing was stored; ` +
      'remove uploads that are imported, or wait until they expire',
  ),
  import_running: conflict(
    ({ fileName, since }: { fileName: string; since: string }) =>
      `another import is running (${fileName}, since ${since}); nothing was stored; try again when it has ended`,
  ),
  statement_not_held: conflict(
    ({ statementId, why }: { statementId: string; why: string }) =>
      `statement ${statementId} does not wait for acceptance: ${why}`,
    () => 'run "millime statements list --waiting"',
  ),
  statement_repeats: conflict(
    (params: { statementId: string; otherId: string; day: string; amount: string; otherAmount: string }) =>
      `statements ${params.statementId} and ${params.otherId} both cover ${params.day} with different lines: ` +
      `${params.amount} only in the first, ${params.otherAmount} only in the second, which is posted; nothing was ` +
      'changed, because posting both may count money twice',
    ({ statementId }) =>
      `run "millime statements exclude ${statementId} --reason ..."; ` +
      'if lines are missing then, import a statement with balances of whole days, or one that begins on another day',
  ),

  // Days.
  /** The faults of the error are its obstacles. */
  day_not_closable: conflict(({ date }: { date: string }) => `cannot close ${date}`),
  day_not_closed: notFound(({ date }: { date: string }) => `${date} is not closed`),
  reopening_proposed: conflict(
    ({ date, proposedBy }: { date: string; proposedBy: string }) => `${proposedBy} already proposed to reopen ${date}`,
    ({ date }) => `another person approves it with "millime close-day ${date} --reopen --approve"`,
  ),
  reopening_not_proposed: notFound(
    ({ date }: { date: string }) => `${date} has no proposal to reopen it`,
    ({ date }) => `propose it with "millime close-day ${date} --reopen"`,
  ),
  later_day_closed: conflict(
    ({ later }: { later: string }) => `${later} is closed as well`,
    ({ later }) => `run "millime close-day ${later} --reopen --reason <text>" first`,
  ),
  seal_changed: conflict(
    ({ seal }: { seal: number }) => `seal ${seal} was changed`,
    () => 'run "millime ledger verify"',
  ),
} as const;
