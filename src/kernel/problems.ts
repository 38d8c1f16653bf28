import { BANK_PROBLEMS } from './bank-problems';
import { BREAK_PROBLEMS } from './break-problems';
import { type Notice, noticeLine, noticeOf } from './notice';
import {
  advised,
  type AppErrorCode,
  badField,
  badFile,
  badInput,
  busy,
  conflict,
  fieldText,
  forbidden,
  notFound,
  type ProblemType,
  quoted,
} from './problem-type';

// Every problem that a caller can meet: its stable code, its kind, and its sentence. The sentence is built from
// parameters, so that the API can translate it. Sentences follow docs/STYLE.md: lower case, no full stop; the expected
// value, the actual one, and what to do next. What a person types stands apart, because only the command line prints it.

export const PROBLEMS = {
  // The caller's input.
  bad_input: badField,
  /** A request with several faults; the details of the error have a line per fault. */
  request_faults: badInput(({ request }: { request: string }) => `${request}: has faults; nothing was stored`),
  /** A file that is refused as a whole; the details of the error have a line per fault. */
  file_faults: badFile,
  misconfigured: advised('misconfigured')(fieldText),
  not_found: advised('not_found')(
    ({ thing, id }: { thing: string; id: string }) => `${thing} not found: ${quoted(id)}`,
  ),
  /** A beginning of several ids; `ids` are the first of them. */
  ambiguous_id: badInput(
    ({ thing, id, ids, hasMore }: { thing: string; id: string; ids: readonly string[]; hasMore: boolean }) =>
      `${thing}: ${quoted(id)} begins several ids: ${ids.join(', ')}${hasMore ? ', …' : ''}; type more characters`,
  ),

  // The actor.
  unauthenticated: advised('forbidden')(fieldText),
  missing_scope: forbidden(({ name, scope }: { name: string; scope: string }) => `${name} lacks the scope ${scope}`),
  scopes_exceeded: forbidden(
    ({ name, scopes }: { name: string; scopes: readonly string[] }) =>
      `${name} cannot grant scopes that they lack: ${scopes.join(', ')}`,
  ),
  same_person: forbidden(({ name }: { name: string }) => `${name} made this proposal; another person must approve it`),
  person_needed: forbidden(
    ({ name }: { name: string }) => `this decision takes two people, and ${name} names no person`,
    () => 'each person sets MILLIME_API_KEY to their own key',
  ),

  // Users.
  user_exists: conflict(({ name }: { name: string }) => `user ${name} already exists`),
  name_of_key: forbidden(
    ({ name }: { name: string }) => `${name} is the name of a key, and its owner would be one person with the user`,
    ({ name }) => `the operator creates the user with "millime users create ${name} --recover --reason ..."`,
  ),
  name_of_user: forbidden(({ name }: { name: string }) => `${name} is a user; only they can create keys in this name`),
  own_user: forbidden((_: { name: string }) => 'another person must decide about your user'),
  /** Too many passwords are computed in this process. */
  passwords_busy: busy((_: object) => 'too many people sign in at this moment; try again in a few seconds'),
  proof_needed: forbidden((_: object) => 'this needs a fresh proof; type the password again'),

  // Notifications.
  /** The variables without which this installation sends nothing by the wanted way. */
  notifications_off: advised('misconfigured')(
    ({ variables }: { variables: string }) => `${variables}: not set, so nothing can be sent this way`,
  ),
  too_many_recipients: conflict(
    ({ max }: { max: number }) => `you have ${max} recipients of notifications; remove one first`,
  ),

  // Agents and the ledger.
  agent_exists: conflict(({ agentId }: { agentId: string }) => `agent ${agentId} already exists`),
  agent_erased: conflict(
    ({ agentId }: { agentId: string }) => `agent ${agentId} was erased; give the person another id`,
  ),
  agent_has_money: conflict(
    ({ agentId, money, fix }: { agentId: string; money: string; fix: string; command?: string }) =>
      `agent ${agentId} ${money}; ${fix}, then erase the agent; nothing was erased`,
    ({ command }) => command,
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
  gateway_off: advised('misconfigured')(
    ({ variables, fault }: { variables: string; fault: string }) => `${variables}: ${fault}`,
  ),
  /** The keys of this installation only verify tokens. */
  signing_off: advised('misconfigured')(
    ({ variables }: { variables: string }) => `${variables}: expected an active key to sign with`,
  ),
  gateway_not_found: notFound(({ fault }: { fault: string }) => fault),
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

  ...BREAK_PROBLEMS,
  ...BANK_PROBLEMS,

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

/** Returns the English sentence of a problem, and what to do about it; `params` are those of its code. */
export function problemNotice(code: string, params: Readonly<Record<string, unknown>>): Notice {
  return noticeOf(PROBLEMS[code as ProblemCode] as ProblemType<AppErrorCode, typeof params>, params);
}

/** Returns the English text of a problem as the command line prints it. */
export function problemText(code: string, params: Readonly<Record<string, unknown>>): string {
  return noticeLine(problemNotice(code, params));
}
