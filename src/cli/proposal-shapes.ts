import {
  type ApprovalEffect,
  type BreakState,
  directionOf,
  type PreviewedProposal,
  type Proposal,
  type ProposalKey,
  type ReconBreak,
} from '../breaks';
import type { Millime } from '../compose';
import { type BusinessCalendar, formatDinars, isAppError, millimes, rowsOfPages, shownText } from '../kernel';
import { accountOfProposal, amountOfProposal, lineIdsOfProposal, type ShownProposal } from '../shapes/proposals';
import type { BankLine } from '../statements';
import { directionText } from './break-shapes';
import type { CliIo } from './command';
import { ITEMS_SHOWN_MAX } from './credit-output';
import { faultText } from './error-texts';
import { colon, t, texts, word } from './language';

const LABEL_WIDTH = 13;

/** The ends of the keys of the labels. */
type Label =
  | ('amount' | 'direction' | 'account' | 'debit' | 'credit' | 'items' | 'proposedBy' | 'reason' | 'notPossible')
  | ('break' | 'difference' | 'ledger' | 'approveWith');

function labeled(label: Label, text: string): string {
  return `  ${t(`cli:proposal.${label}`).padEnd(LABEL_WIDTH)}${text}`;
}

/** Returns a waiting proposal, by its id or that of its break, with its effect and its bank lines. */
export async function shownProposal(
  millime: Pick<Millime, 'breakWorkflow' | 'statements'>,
  id: string,
): Promise<ShownProposal> {
  return withLines(millime, await millime.breakWorkflow.preview(id));
}

/** Returns a proposal with the bank lines of its break and its action. */
export async function withLines(
  { statements }: Pick<Millime, 'statements'>,
  preview: PreviewedProposal,
): Promise<ShownProposal> {
  return { ...preview, lines: await statements.linesById(lineIdsOfProposal(preview)) };
}

/** Returns the proposals that wait for another person, oldest first, without those that are decided meanwhile. */
export async function waitingProposals(
  millime: Pick<Millime, 'breakWorkflow' | 'statements'>,
): Promise<ShownProposal[]> {
  const shown: ShownProposal[] = [];
  for (const { id } of await undecided(millime)) {
    try {
      shown.push(await shownProposal(millime, id));
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error;
    }
  }
  return shown;
}

/** A high limit: two people decide only a few proposals a day. */
const WAITING_LISTED_MAX = 1_000;

/** Returns the proposals without a decision, oldest first. */
async function undecided({ breakWorkflow }: Pick<Millime, 'breakWorkflow'>): Promise<Proposal[]> {
  const newestFirst = await rowsOfPages<Proposal, ProposalKey>(WAITING_LISTED_MAX, (after, limit) =>
    breakWorkflow.proposals({ waiting: true, after, limit }),
  );
  return newestFirst.reverse();
}

/** Prints a proposal with what its approval moves, before and after. */
export function printProposal(io: CliIo, shown: ShownProposal, calendar: Pick<BusinessCalendar, 'formatLocal'>): void {
  io.line(headingOf(shown.proposal, shown.reconBreak));
  printProposalFacts(io, shown, calendar);
}

/** Prints a proposal without its id, which it has only once it is stored. */
export function printProposalFacts(
  io: CliIo,
  { proposal, reconBreak, effect, refusal, lines }: ShownProposal,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): void {
  const fact = (label: Label, text: string): void => io.line(labeled(label, text));
  const { proposedBy, proposedAt, reason } = proposal;
  const amount = amountOfProposal(reconBreak, effect);
  if (amount !== undefined) fact('amount', formatDinars(amount));
  if (reconBreak !== undefined) fact('direction', directionText(reconBreak.direction));
  const account = accountOfProposal(effect);
  if (account !== undefined) {
    const side = String(effect?.done.detail?.['direction']);
    fact('account', `${account}, ${texts().find('cli', `proposal.${side}`) ?? side}`);
  }
  for (const line of lines) fact(line.amount < 0 ? 'debit' : 'credit', lineText(line));
  const items = itemsText(proposal);
  if (items !== undefined) fact('items', items);
  fact('proposedBy', `${shownText(proposedBy)}, ${calendar.formatLocal(proposedAt)}`);
  fact('reason', shownText(reason));
  if (refusal !== undefined) fact('notPossible', shownText(faultText(refusal)));
  if (effect === undefined) return;
  const { states, accounts } = effect;
  if (states !== undefined) fact('break', `${stateText(states.before)} -> ${stateText(states.after)}`);
  const difference = differenceText(effect);
  if (difference !== undefined) fact('difference', difference);
  for (const each of accounts) {
    fact('ledger', colon(each.account, `${formatDinars(each.before)} -> ${formatDinars(each.after)}`));
  }
}

/** Prints a proposal that another command approves. */
export function printOtherProposal(io: CliIo, { id, action, proposedBy, reason }: Proposal): void {
  io.line(`${id}  ${word('action', action.kind)}`);
  const fact = (label: Label, text: string): void => io.line(labeled(label, text));
  fact('proposedBy', shownText(proposedBy));
  fact('reason', shownText(reason));
  fact('approveWith', `millime ${String(action.payload['approveBy'])}`);
}

function headingOf({ id, subject, action }: Proposal, reconBreak: ReconBreak | undefined): string {
  if (reconBreak === undefined) {
    return t('cli:proposal.headOfSubject', { id, kind: word('action', action.kind), subject: shownText(subject) });
  }
  const { breakClass, since } = reconBreak;
  const kind = word('action', action.kind);
  const facts = { id, kind, breakId: reconBreak.id, breakClass: word('breakClass', breakClass), since };
  return t('cli:proposal.headOfBreak', facts);
}

/** Returns what a match of people leaves open of its credit; undefined for another action. */
function differenceText({ done: { detail = {} } }: ApprovalEffect): string | undefined {
  const { remainderMillimes: remainder } = detail;
  if (typeof remainder !== 'number') return undefined;
  if (remainder === 0) return t('cli:proposal.noDifference');
  const direction = directionText(directionOf(-remainder));
  return t('cli:proposal.staysOpen', { amount: formatDinars(millimes(Math.abs(remainder))), direction });
}

/** Returns the items that the action names. */
function itemsText({ action }: Proposal): string | undefined {
  const { itemIds } = action.payload;
  if (!Array.isArray(itemIds)) return undefined;
  const some = itemIds.slice(0, ITEMS_SHOWN_MAX).map(String).join(', ');
  const rest = itemIds.length > ITEMS_SHOWN_MAX ? ', …' : '';
  return colon(t('cli:count.item', { count: itemIds.length }), shownText(some) + rest);
}

function lineText({ bookingDate, amount, counterparty, remittance, account }: BankLine): string {
  const label = shownText([counterparty, remittance].filter((text) => text !== '').join(' '));
  return `${bookingDate}  ${formatDinars(millimes(Math.abs(amount)))}  ${label}  ${t('cli:proposal.ofAccount', { account: shownText(account) })}`;
}

function stateText({ status, resolution, left }: BreakState): string {
  const name = word('breakStatus', status);
  const state = resolution === undefined ? name : `${name} (${word('resolution', resolution)})`;
  const rest = left === undefined ? undefined : formatDinars(millimes(Math.abs(left)));
  return rest === undefined ? state : `${state}, ${t('cli:breaks.left', { amount: rest })}`;
}
