import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { ReasonField } from '../../parts/reason-field';
import { Pager, Panel } from '../../parts/table';
import { Day, Id, None, State, type Tone, writerText } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { FEE_ACTIONS, GiveForm } from './give-fees';
import { RulesTable } from './rules-table';

type Schedules = Json<'listFeeSchedules'>;
type Schedule = Schedules['data'][number];

const TONES: Readonly<Record<Schedule['state'], Tone>> = { inferred: 'wait', confirmed: 'good', given: 'good' };
const CREDITS_MAX = 10;

/** The gateway's fees: learned by runs, confirmed or given by people. The first schedule is in force. */
export const FEES_PAGE: Page = {
  path: '/fees',
  scope: 'reconciliation:read',
  menu: { group: 'bank', label: 'common:menu.fees' },
  async show(visit) {
    const { texts, query, problem } = visit;
    const { cursor } = query;
    const list = await visit.call('listFeeSchedules', { query: { limit: '10', cursor } });
    const [first, ...others] = list.data;
    const current = cursor === undefined ? first : undefined;
    const before = cursor === undefined ? others : list.data;
    return {
      title: texts.t('bank:fees.title'),
      body: (
        <>
          <ProblemBox texts={texts} problem={problem} />
          <p class="cut-off">{texts.t('common:state.asOf', { instant: texts.instant(visit.now) })}</p>
          {list.data.length === 0 ? <p class="empty">{texts.t('bank:fees.none')}</p> : null}
          {current === undefined ? null : <SchedulePanel visit={visit} schedule={current} isCurrent />}
          {cursor === undefined && visit.can('reconciliation:decide') ? (
            <GiveForm visit={visit} rules={first?.fees ?? []} />
          ) : null}
          {before.map((schedule) => (
            <SchedulePanel visit={visit} schedule={schedule} />
          ))}
          <Pager
            texts={texts}
            hasMore={list.hasMore}
            next={withQuery(to('/fees'), { cursor: list.nextCursor ?? '' })}
            first={cursor === undefined ? undefined : to('/fees')}
          />
        </>
      ),
    };
  },
  actions: {
    ...FEE_ACTIONS,
    confirm: {
      scope: 'reconciliation:decide',
      async run({ form, call }) {
        await call('confirmFees', { body: { reason: form.value('reason') }, idempotencyKey: form.value('once') });
        return { to: to('/fees'), said: 'bank:said.feesConfirmed' };
      },
    },
  },
};

interface SchedulePanelProps {
  readonly visit: Visit;
  readonly schedule: Schedule;
  readonly isCurrent?: boolean;
}

function SchedulePanel({ visit, schedule, isCurrent = false }: SchedulePanelProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { state, recordedAt, confirmedBy, confirmedAt } = schedule;
  const title = t(isCurrent ? 'bank:fees.current' : 'bank:fees.before', { when: texts.instant(recordedAt) });
  return (
    <Panel title={title}>
      <p class="line">
        <State texts={texts} list="feeState" code={state} tone={TONES[state]} />
        {confirmedBy === null || confirmedAt === null ? null : (
          <span>{t('bank:fees.by', { who: writerText(texts, confirmedBy), when: texts.instant(confirmedAt) })}</span>
        )}
      </p>
      <RulesTable texts={texts} rules={schedule.fees} title={title} />
      <Evidence visit={visit} schedule={schedule} />
      {isCurrent && state === 'inferred' && visit.can('reconciliation:decide') ? <ConfirmForm visit={visit} /> : null}
    </Panel>
  );
}

/** The credits from which a run learned the fees. */
function Evidence({ visit: { texts }, schedule }: { visit: Visit; schedule: Schedule }): VNode | null {
  const { t } = texts;
  const { credits, firstDate, lastDate } = schedule;
  if (credits.length === 0) return null;
  return (
    <details>
      <summary>
        {t('bank:fees.learned', { count: credits.length })}{' '}
        {firstDate === null || lastDate === null ? (
          <None />
        ) : (
          <>
            <Day texts={texts} of={firstDate} />
            {' – '}
            <Day texts={texts} of={lastDate} />
          </>
        )}
      </summary>
      <ul class="bullets">
        {credits.slice(0, CREDITS_MAX).map((id) => (
          <li>
            <a href={to('/credits', id)}>
              <Id>{id}</Id>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ConfirmForm({ visit }: { visit: Visit }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <ActionForm visit={visit} action="confirm" class="narrow">
      <p>{t('bank:fees.effect')}</p>
      <ReasonField visit={visit} />
      <p class="actions">
        <button class="main">{t('bank:fees.confirm')}</button>
      </p>
    </ActionForm>
  );
}
