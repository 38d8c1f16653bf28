import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Day, Fact, Facts, Id, Money, None, Sign, writerText } from '../../parts/values';
import { Working } from '../../parts/working';
import { to } from '../../web/own-path';
import { VerdictState } from './verdict-state';

type Run = Json<'showRun'>;
type Replay = Json<'replayRun'>;

/** A recorded run: what it concluded and changed, and its replay on the same inputs. */
export const RUN_PAGE: Page = {
  path: '/runs/:runId',
  scope: 'reconciliation:read',
  show: (visit) => shown(visit, undefined),
  actions: {
    replay: { run: async (visit) => shown(visit, await visit.call('replayRun', { params: idOf(visit) })) },
  },
};

const idOf = ({ params }: Visit): { runId: string } => ({ runId: params['runId'] ?? '' });

async function shown(visit: Visit, replay: Replay | undefined) {
  const { texts } = visit;
  const run = await visit.call('showRun', { params: idOf(visit) });
  return {
    title: texts.t('bank:run.title', { date: texts.date(run.through) }),
    body: (
      <>
        <ProblemBox texts={texts} problem={visit.problem} />
        <p class="cut-off">
          {texts.t('bank:run.recorded', {
            when: texts.instant(run.recordedAt),
            who: writerText(texts, run.recordedBy),
          })}{' '}
          <Id>{run.id}</Id>
        </p>
        <RunFacts visit={visit} run={run} />
        <ReplayPanel visit={visit} run={run} replay={replay} />
        <p>
          <a href={to('/runs')}>{texts.t('common:backTo', { page: texts.t('bank:runs.title') })}</a>
        </p>
      </>
    ),
  };
}

function RunFacts({ visit: { texts, can }, run }: { visit: Visit; run: Run }): VNode {
  const { t } = texts;
  const count = (value: number | null): VNode | string => (value === null ? <None /> : texts.count(value));
  const money = (value: number | string | null): VNode =>
    value === null ? <None /> : <Money texts={texts} of={value} />;
  return (
    <Panel title={t('bank:run.result')}>
      <Facts>
        <Fact name={t('bank:runs.verdict')}>
          <VerdictState texts={texts} of={run.verdict} />
        </Fact>
        <Fact name={t('bank:runs.through')}>
          <Day texts={texts} of={run.through} />
        </Fact>
        <Fact name={t('bank:run.model')}>{run.model === null ? <None /> : texts.word('payoutModel', run.model)}</Fact>
        <Fact name={t('bank:trial.matched')}>
          <a href={to('/credits')}>{count(run.matched)}</a>
        </Fact>
        <Fact name={t('bank:runs.matchedMoney')}>{money(run.matchedMillimes)}</Fact>
        <Fact name={t('bank:runs.pending')}>
          <a href={to('/unpaid')}>{money(run.pendingMillimes)}</a>
        </Fact>
        <Fact name={t('bank:run.breaks')}>
          {can('breaks:read') ? <a href={to('/breaks')}>{count(run.breaks)}</a> : count(run.breaks)}
        </Fact>
        <Fact name={t('bank:run.decided')}>{count(run.decided)}</Fact>
      </Facts>
    </Panel>
  );
}

function ReplayPanel({ visit, run, replay }: { visit: Visit; run: Run; replay: Replay | undefined }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <Panel title={t('bank:replay.title')}>
      <p>{t('bank:replay.what')}</p>
      {replay === undefined ? null : (
        <div role="status" class="stack">
          <p>
            <Sign tone={replay.isSame ? 'good' : 'bad'}>
              {t(replay.isSame ? 'bank:replay.same' : 'bank:replay.differs')}
            </Sign>
          </p>
          {replay.differsIn.length === 0 ? null : (
            <p>{texts.list(replay.differsIn.map((each) => texts.word('replayDifference', each)))}</p>
          )}
          <Facts>
            <Fact name={t('bank:replay.recorded')}>
              <Id>{`${replay.recorded.answerDigest.slice(0, 16)}… (${replay.recorded.engineVersion})`}</Id>
            </Fact>
            <Fact name={t('bank:replay.repeated')}>
              <Id>{`${replay.repeated.answerDigest.slice(0, 16)}… (${replay.repeated.engineVersion})`}</Id>
            </Fact>
          </Facts>
        </div>
      )}
      {run.replayable ? (
        <ActionForm visit={visit} action="replay">
          <Working texts={texts} />
          <p class="actions">
            <button>{t('bank:replay.submit')}</button>
          </p>
        </ActionForm>
      ) : (
        <p class="note">{t('bank:replay.notPossible')}</p>
      )}
    </Panel>
  );
}
