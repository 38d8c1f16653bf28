import type { VNode } from 'preact';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Shown, Visit } from '../../page/page';
import { type Problem, problemOf } from '../../page/problem';
import { AsOf, CutOff } from '../../parts/cut-off';
import { ProblemBox } from '../../parts/problem-box';
import { to } from '../../web/own-path';
import { BankLine, ReversedMatches } from './bank-line';
import { Candidates, ComputedCandidates } from './candidates';
import {
  type Candidate,
  candidatesNow,
  type Choice,
  choiceOf,
  type Credit,
  type Offered,
  offeredItems,
} from './credit-choice';
import { DecisionPanel, type Tried } from './decision-panel';
import { ItemsPanel } from './items-form';
import { ChannelsPanel, MatchItemsPanel, MatchPanel, UnmatchPanel } from './payout-view';
import { proposeMatch, proposeUnmatch } from './propose';

const NOTHING: Choice = { itemIds: [], whole: undefined };
/** For the trial of a proposal, which stores no reason. */
const TRIAL_REASON = 'trial';

/** A credit: what could explain it beside what is unpaid, or its match as a payout. */
export const CREDIT_PAGE: Page = {
  path: '/credits/:lineId',
  scope: 'reconciliation:read',
  show: (visit) => showCredit(visit),
  actions: {
    choose: {
      async run(visit) {
        if (isNothingChosen(visit)) throw new OutcomeRefused('item', visit.texts.t('credits:items.noneChosen'));
        return showCredit(visit);
      },
    },
    explain: {
      async run(visit) {
        return showCredit(visit, await candidatesNow(visit, visit.params['lineId'] ?? ''));
      },
    },
    match: {
      scope: 'reconciliation:decide',
      async run(visit) {
        const credit = await creditOf(visit);
        const { itemIds } = await choiceOf(visit, credit);
        const body = { items: { itemIds: [...itemIds] }, reason: visit.form.value('reason') };
        const { lineId } = credit;
        await visit.call('matchCredit', { params: { lineId }, body, idempotencyKey: visit.form.value('once') });
        return { to: to('/credits', lineId), said: 'credits:said.matched' };
      },
    },
    propose: {
      scope: 'breaks:work',
      async run(visit) {
        const credit = await creditOf(visit);
        const { itemIds } = await choiceOf(visit, credit);
        const given = { reason: visit.form.value('reason'), idempotencyKey: visit.form.value('once') };
        const { proposalId } = await proposeMatch(visit, credit, itemIds, given);
        return { to: to('/proposals', proposalId ?? ''), said: 'breaks:said.proposed' };
      },
    },
    unmatch: {
      scope: 'reconciliation:decide',
      async run(visit) {
        const { lineId = '' } = visit.params;
        const body = { reason: visit.form.value('reason') };
        await visit.call('unmatchCredit', { params: { lineId }, body, idempotencyKey: visit.form.value('once') });
        return { to: to('/credits', lineId), said: 'credits:said.unmatched' };
      },
    },
    proposeUnmatch: {
      scope: 'breaks:work',
      async run(visit) {
        const credit = await creditOf(visit);
        const given = { reason: visit.form.value('reason'), idempotencyKey: visit.form.value('once') };
        const { proposalId } = await proposeUnmatch(visit, credit, given);
        return { to: to('/proposals', proposalId ?? ''), said: 'breaks:said.proposed' };
      },
    },
  },
};

/** Whether a person asked to check a choice of nothing; a button that turns the page asks for no check. */
function isNothingChosen({ form }: Visit): boolean {
  return ['go', 'take', 'whole', 'upTo', 'item'].every((name) => form.values(name).every((value) => value === ''));
}

function creditOf(visit: Visit): Promise<Credit> {
  const { lineId = '' } = visit.params;
  return visit.call('showCredit', { params: { lineId } });
}

/** `computed`: the explanations, if a person asked for them now. */
async function showCredit(visit: Visit, computed?: readonly Candidate[]): Promise<Shown> {
  const credit = await creditOf(visit);
  const title = visit.texts.t('credits:credit', { date: visit.texts.date(credit.bookingDate) });
  const isHeld = credit.match !== null || credit.state === 'written_off';
  return { title, body: isHeld ? await held(visit, credit) : await open(visit, credit, computed), isWide: true };
}

/** A credit with a match, or one that two people wrote off. */
async function held(visit: Visit, credit: Credit): Promise<VNode> {
  const { match, lineId } = credit;
  const query = { limit: '50', cursor: visit.query['items'] };
  const items = match === null ? undefined : await visit.call('listCreditItems', { params: { lineId }, query });
  return (
    <>
      <AsOf texts={visit.texts} now={visit.now} />
      <ProblemBox texts={visit.texts} problem={visit.problem} />
      <div class="columns narrow-first">
        <div class="stack">
          <BankLine visit={visit} credit={credit} />
          {match === null ? null : <MatchPanel visit={visit} credit={credit} match={match} />}
          <ReversedMatches visit={visit} credit={credit} />
        </div>
        <div class="stack">
          {match === null ? null : <ChannelsPanel visit={visit} credit={credit} match={match} />}
          {items === undefined || match === null ? null : <MatchItemsPanel visit={visit} match={match} list={items} />}
          {match === null ? null : <UnmatchPanel visit={visit} match={match} />}
        </div>
      </div>
    </>
  );
}

/** A credit that nothing explains yet. */
async function open(visit: Visit, credit: Credit, computed: readonly Candidate[] | undefined): Promise<VNode> {
  const { texts } = visit;
  const found = await chosenOf(visit, credit);
  const problem = visit.problem ?? found.problem;
  return (
    <>
      <CutOff texts={texts} of={found.offered.asOf} />
      <ProblemBox texts={texts} problem={problem} />
      <div class="columns narrow-first">
        <div class="stack">
          <BankLine visit={visit} credit={credit} />
          {computed === undefined ? (
            <Candidates visit={visit} credit={credit} />
          ) : (
            <ComputedCandidates visit={visit} of={computed} />
          )}
          <ReversedMatches visit={visit} credit={credit} />
        </div>
        <div class="stack">
          {found.tried === undefined ? null : <DecisionPanel visit={visit} choice={found.choice} tried={found.tried} />}
          <ItemsPanel visit={visit} credit={credit} offered={found.offered} choice={found.choice} />
        </div>
      </div>
    </>
  );
}

interface Found {
  readonly offered: Offered;
  readonly choice: Choice;
  readonly tried: Tried | undefined;
  /** Why the choice could not be tried. */
  readonly problem: Problem | undefined;
}

async function chosenOf(visit: Visit, credit: Credit): Promise<Found> {
  const { form } = visit;
  const go = form.value('go');
  const cursor = go === 'first' ? '' : go === '' ? form.value('cursor') : go;
  const offered = await offeredItems(visit, credit, cursor);
  let choice = NOTHING;
  try {
    choice = await choiceOf(visit, credit);
    const tried = choice.itemIds.length === 0 ? undefined : await tryChoice(visit, credit, choice);
    return { offered, choice, tried, problem: undefined };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return { offered, choice, tried: undefined, problem };
  }
}

async function tryChoice(visit: Visit, credit: Credit, { itemIds }: Choice): Promise<Tried> {
  const { lineId } = credit;
  const sums = await visit.call('tryMatch', { params: { lineId }, body: { itemIds: [...itemIds] } });
  if (sums.fits || !visit.can('breaks:work')) return { sums, effect: undefined, refusal: undefined };
  try {
    const { proposal } = await proposeMatch(visit, credit, itemIds, { reason: TRIAL_REASON, dryRun: true });
    return { sums, effect: proposal?.effect ?? undefined, refusal: undefined };
  } catch (error) {
    const refusal = problemOf(error);
    if (refusal === undefined) throw error;
    return { sums, effect: undefined, refusal };
  }
}
