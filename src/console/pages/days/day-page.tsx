import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays, parseBusinessDate } from '../../../kernel';
import type { Page, Visit } from '../../page/page';
import { nothingHere } from '../../page/problem';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Id, Said, State, writerText } from '../../parts/values';
import { Working } from '../../parts/working';
import { to } from '../../web/own-path';
import { type Obstacle, Obstacles } from './obstacles';
import { ProofPanel } from './proof-table';
import { ReopeningPanel } from './reopening';

type Status = Json<'showDay'>;
/** The proof of a closing on trial. */
type Proved = Json<'proveDay'>;

/** A day: its state, what hinders a closing, its proof by channel, and the steps to close it or to open it again. */
export const DAY_PAGE: Page = {
  path: '/days/:date',
  scope: 'days:read',
  show: (visit) => shown(visit, undefined),
  actions: {
    prove: {
      async run(visit) {
        const reason = reasonOf(visit);
        return shown(visit, await visit.call('proveDay', { params: dayOf(visit), body: { reason } }));
      },
    },
    close: {
      scope: 'days:close',
      async run(visit) {
        const params = dayOf(visit);
        const idempotencyKey = visit.form.value('once');
        await visit.call('closeDay', { params, body: { reason: reasonOf(visit) }, idempotencyKey });
        return { to: to('/days', params.date), said: 'days:said.closed' };
      },
    },
    propose: {
      scope: 'days:reopen',
      async run(visit) {
        const params = dayOf(visit);
        const { form } = visit;
        const body = { reason: form.value('reason') };
        await visit.call('proposeReopening', { params, body, idempotencyKey: form.value('once') });
        return { to: to('/days', params.date), said: 'days:said.proposed' };
      },
    },
    approve: {
      scope: 'days:reopen',
      needsProof: true,
      async run(visit) {
        const params = dayOf(visit);
        await visit.call('approveReopening', { params, idempotencyKey: visit.form.value('once') });
        return { to: to('/days', params.date), said: 'days:said.reopened' };
      },
    },
  },
};

function dayOf({ params }: Visit): { date: string } {
  const date = params['date'] ?? '';
  if (parseBusinessDate(date) === undefined) throw nothingHere('day', date);
  return { date };
}

function reasonOf({ form }: Visit): string | undefined {
  const reason = form.value('reason').trim();
  return reason === '' ? undefined : reason;
}

async function shown(visit: Visit, proved: Proved | undefined) {
  const params = dayOf(visit);
  const status = await visit.call('showDay', { params });
  const { texts } = visit;
  return {
    title: texts.t('days:dayTitle', { date: texts.date(status.date, 'long') }),
    isWide: true,
    body: <DayView visit={visit} status={status} proved={proved} />,
  };
}

interface DayViewProps {
  readonly visit: Visit;
  readonly status: Status;
  readonly proved: Proved | undefined;
}

function DayView({ visit, status, proved }: DayViewProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { state, proof, seal } = status;
  const isClosed = state === 'closed';
  return (
    <>
      <ProblemBox texts={texts} problem={visit.problem} />
      <DayHead visit={visit} status={status} />
      {proved === undefined || isClosed ? null : (
        <>
          <ProofPanel texts={texts} title={t('days:proof.now')} proof={proved} />
          <ClosePanel visit={visit} obstacles={proved.obstacles} date={status.date} />
        </>
      )}
      {isClosed || proved !== undefined ? null : <ProvePanel visit={visit} status={status} />}
      {proof === null || seal === null || (proved !== undefined && !isClosed) ? null : (
        <ProofPanel texts={texts} title={t('days:proof.sealed', { seal: seal.number })} proof={proof} />
      )}
      {isClosed && seal !== null ? <ReopeningPanel visit={visit} seal={seal} /> : null}
    </>
  );
}

function DayHead({ visit: { texts, calendar, now }, status }: { visit: Visit; status: Status }): VNode {
  const { t } = texts;
  const { date, state, seal } = status;
  const day = parseBusinessDate(date);
  const tone = state === 'closed' ? 'good' : state === 'reopened' ? 'warn' : 'plain';
  const neighbors = day === undefined ? [] : [addDays(day, -1), addDays(day, 1)];
  return (
    <section class="panel">
      <p class="line">
        <State texts={texts} list="dayState" code={state} tone={tone} />
        {seal === null ? null : (
          <span>
            {t('days:sealedBy', {
              seal: seal.number,
              who: writerText(texts, seal.recordedBy),
              when: texts.instant(seal.recordedAt),
            })}{' '}
            <Id>{seal.digest}</Id>
          </span>
        )}
      </p>
      <p class="actions">
        {neighbors
          .filter((each) => each <= calendar.dateOf(now))
          .map((each) => (
            <a href={to('/days', each)}>{texts.date(each)}</a>
          ))}
        <a href={to('/days')}>{t('common:backTo', { page: t('days:title') })}</a>
      </p>
    </section>
  );
}

/** The obstacles, and the button that proves the day, which comes before the one that closes it. */
function ProvePanel({ visit, status }: { visit: Visit; status: Status }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const needsReason = status.obstacles.some(({ code }) => code === 'no_statement' || code === 'statements_end');
  return (
    <Panel title={t('days:close.before')}>
      <Obstacles texts={texts} obstacles={status.obstacles} />
      <ActionForm visit={visit} action="prove" class="narrow">
        {needsReason ? (
          <Field
            name="reason"
            label={t('days:close.reason')}
            hint={t('days:close.reasonHint')}
            value={form.value('reason')}
            maxLength={500}
            fault={faultOf(problem, 'reason')}
          />
        ) : null}
        <Working texts={texts} />
        <p class="actions">
          <button class="main">{t('days:close.prove')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}

interface ClosePanelProps {
  readonly visit: Visit;
  readonly obstacles: readonly Obstacle[];
  readonly date: string;
}

/** After the proof: what still hinders the closing, or the button that closes the day. */
function ClosePanel({ visit, obstacles, date }: ClosePanelProps): VNode {
  const { texts, form, here } = visit;
  const { t } = texts;
  const reason = form.value('reason').trim();
  return (
    <Panel title={t('days:close.title')}>
      <Obstacles texts={texts} obstacles={obstacles} />
      {reason === '' ? null : (
        <p>
          {t('common:field.reason')} <Said>{reason}</Said>
        </p>
      )}
      {obstacles.length > 0 ? (
        <p class="actions">
          <a class="button" href={here}>
            {t('common:action.back')}
          </a>
        </p>
      ) : !visit.can('days:close') ? (
        <p class="note">{t('days:close.byOther')}</p>
      ) : (
        <ActionForm visit={visit} action="close">
          <input type="hidden" name="reason" value={reason} />
          <p>{t('days:close.effect', { date: texts.date(date) })}</p>
          <Working texts={texts} />
          <p class="actions">
            <button class="main">{t('days:close.submit')}</button>
            <a href={here}>{t('common:action.discard')}</a>
          </p>
        </ActionForm>
      )}
    </Panel>
  );
}
