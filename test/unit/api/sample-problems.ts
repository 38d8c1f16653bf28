import { businessDate, millimes, type ProblemCode, type ProblemParams } from '../../../src/kernel';
import type { ObstacleCode, ObstacleParams } from '../../../src/reconciliation/testing';
import { kindOf } from '../../../src/texts';

const COMMAND = 'run "millime doctor"';
const ofField = [{ field: 'account', expected: 'an account', got: 'x', fix: 'correct it', command: COMMAND }];
const ofFile = [{ file: 'bank.sta', fault: 'has faults', fix: 'save it again', command: COMMAND }];
const ofBreak = [{ breakId: 'B1' }];
const DAY = businessDate('2026-03-02');
const ofDay = [{ date: DAY }];
const none = [{}];

/** Parameters of every problem: one set for each form of its sentence. */
export const SAMPLE_PROBLEMS: { readonly [Code in ProblemCode]: readonly ProblemParams<Code>[] } = {
  bad_input: ofField,
  request_faults: [{ request: 'payment' }],
  file_faults: ofFile,
  misconfigured: ofField,
  not_found: [{ thing: 'break', id: 'B1', fix: 'type more', command: COMMAND }],
  ambiguous_id: [{ thing: 'break', id: 'B', ids: ['B1', 'B2'], hasMore: true }],
  unauthenticated: ofField,
  missing_scope: [{ name: 'salma', scope: 'days:close' }],
  scopes_exceeded: [{ name: 'salma', scopes: ['days:close'] }],
  same_person: [{ name: 'salma' }],
  person_needed: [{ name: 'cli' }],
  user_exists: [{ name: 'salma' }],
  name_of_key: [{ name: 'salma' }],
  name_of_user: [{ name: 'salma' }],
  own_user: [{ name: 'salma' }],
  passwords_busy: none,
  proof_needed: none,
  notifications_off: [{ variables: 'SMTP_URL, SMTP_FROM' }],
  too_many_recipients: [{ max: 20 }],
  agent_exists: [{ agentId: 'A1' }],
  agent_erased: [{ agentId: 'A1' }],
  agent_has_money: [{ agentId: 'A1', money: 'owes 1,000 DT', fix: 'collect it', command: COMMAND }],
  balance_too_large: [{ account: 'agent_receivable:A1' }],
  is_reversal: [{ reference: 'R1' }],
  reference_live: [{ reference: 'R1', trackingId: 'T1', fault: 'has a live link' }],
  operation_not_possible: [{ operation: 'refund', fault: 'it is not paid' }],
  gateway_refused: [{ fault: 'refused' }],
  gateway_off: [{ variables: 'GATEWAY_API_KEY', fault: 'is not set', fix: 'set it', command: COMMAND }],
  signing_off: [{ variables: 'SERVICE_JWT_KEYS_FILE', command: COMMAND }],
  gateway_not_found: [{ fault: 'unknown' }],
  item_differs: [{ itemId: 'payment:P1' }],
  refund_too_large: [{ itemId: 'payment:P1', refundOf: 'payment:P0' }],
  fee_too_large: [{ itemId: 'payment:P1' }],
  break_resolved: ['disappeared', 'force_matched', 'written_off', 'by_hand'].map((resolution) => ({
    ...{ breakId: 'B1', resolution },
  })),
  break_not_resolved: ofBreak,
  closed_by_two: [{ breakId: 'B1', resolution: 'accepted' }],
  nothing_to_reopen: ofBreak,
  closed_by_match: ofBreak,
  not_closed_by_match: ofBreak,
  version_changed: [{ breakId: 'B1', expected: 1, got: 2 }],
  proposal_waits: [{ proposalId: 'P1', subject: 'break:B1' }],
  proposal_decided: [{ proposalId: 'P1', outcome: 'approved', decidedBy: 'salma' }],
  nothing_proposed: ofBreak,
  basis_changed: ofBreak,
  already_done: none,
  no_amount: ofBreak,
  nothing_posted: ofBreak,
  paid_since: [true, false].map((isOfRuns) => ({ breakId: 'B1', lineId: 'L1', items: 1, ofItems: 2, isOfRuns })),
  nothing_left: [
    { breakId: 'B1', account: 'bank_unmatched', places: [{ account: 'bank_other', leftMillimes: millimes(1_000) }] },
  ],
  account_unclear: [{ breakId: 'B1', places: [{ account: 'bank_other', leftMillimes: millimes(1_000) }] }],
  write_off_too_large: [
    { breakId: 'B1', account: 'bank_other', amountMillimes: millimes(2_000), leftMillimes: millimes(1_000) },
  ],
  write_offs_exhausted: [{ breakId: 'B1', most: 9 }],
  line_matched: [{ lineId: 'L1' }],
  line_no_payout: [{ lineId: 'L1', fault: 'is no credit', command: COMMAND }],
  item_matched: [{ itemId: 'payment:P1' }],
  line_written_off: [{ lineId: 'L1', breakId: 'B1' }],
  remainder_written_off: ofBreak,
  amounts_do_not_fit: [{ differenceMillimes: millimes(1_000), lineId: 'L1' }],
  no_fee_schedule: none,
  fees_confirmed: [{ by: 'salma' }],
  fees_in_force: [{ by: 'salma' }],
  account_differs: ofField,
  account_missing: ofField,
  account_renamed: [{ account: 'A' }],
  account_changed_by_spreadsheet: ofField,
  account_unproven: ofField,
  account_joined: [{ name: 'A', into: 'B', account: 'B' }],
  accounts_overlap: [{ name: 'A', account: 'B', statementId: 'S1', otherId: 'S2', day: DAY }],
  movement_used_twice: [{ lineId: 'L1', otherId: 'L2', day: DAY }],
  currency_missing: ofField,
  date_format_undecided: ofField,
  decimal_sign_undecided: ofField,
  unit_undecided: ofField,
  sign_undecided: ofField,
  column_undecided: ofField,
  profile_unconfirmed: ofField,
  profile_exists: [{ name: 'bank' }],
  dates_impossible: ofFile,
  statements_known: ofFile,
  upload_quota: [{ of: 'salma', filesMax: 20, mebibytesMax: 256, uploadIds: ['01KJQ0Z8XG3T5V7W9Y1B2C4D6F'] }],
  import_running: [{ fileName: 'bank.sta', since: '2026-03-02 09:00:00' }],
  statement_not_held: [{ statementId: 'S1', why: 'it is accepted' }],
  statement_repeats: [{ statementId: 'S1', otherId: 'S2', day: DAY, amount: '1', otherAmount: '2' }],
  day_not_closable: ofDay,
  day_not_closed: ofDay,
  reopening_proposed: [{ date: DAY, proposedBy: 'salma' }],
  reopening_not_proposed: ofDay,
  later_day_closed: [{ later: businessDate('2026-03-03') }],
  seal_changed: [{ seal: 1 }],
  window_taken: none,
  file_locked: [{ path: 'keys.json', holder: 'process 1' }],
  file_changed: [{ path: 'keys.json' }],
  simulated_state: [{ fault: 'is paid' }],
};

/** Parameters of every obstacle to closing a day. */
export const SAMPLE_OBSTACLES: { readonly [Code in ObstacleCode]: ObstacleParams<Code> } = {
  earlier_day_open: { date: DAY },
  closed_through: { through: DAY },
  day_not_over: { from: '2026-03-02T23:01:00.000Z', localTime: '2026-03-03 00:01:00' },
  not_reconciled: { through: DAY },
  run_unfinished: { through: DAY },
  lines_unread: { lines: 2, firstDate: businessDate('2026-03-01'), lastDate: DAY, through: DAY },
  statement_waiting: { statementId: 'S1', account: 'A' },
  more_statements_waiting: { statements: 2 },
  no_statement: {},
  statements_end: { account: 'A', through: businessDate('2026-03-01') },
};

/** A problem or an obstacle with its parameters. */
export interface SampleProblem {
  readonly kind: string;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export const ALL_SAMPLES: readonly SampleProblem[] = [
  ...Object.entries(SAMPLE_PROBLEMS).flatMap(([code, samples]) =>
    samples.map((params) => ({ kind: 'detail', code, params: { ...params } })),
  ),
  ...Object.entries(SAMPLE_OBSTACLES).map(([code, params]) => ({ kind: 'obstacle', code, params: { ...params } })),
];

/** Ids that look like a day, an instant, an amount, a code or a phrase. */
const LOOK_ALIKES = [
  ...['2026-13-45', '2026-03-02', '2026-03-02T09:00:00.000Z', '2026-13-02T09:00:00.000Z', '12500', '1e3', 'approved'],
  ...['break', 'days:close', 'one', 'nothing', 'at most 5', '{{name}}'],
];
/** Their values are codes, or (`from`, `expected`) an instant or a day; none comes from a stranger. */
export const NO_TEXTS = ['scope', 'scopes', 'resolution', 'outcome', 'thing', 'from', 'expected'];

/** Returns the sentences that do not show a text as it is, with each text of the parameters that looks like another. */
export function changedIn(
  sentenceOf: (known: SampleProblem) => string | undefined,
  notTexts: readonly string[],
): string[] {
  return ALL_SAMPLES.flatMap((known) => {
    const { code, params } = known;
    const isShown = (name: string): boolean =>
      sentenceOf({ ...known, params: { ...params, [name]: 'x1x' } })?.includes('x1x') === true;
    const texts = Object.keys(params).filter((name) => typeof params[name] === 'string' && !notTexts.includes(name));
    return texts
      .filter((name) => kindOf(name, params[name]) === undefined && isShown(name))
      .flatMap((name) =>
        LOOK_ALIKES.flatMap((value) => {
          const sentence = sentenceOf({ ...known, params: { ...params, [name]: value } });
          return sentence?.includes(value) === true ? [] : [`${code}.${name}: ${sentence}`];
        }),
      );
  });
}
