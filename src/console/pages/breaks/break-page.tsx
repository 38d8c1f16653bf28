import type { VNode } from 'preact';
import type { Action, Page, Visit } from '../../page/page';
import { problemOf } from '../../page/problem';
import { AsOf } from '../../parts/cut-off';
import { ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Day, Fact, Facts, Id, Moment, Money, None } from '../../parts/values';
import { to } from '../../web/own-path';
import { FactsPanel, History, type ShownBreak } from './break-history';
import { type Rows, SideBySide } from './break-rows';
import { Steps } from './break-steps';
import { Due, Severity, Size, Status } from './break-words';
import { NextLinks } from './next-links';
import { type Place, propose, ProposePanel, tryPropose, versionOf } from './propose';

/** A break: its rows side by side, what it means, what to do next, and its history. */
export const BREAK_PAGE: Page = {
  path: '/breaks/:breakId',
  scope: 'breaks:read',
  async show(visit) {
    const { breakId = '' } = visit.params;
    const shown = await visit.call('showBreak', { params: { breakId } });
    const rows = await visit.call('listBreakRows', { params: { breakId } });
    const places = await placesOf(visit, shown);
    const title = visit.texts.word('breakClass', shown.class);
    return { title, body: <BreakView visit={visit} of={shown} rows={rows} places={places} />, isWide: true };
  },
  actions: {
    assign: step('breaks:said.assigned', (visit, shared) =>
      visit.call('assignBreak', { ...shared, body: { assignee: visit.form.value('assignee').trim() } }),
    ),
    comment: step('breaks:said.commented', (visit, shared) =>
      visit.call('commentBreak', { ...shared, body: { text: visit.form.value('text') } }),
    ),
    resolve: step('breaks:said.resolved', (visit, shared) =>
      visit.call('resolveBreak', { ...shared, body: { reason: visit.form.value('reason') } }),
    ),
    reopen: step('breaks:said.reopened', (visit, shared) =>
      visit.call('reopenBreak', { ...shared, body: { reason: visit.form.value('reason') } }),
    ),
    tryPropose: { scope: 'breaks:work', run: tryPropose },
    propose: { scope: 'breaks:work', run: propose },
  },
};

interface StepCall {
  readonly params: { readonly breakId: string };
  readonly ifVersion: number;
  readonly idempotencyKey: string;
}

type StepSaid = 'breaks:said.assigned' | 'breaks:said.commented' | 'breaks:said.resolved' | 'breaks:said.reopened';

function step(said: StepSaid, take: (visit: Visit, shared: StepCall) => Promise<unknown>): Action {
  return {
    scope: 'breaks:work',
    async run(visit) {
      const { breakId = '' } = visit.params;
      const idempotencyKey = visit.form.value('once');
      await take(visit, { params: { breakId }, ifVersion: versionOf(visit), idempotencyKey });
      return { to: to('/breaks', breakId), said };
    },
  };
}

/** Returns where the break may be written off; nowhere if it is resolved or has no amount. */
async function placesOf(visit: Visit, { id, status, leftMillimes }: ShownBreak): Promise<readonly Place[]> {
  if (!visit.can('breaks:work') || status === 'resolved' || leftMillimes === null || leftMillimes === 0) return [];
  try {
    const { data } = await visit.call('listWriteOffPlaces', { params: { breakId: id } });
    return data.filter((place) => place.leftMillimes > 0);
  } catch (error) {
    if (problemOf(error) === undefined) throw error;
    return [];
  }
}

interface ViewProps {
  readonly visit: Visit;
  readonly of: ShownBreak;
  readonly rows: Rows;
  readonly places: readonly Place[];
}

function BreakView({ visit, of, rows, places }: ViewProps): VNode {
  const { texts, now, problem } = visit;
  return (
    <>
      <AsOf texts={texts} now={now} />
      <ProblemBox texts={texts} problem={problem} />
      <Summary visit={visit} of={of} />
      <Waiting visit={visit} of={of} />
      <SideBySide visit={visit} rows={rows} />
      <div class="columns even">
        <div class="stack">
          <FactsPanel visit={visit} of={of} />
          <History texts={texts} events={of.history} />
        </div>
        <div class="stack">
          <Steps visit={visit} of={of} />
          <ProposePanel visit={visit} of={of} places={places} />
        </div>
      </div>
    </>
  );
}

function Summary({ visit, of }: { visit: Visit; of: ShownBreak }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <Panel title={t('breaks:meaning')}>
      <p class="line">
        <span class="large">
          <Size texts={texts} of={of} />
        </span>
        <span>{texts.word('direction', of.direction)}</span>
      </p>
      <p>{texts.word('breakMeaning', of.class)}</p>
      <p>
        <strong>{t('breaks:toDo')}</strong> {texts.word('breakNext', of.class)}
      </p>
      <NextLinks visit={visit} of={of} />
      <BreakFacts visit={visit} of={of} />
    </Panel>
  );
}

function BreakFacts({ visit: { texts }, of }: { visit: Visit; of: ShownBreak }): VNode {
  const { t } = texts;
  return (
    <Facts>
      <Fact name={t('common:field.state')}>
        <Status texts={texts} of={of} />
        {of.resolution === null ? null : ` (${texts.word('resolution', of.resolution)})`}
      </Fact>
      <Fact name={t('breaks:field.severity')}>
        <Severity texts={texts} of={of} />
      </Fact>
      <Fact name={t('breaks:field.since')}>
        <Day texts={texts} of={of.since} /> ({t('common:count.workingDays', { count: of.ageDays })})
      </Fact>
      <Fact name={t('breaks:field.dueOn')}>
        <Due texts={texts} of={of} />
      </Fact>
      <Fact name={t('breaks:field.assignee')}>{of.assignee === null ? <None /> : <bdi>{of.assignee}</bdi>}</Fact>
      {of.writtenOffMillimes === 0 || of.leftMillimes === null ? null : (
        <Fact name={t('breaks:field.left')}>
          <Money texts={texts} of={Math.abs(of.leftMillimes)} />
        </Fact>
      )}
      {of.resolvedAt === null ? null : (
        <Fact name={t('breaks:field.resolvedAt')}>
          <Moment texts={texts} of={of.resolvedAt} />
        </Fact>
      )}
      <Fact name={t('common:field.id')}>
        <Id>{of.id}</Id>
      </Fact>
    </Facts>
  );
}

/** The proposals about a break: the one that waits, and those that were decided. */
function Waiting({ visit: { texts }, of }: { visit: Visit; of: ShownBreak }): VNode | null {
  const { t } = texts;
  if (of.proposals.length === 0) return null;
  return (
    <Panel title={t('breaks:proposals.ofBreak')}>
      <ul class="rows">
        {of.proposals.map(({ id, action, proposedBy, proposedAt, decision }) => (
          <li>
            <a href={to('/proposals', id ?? '')}>{texts.word('action', action.kind)}</a>
            <span>
              <bdi>{proposedBy}</bdi> <Moment texts={texts} of={proposedAt} />
            </span>
            <span>
              {decision === null ? t('breaks:proposals.waits') : texts.word('proposalOutcome', decision.outcome)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
