import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays } from '../../../kernel';
import type { Page, Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Pager, Panel, Table } from '../../parts/table';
import { Day, Moment, Writer } from '../../parts/values';
import { Working } from '../../parts/working';
import { to, withQuery } from '../../web/own-path';
import { TrialPanel } from './trial';
import { VerdictState } from './verdict-state';

type Runs = Json<'listRuns'>;
type Result = Json<'runReconciliation'>;

/** The recorded runs, and the start of a new one: first on trial, which shows what it would change. */
export const RUNS_PAGE: Page = {
  path: '/runs',
  scope: 'reconciliation:read',
  menu: { group: 'bank', label: 'common:menu.runs' },
  show: (visit) => shown(visit, undefined),
  actions: {
    try: {
      scope: 'reconciliation:run',
      async run(visit) {
        const through = throughOf(visit);
        return shown(visit, await visit.call('runReconciliation', { body: { through }, dryRun: true }));
      },
    },
    run: {
      scope: 'reconciliation:run',
      async run(visit) {
        const { form, call } = visit;
        await call('runReconciliation', { body: { through: throughOf(visit) }, idempotencyKey: form.value('once') });
        const [last] = (await call('listRuns', { query: { limit: '1' } })).data;
        return { to: last === undefined ? to('/runs') : to('/runs', last.id), said: 'bank:said.ran' };
      },
    },
  },
};

function throughOf({ form }: Visit): string | undefined {
  const through = form.value('through');
  return through === '' ? undefined : through;
}

async function shown(visit: Visit, trial: Result | undefined) {
  const { texts, query } = visit;
  const runs = await visit.call('listRuns', { query: { limit: '30', cursor: query['cursor'] } });
  return {
    title: texts.t('bank:runs.title'),
    body: (
      <>
        <ProblemBox texts={texts} problem={visit.problem} />
        <p class="cut-off">{texts.t('common:state.asOf', { instant: texts.instant(visit.now) })}</p>
        {trial === undefined ? null : <TrialPanel visit={visit} trial={trial} />}
        {visit.can('reconciliation:run') && trial === undefined ? <StartPanel visit={visit} /> : null}
        <RunsPanel visit={visit} runs={runs} />
      </>
    ),
  };
}

function StartPanel({ visit }: { visit: Visit }): VNode {
  const { texts, form, query, problem, calendar, now } = visit;
  const { t } = texts;
  const yesterday = addDays(calendar.dateOf(now), -1);
  const typed = form.value('through');
  return (
    <Panel title={t('bank:runs.start')}>
      <ActionForm visit={visit} action="try" class="narrow">
        <Field
          name="through"
          type="date"
          label={t('bank:runs.through')}
          hint={t('bank:runs.hint')}
          value={typed === '' ? (query['through'] ?? yesterday) : typed}
          fault={faultOf(problem, 'through')}
        />
        <Working texts={texts} />
        <p class="actions">
          <button class="main">{t('bank:runs.try')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}

function RunsPanel({ visit: { texts, query }, runs }: { visit: Visit; runs: Runs }): VNode {
  const { t } = texts;
  const own = to('/runs');
  return (
    <Panel title={t('bank:runs.recorded')}>
      <Table
        caption={t('bank:runs.recorded')}
        rows={runs.data}
        empty={t('bank:runs.none')}
        columns={[
          {
            label: t('bank:runs.at'),
            isHead: true,
            cell: ({ id, recordedAt }) => (
              <a href={to('/runs', id)}>
                <Moment texts={texts} of={recordedAt} />
              </a>
            ),
          },
          { label: t('bank:runs.through'), cell: ({ through }) => <Day texts={texts} of={through} /> },
          { label: t('bank:runs.verdict'), cell: ({ verdict }) => <VerdictState texts={texts} of={verdict} /> },
          { label: t('common:field.actor'), cell: ({ recordedBy }) => <Writer texts={texts} of={recordedBy} /> },
        ]}
      />
      <p class="aside">{t('bank:runs.sameNotRecorded')}</p>
      <Pager
        texts={texts}
        hasMore={runs.hasMore}
        next={withQuery(own, { cursor: runs.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : own}
      />
    </Panel>
  );
}
