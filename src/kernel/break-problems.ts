import { counted } from './counted';
import { formatDinars, type Millimes } from './millimes';
import { advised, conflict, notFound } from './problem-type';

export interface OfBreak {
  readonly breakId: string;
}

/** Returns the command that proposes an action on a break. */
function proposing(action: string, breakId: string): string {
  return `"millime breaks propose ${breakId} --action ${action} --reason <text>"`;
}

/** Returns the command that reopens a break: what two people closed takes two to open. */
function reopening({ breakId, resolution }: OfBreak & { readonly resolution: string | undefined }): string {
  if (resolution === 'force_matched') return proposing('unmatch', breakId);
  if (resolution === 'written_off' || resolution === 'accepted') return proposing('reopen', breakId);
  return `"millime breaks reopen ${breakId} --reason <text>"`;
}

const accepting = ({ breakId }: OfBreak): string => `${proposing('accept', breakId)} accepts the difference`;

/** What is left of a break in an account of the ledger. */
export interface PlaceLeft {
  readonly account: string;
  readonly leftMillimes: Millimes;
}

const leftIn = (places: readonly PlaceLeft[]): string =>
  places.map(({ account, leftMillimes }) => `${formatDinars(leftMillimes)} in ${account}`).join(', ');

/** The problems of breaks, of decisions of two people, and of matches. */
export const BREAK_PROBLEMS = {
  break_resolved: conflict(
    ({ breakId, resolution }: OfBreak & { resolution: string }) => `break ${breakId} is resolved (${resolution})`,
    (params) =>
      params.resolution === 'disappeared'
        ? `nothing is open, as "millime breaks show ${params.breakId}" explains`
        : `run ${reopening(params)} first`,
  ),
  break_not_resolved: conflict(({ breakId }: OfBreak) => `break ${breakId} is not resolved`),
  closed_by_two: conflict(
    ({ breakId, resolution }: OfBreak & { resolution: string | undefined }) =>
      `two people closed break ${breakId} (${resolution})`,
    (params) => `run ${reopening(params)}`,
  ),
  nothing_to_reopen: conflict(({ breakId }: OfBreak) => `break ${breakId} is not resolved and has no write-off`),
  closed_by_match: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} was closed by a match`,
    ({ breakId }) => `run ${proposing('unmatch', breakId)}`,
  ),
  not_closed_by_match: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} was not closed by a match`,
    ({ breakId }) => `run ${proposing('reopen', breakId)}`,
  ),
  version_changed: conflict(
    ({ breakId, expected, got }: OfBreak & { expected: number; got: number }) =>
      `break ${breakId}: expected version ${expected}, got ${got}`,
    ({ breakId }) => `run "millime breaks show ${breakId}" and retry`,
  ),
  proposal_waits: conflict(
    ({ proposalId, subject }: { proposalId: string; subject: string }) =>
      `proposal ${proposalId} already waits for ${subject}`,
    ({ proposalId }) =>
      `run "millime breaks approve ${proposalId}" or "millime breaks reject ${proposalId} --reason <text>" first`,
  ),
  proposal_decided: conflict(
    ({ proposalId, outcome, decidedBy }: { proposalId: string; outcome: string; decidedBy: string }) =>
      `proposal ${proposalId} is already ${outcome}, by ${decidedBy}`,
  ),
  nothing_proposed: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} has no open proposal`,
    ({ breakId }) => `run ${proposing('<action>', breakId)}`,
  ),
  basis_changed: conflict(
    ({ breakId }: OfBreak) => `break ${breakId} changed after the proposal`,
    ({ breakId }) => `run "millime breaks reject ${breakId} --reason <text>" and propose again`,
  ),
  already_done: conflict((_: object) => 'the entry that this action would write already exists; nothing was stored'),
  no_amount: conflict(({ breakId }: OfBreak) => `break ${breakId} has no amount to write off`, accepting),
  nothing_posted: conflict(({ breakId }: OfBreak) => `break ${breakId} has no posting to write off`, accepting),
  /** `items`: the number of its `ofItems` items that the credit paid; 0 if the credit itself is the row. */
  paid_since: conflict(
    (params: OfBreak & { lineId: string; items: number; ofItems: number; isOfRuns: boolean }) =>
      `since break ${params.breakId} was raised, credit ${params.lineId} ` +
      (params.items === 0 ? 'was matched' : `paid ${params.items} of its ${counted(params.ofItems, 'item')}`),
    ({ breakId, lineId, isOfRuns }) =>
      isOfRuns
        ? 'run "millime reconcile", which closes or changes the break'
        : `run "millime reconcile show ${lineId}", ` +
          `then "millime breaks resolve ${breakId} --reason <text>" if nothing is open`,
  ),
  /** `left`: the remaining amounts and their accounts. */
  nothing_left: conflict(
    ({ breakId, account, places }: OfBreak & { account: string | undefined; places: readonly PlaceLeft[] }) =>
      `break ${breakId} has nothing left to write off${account === undefined ? '' : ` in ${account}`}` +
      (places.length === 0 ? '' : `; it has ${leftIn(places)}`),
  ),
  account_unclear: conflict(
    ({ breakId, places }: OfBreak & { places: readonly PlaceLeft[] }) => `break ${breakId} has ${leftIn(places)}`,
    () => 'name one of these with --account',
  ),
  write_off_too_large: conflict(
    ({
      breakId,
      account,
      amountMillimes,
      leftMillimes,
    }: OfBreak & { account: string; amountMillimes: Millimes; leftMillimes: Millimes }) =>
      `${formatDinars(amountMillimes)} exceeds the ${formatDinars(leftMillimes)} that break ${breakId} has left in ${account}`,
    () => 'state at most that with --amount',
  ),
  write_offs_exhausted: conflict(
    ({ breakId, most }: OfBreak & { most: number }) => `break ${breakId} reached its limit of ${most} write-offs`,
  ),

  // Matching.
  line_matched: conflict(
    ({ lineId }: { lineId: string }) => `line ${lineId} is already matched`,
    ({ lineId }) => `run "millime reconcile unmatch ${lineId}" first`,
  ),
  /** A stored line of the bank that is no credit that may be a payout. */
  line_no_payout: advised('not_found')(
    ({ lineId, fault }: { lineId: string; fault: string }) => `line ${lineId} ${fault}`,
  ),
  item_matched: conflict(
    ({ itemId }: { itemId: string }) => `item ${itemId} is already matched`,
    ({ itemId }) => `"millime payments show ${itemId}" prints its credit`,
  ),
  line_written_off: conflict(
    ({ lineId }: OfBreak & { lineId: string }) => `line ${lineId} is written off`,
    ({ breakId }) => `run ${proposing('reopen', breakId)} first`,
  ),
  remainder_written_off: conflict(
    (_: OfBreak) => 'the remainder of the match is written off',
    ({ breakId }) => `run ${proposing('reopen', breakId)} first`,
  ),
  amounts_do_not_fit: conflict(
    ({ differenceMillimes }: { differenceMillimes: Millimes; lineId: string }) =>
      `the items differ from the credit by ${formatDinars(differenceMillimes)}`,
    ({ lineId }) => `propose the match with "millime breaks propose ${lineId} --action force_match"`,
  ),
  no_fee_schedule: notFound(
    (_: object) => 'no run has learned a fee schedule',
    () => 'run "millime reconcile" first',
  ),
  fees_confirmed: conflict(({ by }: { by: string }) => `${by} already confirmed this fee schedule`),
  fees_in_force: conflict(({ by }: { by: string }) => `these fees are already in force, confirmed by ${by}`),
} as const;
