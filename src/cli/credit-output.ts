import type { BreakView, Proposal } from '../breaks';
import type { Millime } from '../compose';
import { type BusinessCalendar, formatDinars, formatProbability, isAppError, shownText } from '../kernel';
import type { CreditCandidate, CreditReason, ExplainedCredit } from '../reconciliation';
import { candidateLines, cutWords } from './candidate-words';
import type { CliIo } from './command';
import { t } from './language';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

/** Longer lists of items are shortened for people; JSON has all of them. */
export const ITEMS_SHOWN_MAX = 20;

/** Classes of breaks about one credit that is not matched. */
export const CREDIT_CLASSES: readonly BreakView['breakClass'][] = [
  'ambiguous_payout',
  'fee_unexplained',
  'amount_differs',
  'missing_in_book',
];

const REASON_WORDS: Readonly<Record<CreditReason, string>> = {
  next_run_matches: 'the next run matches it',
  unmatched_before: 'its match was reversed, so only people match it',
  partly_written_off: 'a part of it is written off, so only people match it',
  search_cut_short: 'the search hit a bound before its end',
  above_limit: 'one explanation, but its claimed error is above the limit of runs',
  competing: 'no explanation is likely enough',
  unknown_amount: 'it contains an amount that no item and no fee explains',
  fee_unknown: 'it fits under a fee that too few credits confirm',
  merged: 'two payouts came in one credit',
  split: 'it is a part of a payout that came in several credits',
  returned: 'the bank took it back',
  none: 'no run of unpaid items fits it',
};

/** Returns the explanation of the credit of an unresolved break; undefined for other breaks. */
export async function creditOfBreak(
  { reconciliation }: Pick<Millime, 'reconciliation'>,
  { breakClass, status, subject }: Pick<BreakView, 'breakClass' | 'status' | 'subject'>,
): Promise<ExplainedCredit | undefined> {
  const [lineId, ...others] = subject.lineIds;
  if (lineId === undefined || others.length > 0) return undefined;
  if (status === 'resolved' || !CREDIT_CLASSES.includes(breakClass)) return undefined;
  // The statement of the line may no longer be effective.
  return found(() => reconciliation.explain(lineId, { answer: 'last_run' }));
}

/** Returns a thing; undefined if it does not exist. */
export async function found<Thing>(find: () => Promise<Thing>): Promise<Thing | undefined> {
  try {
    return await find();
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Prints a credit: the bank's line, its match or what a run proposes, and the next commands. */
export function printCredit(
  io: CliIo,
  credit: ExplainedCredit,
  { calendar, waiting = [], indent = '' }: { calendar: Calendar; waiting?: readonly Proposal[]; indent?: string },
): void {
  const { line, state, match, breakId, breakClass, answer, through, runId } = credit;
  const print = (text: string): void => io.line(`${indent}${text}`);
  print(`credit ${line.lineId}  ${line.bookingDate}  ${formatDinars(line.amount)}  account ${shownText(line.account)}`);
  print(`  label: ${shownText([line.counterparty, line.remittance].filter((text) => text !== '').join(', '))}`);
  if (match !== undefined) {
    const items = `${t('cli:count.item', { count: match.parts.length })}, ${formatDinars(match.gross)}`;
    print(
      `  ${state} (${match.kind}, ${match.evidence}): ${items}, fees ${formatDinars(match.fee)}, ` +
        `TVA ${formatDinars(match.tva)}, difference ${formatDinars(match.remainder)}`,
    );
  } else {
    print(`  state: ${stateWords(state, breakId, breakClass)}`);
  }
  for (const { id, proposedBy } of waiting) {
    print(`  proposal ${id} by ${shownText(proposedBy)} waits; approve it with "millime breaks approve ${id}"`);
  }
  if (answer === undefined) return;
  const by = runId === undefined ? '' : ` by run ${runId}`;
  print(`  computed through ${through}${by}: ${answer.outcome}, ${REASON_WORDS[answer.reason]}`);
  if (answer.candidates.length > 0 || answer.outcome === 'ambiguous') {
    print(
      `  claimed error ${formatProbability(answer.claimedError)}; runs match up to ${formatProbability(answer.errorMax)}`,
    );
  }
  if (answer.nearest !== undefined) {
    print(
      `  nearest run of items: ${cutWords(answer.nearest.cut, calendar)}difference ${formatDinars(answer.nearest.difference)}`,
    );
  }
  if (answer.commonCore.length > 0 && answer.candidates.length === 0) {
    print(`  in all explanations: ${t('cli:count.item', { count: answer.commonCore.length })}`);
  }
  const { lineId } = line;
  answer.candidates.forEach((each, index) => printCandidate(print, each, { rank: index + 1, lineId, calendar }));
  if (answer.reason !== 'next_run_matches') {
    const other = answer.candidates.length > 0 ? 'other items' : 'its items';
    print(`  next: choose ${other} with "millime reconcile items --credit ${lineId}"`);
  }
}

function stateWords(
  state: ExplainedCredit['state'],
  breakId: string | undefined,
  breakClass: string | undefined,
): string {
  if (state === 'written_off') return 'written off by two people';
  return state === 'break' ? `break ${breakId ?? ''} (${breakClass ?? ''})` : 'waiting, without a break';
}

/** Prints a candidate, the items of the first one, and the command that matches it. */
function printCandidate(
  print: (text: string) => void,
  candidate: CreditCandidate,
  { rank, lineId, calendar }: { readonly rank: number; readonly lineId: string; readonly calendar: Calendar },
): void {
  for (const text of candidateLines(candidate, rank, calendar)) print(`  ${text}`);
  const next = commandFor(candidate, lineId);
  if (next !== undefined) print(`    to match it: "${next}"`);
  if (rank === 1) printItems(print, candidate.itemIds, '    ');
}

/** Returns the command for a person who knows that a candidate is right; undefined if no single match can be. */
function commandFor({ id, kind, difference, itemIds, itemCount }: CreditCandidate, lineId: string): string | undefined {
  if (kind === 'match' || kind === 'part' || itemIds.length < itemCount) return undefined;
  const choice = `--candidate ${id} --reason <why>`;
  return difference === 0
    ? `millime reconcile match ${lineId} ${choice}`
    : `millime breaks propose ${lineId} --action force_match ${choice}`;
}

/** Prints the first items of a list, and the number of the others. */
export function printItems(print: (text: string) => void, itemIds: readonly string[], indent: string): void {
  for (const itemId of itemIds.slice(0, ITEMS_SHOWN_MAX)) print(`${indent}item ${shownText(itemId)}`);
  const hidden = itemIds.length - ITEMS_SHOWN_MAX;
  if (hidden > 0) print(`${indent}and ${t('cli:count.moreItem', { count: hidden })}`);
}
