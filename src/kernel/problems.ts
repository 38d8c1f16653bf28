import { counted } from './counted';
import { escapeUnseen } from './unseen';

/**
 * The kinds of faults. Callers compare them, never message text.
 *
 * - `bad_input`: the input cannot be accepted; `details` has one line per fault if several exist.
 * - `not_found`, `conflict`: the thing does not exist, or its state forbids the change.
 * - `misconfigured`: the environment or a file of the installation is wrong; the message names it.
 * - `forbidden`: the caller may not do this; the message names at most the missing scope.
 * - `unavailable`: a service that Millime needs (most often the database) cannot answer now; retry later.
 * - `outcome_unknown`: a COMMIT was sent and got no answer; it may or may not be stored.
 * - `storage_broken`: the database cannot store (disk full, corrupt, read-only); an operator must act.
 * - `interrupted`: a long job stopped before its end; its results are stored, and another run continues from there.
 * - `duplicate_key`: another transaction took a unique key first.
 * - `internal`: a bug of Millime.
 */
export type AppErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'conflict'
  | 'misconfigured'
  | 'forbidden'
  | 'unavailable'
  | 'outcome_unknown'
  | 'storage_broken'
  | 'interrupted'
  | 'duplicate_key'
  | 'internal';

// Every problem that a caller can meet: its stable code, its kind, and its sentence. The sentence is built from
// parameters, so that the API can translate it. Sentences follow docs/STYLE.md: lower case, no full stop; the expected
// value, the actual one, and what to do next.

const SHOWN_CHARACTERS_MAX = 80;

/** Quotes a value for a sentence: on one line, every character visible, long ones shortened. */
export function quoted(value: string): string {
  const isLong = value.length > SHOWN_CHARACTERS_MAX;
  return escapeUnseen(JSON.stringify(isLong ? `${value.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()}…` : value));
}

/** One faulty field: its expected value or its fault, and what to do. Omit `got` if the value may be a secret. */
export type FieldFault = { readonly field: string; readonly fix?: string } & (
  { readonly expected: string; readonly got?: string | number | boolean } | { readonly fault: string }
);

function fieldFault(params: FieldFault): string {
  const { field, fix } = params;
  return `${field}: ${'fault' in params ? params.fault : expectation(params)}${next(fix)}`;
}

function expectation({
  expected,
  got,
}: {
  readonly expected: string;
  readonly got?: string | number | boolean;
}): string {
  if (got === undefined) return `expected ${expected}`;
  if (got === '') return `expected ${expected}, got nothing`;
  return `expected ${expected}, got ${typeof got === 'string' ? quoted(got) : String(got)}`;
}

/** Adds what to do after a semicolon, if anything. */
function next(fix: string | undefined): string {
  return fix === undefined ? '' : `; ${fix}`;
}

/** A file, its fault as a whole, and what to do. */
interface FileFaults {
  readonly file: string;
  readonly fault?: string;
  readonly fix?: string;
}

function fileFaults({ file, fault = 'has faults', fix }: FileFaults): string {
  return `${file}: ${fault}; nothing was stored${next(fix)}`;
}

interface ProblemType<Kind extends AppErrorCode, Params> {
  readonly kind: Kind;
  readonly text: (params: Params) => string;
}

const problem =
  <Kind extends AppErrorCode>(kind: Kind) =>
  <Params>(text: (params: Params) => string): ProblemType<Kind, Params> => ({ kind, text });

const badInput = problem('bad_input');
const conflict = problem('conflict');
const forbidden = problem('forbidden');

interface OfBreak {
  readonly breakId: string;
}

/** Returns the command that proposes an action on a break. */
function proposing(action: string, breakId: string): string {
  return `"millime breaks propose ${breakId} --action ${action} --reason <text>"`;
}

/** Returns the command that reopens a break: what two people closed takes two to open. */
function reopening({ breakId, resolution }: OfBreak & { resolution: string | undefined }): string {
  if (resolution === 'force_matched') return proposing('unmatch', breakId);
  if (resolution === 'written_off' || resolution === 'accepted') return proposing('reopen', breakId);
  return `"millime breaks reopen ${breakId} --reason <text>"`;
}

export const PROBLEMS = {
  // The caller's input.
  bad_input: badInput(fieldFault),
  /** A request with several faults; the details of the error have a line per fault. */
  request_faults: badInput(({ request }: { request: string }) => `${request}: has faults; nothing was stored`),
  /** A file that is refused as a whole; the details of the error have a line per fault. */
  file_faults: badInput(fileFaults),
  misconfigured: problem('misconfigured')(fieldFault),
  not_found: problem('not_found')(
    ({ thing, id, fix }: { thing: string; id: string; fix?: string }) =>
      `${thing} not found: ${quoted(id)}${next(fix)}`,
  ),
  /** A beginning of several ids; `ids` are the first of them. */
  ambiguous_id: badInput(
    ({ thing, id, ids, hasMore }: { thing: string; id: string; ids: readonly string[]; hasMore: boolean }) =>
      `${thing}: ${quoted(id)} begins several ids: ${ids.join(', ')}${hasMore ? ', …' : ''}; type more characters`,
  ),

  // The actor.
  unauthenticated: forbidden(fieldFault),
  missing_scope: forbidden(
    ({ name, scope }: { name: string; scope: string }) => `the API key of ${name} lacks the scope ${scope}`,
  ),
  scopes_exceeded: forbidden(
    ({ name, scopes }: { name: string; scopes: readonly string[] }) =>
      `the API key of ${name} cannot grant scopes that it lacks: ${scopes.join(', ')}`,
  ),
  same_person: forbidden(({ name }: { name: string }) => `${name} made this proposal; another person must approve it`),
  person_needed: forbidden((_: object) => 'this decision needs a person; set MILLIME_API_KEY'),

  // Agents and the ledger.
  agent_exists: conflict(({ agentId }: { agentId: string }) => `agent ${agentId} already exists`),
  agent_erased: conflict(
    ({ agentId }: { agentId: string }) => `agent ${agentId} was erased; give the person another id`,
  ),
  agent_has_money: conflict(
    ({ agentId, money, fix }: { agentId: string; money: string; fix: string }) =>
      `agent ${agentId} ${money}; ${fix}, then erase the agent; nothing was erased`,
  ),
  balance_too_large: conflict(
    ({ account }: { account: string }) => `the balance of ${account} would exceed the largest amount that is counted`,
  ),
  is_reversal: conflict(({ reference }: { reference: string }) => `${reference} is a reversal and cannot be reversed`),

  // Payments and subscriptions.
  reference_live: conflict(
    ({ reference, trackingId, fault }: { reference: string; trackingId: string; fault: string }) =>
      `reference ${quoted(reference)} ${fault} (${trackingId}); repeat its terms, or use another reference`,
  ),
  operation_not_possible: conflict(
    ({ operation, fault }: { operation: string; fault: string }) => `${operation} is not possible: ${fault}`,
  ),
  /** `trackingId`: the attempt that was stored; absent for a call that stores none. */
  gateway_refused: conflict(({ fault }: { fault: string; trackingId?: string }) => fault),
  /** The gateway's variables are not set, or the gateway does not accept the credential. */
  gateway_off: problem('misconfigured')(
    ({ variables, fault, fix }: { variables: string; fault: string; fix?: string }) =>
      `${variables}: ${fault}${next(fix)}`,
  ),
  gateway_not_found: problem('not_found')(({ fault }: { fault: string }) => fault),
  item_differs: conflict(
    ({ itemId }: { itemId: string }) => `${itemId} is already posted with another amount, channel or source`,
  ),
  refund_too_large: conflict(
    ({ itemId, refundOf }: { itemId: string; refundOf: string }) =>
      `${itemId} would refund more than the amount of ${refundOf}`,
  ),
  fee_too_large: conflict(
    ({ itemId }: { itemId: string }) => `the fee of ${itemId} differs from the last one by more than can be counted`,
  ),

  // Breaks, and decisions of two people.
  break_resolved: conflict(
    ({ breakId, resolution }: OfBreak & { resolution: string }) =>
      `break ${breakId} is resolved (${resolution}); ` +
      (resolution === 'disappeared'
        ? `nothing is open, as "millime breaks show ${breakId}" explains`
        : `run ${reopening({ breakId, resolution })} first`),
  ),
  break_not_resolved: conflict(({ breakId }: OfBreak) => `break ${breakId} is not resolved`),
  closed_by_two: conflict(
    ({ breakId, resolution }: OfBreak & { resolution: string | undefined }) =>
      `two people closed break ${breakId} (${resolution}); run ${reopening({ breakId, resolution })}`,
  ),
  nothing_to_reopen: conflict(({ breakId }: OfBreak) => `break ${breakId} is not resolved and has no write-off`),
  closed_by_match: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} was closed by a match; run ${proposing('unmatch', breakId)}`,
  ),
  not_closed_by_match: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} was not closed by a match; run ${proposing('reopen', breakId)}`,
  ),
  version_changed: conflict(
    ({ breakId, expected, got }: OfBreak & { expected: number; got: number }) =>
      `break ${breakId}: expected version ${expected}, got ${got}; run "millime breaks show ${breakId}" and retry`,
  ),
  proposal_waits: conflict(
    ({ proposalId, subject }: { proposalId: string; subject: string }) =>
      `proposal ${proposalId} already waits for ${subject}; ` +
      `run "millime breaks approve ${proposalId}" or "millime breaks reject ${proposalId} --reason <text>" first`,
  ),
  proposal_decided: conflict(
    ({ proposalId, outcome, decidedBy }: { proposalId: string; outcome: string; decidedBy: string }) =>
      `proposal ${proposalId} is already ${outcome}, by ${decidedBy}`,
  ),
  nothing_proposed: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} has no open proposal; run ${proposing('<action>', breakId)}`,
  ),
  basis_changed: conflict(
    ({ breakId }: OfBreak) =>
      `break ${breakId} changed after the proposal; ` +
      `run "millime breaks reject ${breakId} --reason <text>" and propose again`,
  ),
  already_done: conflict((_: object) => 'the entry that this action would write already exists; nothing was stored'),
  no_amount: conflict(
    ({ breakId }: OfBreak) =>
      `break ${breakId} has no amount to write off; ${proposing('accept', breakId)} accepts the difference`,
  ),
  nothing_posted: conflict(
    ({ breakId }: OfBreak) =>
      `break ${breakId} has no posting to write off; ${proposing('accept', breakId)} accepts the difference`,
  ),
  /** `items`: the number of its `ofItems` items that the credit paid; 0 if the credit itself is the row. */
  paid_since: conflict(
    (params: OfBreak & { lineId: string; items: number; ofItems: number; isOfRuns: boolean }) =>
      `since break ${params.breakId} was raised, credit ${params.lineId} ` +
      (params.items === 0 ? 'was matched' : `paid ${params.items} of its ${counted(params.ofItems, 'item')}`) +
      (params.isOfRuns
        ? '; run "millime reconcile", which closes or changes the break'
        : `; run "millime reconcile show ${params.lineId}", ` +
          `then "millime breaks resolve ${params.breakId} --reason <text>" if nothing is open`),
  ),
  /** `left`: the remaining amounts and their accounts. */
  nothing_left: conflict(
    ({ breakId, account, left }: OfBreak & { account: string | undefined; left: string }) =>
      `break ${breakId} has nothing left to write off${account === undefined ? '' : ` in ${account}`}` +
      (left === '' ? '' : `; it has ${left}`),
  ),
  account_unclear: conflict(
    ({ breakId, left }: OfBreak & { left: string }) => `break ${breakId} has ${left}; name one of these with --account`,
  ),
  write_off_too_large: conflict(
    ({ breakId, account, amount, left }: OfBreak & { account: string; amount: string; left: string }) =>
      `${amount} exceeds the ${left} that break ${breakId} has left in ${account}; state at most that with --amount`,
  ),
  write_offs_exhausted: conflict(
    ({ breakId, most }: OfBreak & { most: number }) => `break ${breakId} reached its limit of ${most} write-offs`,
  ),

  // Matching.
  line_matched: conflict(
    ({ lineId }: { lineId: string }) =>
      `line ${lineId} is already matched; run "millime reconcile unmatch ${lineId}" first`,
  ),
  /** A stored line of the bank that is no credit that may be a payout. */
  line_no_payout: problem('not_found')(
    ({ lineId, fault, fix }: { lineId: string; fault: string; fix?: string }) => `line ${lineId} ${fault}${next(fix)}`,
  ),
  item_matched: conflict(
    ({ itemId }: { itemId: string }) =>
      `item ${itemId} is already matched; "millime payments show ${itemId}" prints its credit`,
  ),
  line_written_off: conflict(
    ({ lineId, breakId }: OfBreak & { lineId: string }) =>
      `line ${lineId} is written off; run ${proposing('reopen', breakId)} first`,
  ),
  remainder_written_off: conflict(
    ({ breakId }: OfBreak) => `the remainder of the match is written off; run ${proposing('reopen', breakId)} first`,
  ),
  amounts_do_not_fit: conflict(
    ({ difference, lineId }: { difference: string; lineId: string }) =>
      `the items differ from the credit by ${difference}; ` +
      `propose the match with "millime breaks propose ${lineId} --action force_match"`,
  ),
  no_fee_schedule: problem('not_found')(
    (_: object) => 'no run has learned a fee schedule; run "millime reconcile" first',
  ),
  fees_confirmed: conflict(({ by }: { by: string }) => `${by} already confirmed this fee schedule`),
  fees_in_force: conflict(({ by }: { by: string }) => `these fees are already in force, confirmed by ${by}`),

  // Days.
  day_not_closable: conflict(({ date }: { date: string }) => `cannot close ${date}`),
  day_not_closed: problem('not_found')(({ date }: { date: string }) => `${date} is not closed`),
  reopening_proposed: conflict(
    ({ date, proposedBy }: { date: string; proposedBy: string }) =>
      `${proposedBy} already proposed to reopen ${date}; another person approves it with "millime close-day ${date} --reopen --approve"`,
  ),
  reopening_not_proposed: problem('not_found')(
    ({ date }: { date: string }) =>
      `${date} has no proposal to reopen it; propose it with "millime close-day ${date} --reopen"`,
  ),
  later_day_closed: conflict(
    ({ later }: { later: string }) =>
      `${later} is closed as well; run "millime close-day ${later} --reopen --reason <text>" first`,
  ),
  seal_changed: conflict(({ seal }: { seal: number }) => `seal ${seal} was changed; run "millime ledger verify"`),

  // Statements.
  account_differs: badInput(fieldFault),
  account_missing: badInput(fieldFault),
  account_renamed: conflict(
    ({ account }: { account: string }) =>
      `the name of account ${account} changed during the import; nothing was stored; import the file again`,
  ),
  account_changed_by_spreadsheet: badInput(fieldFault),
  account_unproven: badInput(fieldFault),
  account_joined: conflict(
    ({ name, into, account }: { name: string; into: string; account: string }) =>
      `${name} and ${into} already are one account, ${account}, and a join is permanent; nothing was changed; ` +
      'run "millime statements accounts list" for its names',
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
      `changed; run "millime reconcile unmatch ${lineId} --reason ..." or reopen its break, then join again`,
  ),
  currency_missing: badInput(fieldFault),
  date_format_undecided: badInput(fieldFault),
  decimal_sign_undecided: badInput(fieldFault),
  profile_unconfirmed: badInput(fieldFault),
  profile_exists: conflict(
    ({ name }: { name: string }) =>
      `a saved or shipped profile ${quoted(name)} differs from the proposed one; save it under another name; ` +
      '"millime statements profiles" lists the names',
  ),
  dates_impossible: badInput(fileFaults),
  statements_known: badInput(fileFaults),
  import_running: conflict(
    ({ fileName, since }: { fileName: string; since: string }) =>
      `another import is running (${fileName}, since ${since}); nothing was stored; try again when it has ended`,
  ),
  statement_not_held: conflict(
    ({ statementId, why }: { statementId: string; why: string }) =>
      `statement ${statementId} does not wait for acceptance: ${why}; run "millime statements list --waiting"`,
  ),
  statement_repeats: conflict(
    (params: { statementId: string; otherId: string; day: string; amount: string; otherAmount: string }) =>
      `statements ${params.statementId} and ${params.otherId} both cover ${params.day} with different lines: ` +
      `${params.amount} only in the first, ${params.otherAmount} only in the second, which is posted; nothing was ` +
      `changed, because posting both may count money twice; run "millime statements exclude ${params.statementId} ` +
      '--reason ..."; if lines are missing then, import a statement with balances of whole days',
  ),

  // Jobs, key files, the simulator.
  window_taken: conflict((_: object) => 'another window of the job is running, or a later one has ended'),
  file_locked: conflict(
    ({ path, holder }: { path: string; holder: string }) =>
      `${path} is locked by ${holder}; remove the lock when that process no longer runs`,
  ),
  file_changed: conflict(({ path }: { path: string }) => `${path} was changed at the same time; try again`),
  /** Used only by the simulator: the simulated object is in a state that does not allow the call. */
  simulated_state: conflict(({ fault }: { fault: string }) => fault),
} as const satisfies Readonly<Record<string, ProblemType<AppErrorCode, never>>>;

/** The stable code of a problem in the API. */
export type ProblemCode = keyof typeof PROBLEMS;

/** All codes, in the order of their list. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** Returns the kind of fault that a problem is. */
export function problemKind(code: ProblemCode): AppErrorCode {
  return PROBLEMS[code].kind;
}

/** The parameters of a problem's sentence. */
export type ProblemParams<Code extends ProblemCode> = Parameters<(typeof PROBLEMS)[Code]['text']>[0];

/** Returns the English sentence of a problem; `params` are those of its code. */
export function problemText(code: string, params: Readonly<Record<string, unknown>>): string {
  const { text } = PROBLEMS[code as ProblemCode] as ProblemType<AppErrorCode, typeof params>;
  return text(params);
}
