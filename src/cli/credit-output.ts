import type { BreakView, Proposal } from '../breaks';
import type { Millime } from '../compose';
import { type BusinessCalendar, formatDinars, formatProbability, isAppError, shownText } from '../kernel';
import type { CreditCandidate, ExplainedCredit } from '../reconciliation';
import { candidateLines, cutWords, sumsText } from './candidate-words';
import type { CliIo } from './command';
import { colon, t, word } from './language';

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
  print(
    t('cli:credit.head', {
      lineId: line.lineId,
      day: line.bookingDate,
      amount: formatDinars(line.amount),
      account: shownText(line.account),
    }),
  );
  const label = shownText([line.counterparty, line.remittance].filter((text) => text !== '').join(', '));
  print(`  ${t('cli:credit.label', { label })}`);
  if (match !== undefined) {
    const items = `${t('cli:count.item', { count: match.parts.length })}, ${formatDinars(match.gross)}`;
    print(
      `  ${word('creditState', state)} (${word('matchKind', match.kind)}, ${word('evidence', match.evidence)}): ` +
        `${items}, ${sumsText({ fee: match.fee, tva: match.tva, difference: match.remainder })}`,
    );
  } else {
    print(`  ${colon(t('cli:credit.state'), stateWords(state, breakId, breakClass))}`);
  }
  for (const { id, proposedBy } of waiting) {
    print(`  ${t('cli:credit.proposal', { id, by: shownText(proposedBy) })}`);
  }
  if (answer === undefined) return;
  const computed =
    runId === undefined ? t('cli:credit.computed', { through }) : t('cli:credit.computedBy', { through, runId });
  print(`  ${colon(computed, `${word('creditAnswer', answer.outcome)}, ${t(`cli:creditReason.${answer.reason}`)}`)}`);
  if (answer.candidates.length > 0 || answer.outcome === 'ambiguous') {
    const values = { error: formatProbability(answer.claimedError), most: formatProbability(answer.errorMax) };
    print(`  ${t('cli:credit.claimedError', values)}`);
  }
  if (answer.nearest !== undefined) {
    const difference = t('cli:credit.difference', { amount: formatDinars(answer.nearest.difference) });
    print(`  ${colon(t('cli:credit.nearest'), cutWords(answer.nearest.cut, calendar) + difference)}`);
  }
  if (answer.commonCore.length > 0 && answer.candidates.length === 0) {
    print(`  ${colon(t('cli:credit.inAll'), t('cli:count.item', { count: answer.commonCore.length }))}`);
  }
  const { lineId } = line;
  answer.candidates.forEach((each, index) => printCandidate(print, each, { rank: index + 1, lineId, calendar }));
  if (answer.reason !== 'next_run_matches') {
    print(`  ${t(answer.candidates.length > 0 ? 'cli:credit.chooseOther' : 'cli:credit.choose', { lineId })}`);
  }
}

function stateWords(
  state: ExplainedCredit['state'],
  breakId: string | undefined,
  breakClass: string | undefined,
): string {
  if (state === 'written_off') return t('cli:credit.writtenOff');
  if (state !== 'break') return t('cli:credit.waiting');
  return t('cli:money.ofBreak', { id: breakId ?? '', breakClass: word('breakClass', breakClass ?? '') });
}

/** Prints a candidate, the items of the first one, and the command that matches it. */
function printCandidate(
  print: (text: string) => void,
  candidate: CreditCandidate,
  { rank, lineId, calendar }: { readonly rank: number; readonly lineId: string; readonly calendar: Calendar },
): void {
  for (const text of candidateLines(candidate, rank, calendar)) print(`  ${text}`);
  const next = commandFor(candidate, lineId);
  if (next !== undefined) print(`    ${t('cli:credit.toMatch', { next })}`);
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
  for (const itemId of itemIds.slice(0, ITEMS_SHOWN_MAX)) {
    print(indent + t('cli:breaks.item', { item: shownText(itemId) }));
  }
  const hidden = itemIds.length - ITEMS_SHOWN_MAX;
  if (hidden > 0) print(indent + t('cli:credit.and', { more: t('cli:count.moreItem', { count: hidden }) }));
}
