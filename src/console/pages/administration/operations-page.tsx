import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { isAppError, MINUTE_MS } from '../../../kernel';
import type { Page, Visit } from '../../page/page';
import { Panel, Table } from '../../parts/table';
import { Moment, None, Sentence, Sign, State } from '../../parts/values';
import { Doctor } from './doctor';
import { Budget } from './gateway-budget';
import { scheduleText } from './schedule-text';
import { Tokens } from './tokens';

type Jobs = Json<'listJobs'>['jobs'];
type Job = Jobs[number];

/** Behind by more than this, a job needs a person. */
const LAG_MS = 5 * MINUTE_MS;

/** Whether the installation works: its jobs, its checks, the calls to the gateway, the tokens of the gateway. */
export const OPERATIONS_PAGE: Page = {
  path: '/operations',
  scope: 'jobs:read',
  menu: { group: 'system', label: 'common:menu.operations' },
  async show(visit) {
    const { texts, call } = visit;
    const { jobs } = await call('listJobs');
    const found = await call('diagnose');
    const budget = await readBudget(visit);
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <Summary visit={visit} jobs={jobs} isOk={found.ok} warnings={found.warnings.length} />
        <JobTable visit={visit} jobs={jobs} />
        <div class="columns even">
          <Doctor visit={visit} found={found} />
          <div class="stack">
            <Budget visit={visit} budget={budget} />
            <Tokens visit={visit} expiresAt={found.tokenExpiresAt} />
          </div>
        </div>
      </>
    );
    return { title: texts.t('common:menu.operations'), body, isWide: true };
  },
};

/** Returns the use of the gateway's budget; undefined without a gateway. */
async function readBudget({ call }: Visit): Promise<Json<'showGatewayBudget'> | undefined> {
  try {
    return await call('showGatewayBudget');
  } catch (error) {
    if (isAppError(error) && error.problem.code === 'gateway_off') return undefined;
    throw error;
  }
}

interface SummaryProps {
  readonly visit: Visit;
  readonly jobs: Jobs;
  readonly isOk: boolean;
  readonly warnings: number;
}

function Summary({ visit: { texts }, jobs, isOk, warnings }: SummaryProps): VNode {
  const { t } = texts;
  const wrong = jobs.filter((job) => isFailed(job) || isLate(job)).length;
  const isGood = isOk && wrong === 0 && warnings === 0;
  return (
    <p class={isGood ? 'said' : 'note'} role="status">
      {isGood ? (
        <Sign tone="good">{t('administration:operations.allWell')}</Sign>
      ) : (
        <Sign tone="warn">{t('administration:operations.toDo')}</Sign>
      )}
    </p>
  );
}

const isFailed = ({ lastOutcome }: Job): boolean => lastOutcome === 'failed';
const isLate = ({ lagMs }: Job): boolean => lagMs !== null && lagMs > LAG_MS;

function JobTable({ visit: { texts }, jobs }: { visit: Visit; jobs: Jobs }): VNode {
  const { t } = texts;
  return (
    <Panel title={t('administration:jobs.title')}>
      <p class="hint">{t('administration:jobs.what')}</p>
      <Table
        caption={t('administration:jobs.title')}
        rows={jobs}
        empty={t('common:state.none')}
        columns={[
          { label: t('administration:jobs.name'), isHead: true, cell: ({ name }) => texts.word('job', name) },
          {
            label: t('administration:jobs.schedule'),
            cell: ({ schedule }) =>
              schedule === null ? t('administration:jobs.former') : scheduleText(texts, schedule),
          },
          {
            label: t('administration:jobs.lastWindow'),
            cell: ({ lastWindow }) => <Moment texts={texts} of={lastWindow} />,
          },
          { label: t('common:field.state'), cell: (job) => <JobState texts={texts} job={job} /> },
          { label: t('administration:jobs.lag'), cell: (job) => <Lag texts={texts} job={job} /> },
          {
            label: t('administration:lastError'),
            cell: ({ lastError }) => (lastError === null ? <None /> : <Sentence texts={texts}>{lastError}</Sentence>),
          },
        ]}
      />
    </Panel>
  );
}

interface JobProps {
  readonly texts: Visit['texts'];
  readonly job: Job;
}

function JobState({ texts, job: { runningWindow, lastOutcome } }: JobProps): VNode {
  const { t } = texts;
  if (runningWindow !== null) return <Sign tone="wait">{t('administration:jobs.running')}</Sign>;
  if (lastOutcome === null) return <Sign tone="plain">{t('administration:jobs.never')}</Sign>;
  return <State texts={texts} list="jobOutcome" code={lastOutcome} tone={lastOutcome === 'done' ? 'good' : 'bad'} />;
}

function Lag({ texts, job }: JobProps): VNode {
  if (job.lagMs === null) return <None />;
  if (job.lagMs === 0) return <Sign tone="good">{texts.t('administration:jobs.onTime')}</Sign>;
  return <Sign tone={isLate(job) ? 'warn' : 'wait'}>{texts.duration(job.lagMs)}</Sign>;
}
