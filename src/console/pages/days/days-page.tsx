import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays, type BusinessDate, dayOfWeek, parseBusinessDate } from '../../../kernel';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { Pager, Panel, Table } from '../../parts/table';
import { Day, Id, Moment, Sign, State, type Tone, Writer } from '../../parts/values';
import { Working } from '../../parts/working';
import { to, withQuery } from '../../web/own-path';

type Seals = Json<'listDays'>;
type Seal = Seals['data'][number];
type Faults = Json<'verifySeals'>['faults'];

const DAYS_MAX = '200';
const WEEK = 7;

/** A month of days with their states, and the seals. */
export const DAYS_PAGE: Page = {
  path: '/days',
  scope: 'days:read',
  menu: { group: 'bank', label: 'common:menu.days' },
  show: (visit) => shown(visit, undefined),
  actions: {
    verify: {
      async run(visit) {
        const { faults } = await visit.call('verifySeals');
        return shown(visit, faults);
      },
    },
  },
};

async function shown(visit: Visit, faults: Faults | undefined) {
  const { texts, call, query, calendar, now } = visit;
  const today = calendar.dateOf(now);
  const first = parseBusinessDate(`${query['month'] ?? ''}-01`) ?? firstOfMonth(addDays(today, -1));
  const last = addDays(firstOfMonth(addDays(first, 31)), -1);
  const month = await call('listDays', { query: { from: first, to: last, limit: DAYS_MAX } });
  const seals = await call('listDays', { query: { limit: '20', cursor: query['cursor'] } });
  return {
    title: texts.t('days:title'),
    body: (
      <>
        <ProblemBox texts={texts} problem={visit.problem} />
        <p class="cut-off">{texts.t('common:state.asOf', { instant: texts.instant(now) })}</p>
        <Month visit={visit} days={daysFrom(first, last)} seals={month.data} today={today} />
        <SealsPanel visit={visit} seals={seals} faults={faults} />
      </>
    ),
  };
}

const firstOfMonth = (day: BusinessDate): BusinessDate => addDays(day, 1 - Number(day.slice(-2)));

function daysFrom(first: BusinessDate, last: BusinessDate): readonly BusinessDate[] {
  const days: BusinessDate[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

interface MonthProps {
  readonly visit: Visit;
  readonly days: readonly BusinessDate[];
  readonly seals: readonly Seal[];
  readonly today: BusinessDate;
}

function Month({ visit: { texts }, days, seals, today }: MonthProps): VNode {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return <p />;
  const own = to('/days');
  const monthOf = (day: BusinessDate): string => withQuery(own, { month: day.slice(0, 7) });
  // Monday is the first day of a week.
  const before = (dayOfWeek(first) + WEEK - 1) % WEEK;
  const cells = [...Array.from({ length: before }, () => undefined), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / WEEK) }, (_, week) =>
    Array.from({ length: WEEK }, (_each, at) => cells[week * WEEK + at]),
  );
  const monday = addDays(first, -before);
  return (
    <Panel title={texts.date(first, 'month')}>
      <p class="actions">
        <a href={monthOf(addDays(first, -1))}>{texts.t('days:calendar.before')}</a>
        {addDays(last, 1) > today ? null : <a href={monthOf(addDays(last, 1))}>{texts.t('days:calendar.after')}</a>}
      </p>
      <table class="calendar">
        <caption class="unseen">{texts.date(first, 'month')}</caption>
        <thead>
          <tr>
            {Array.from({ length: WEEK }, (_, at) => (
              <th scope="col">
                <span class="unseen">{texts.date(addDays(monday, at), 'weekday')}</span>
                <span aria-hidden="true">{texts.date(addDays(monday, at), 'initial')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr>
              {week.map((day) => (
                <td>{day === undefined ? null : <DayCell {...{ texts, day, today }} seals={seals} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

interface DayCellProps {
  readonly texts: Visit['texts'];
  readonly day: BusinessDate;
  readonly today: BusinessDate;
  readonly seals: readonly Seal[];
}

function DayCell({ texts, day, today, seals }: DayCellProps): VNode {
  const number = <span class="number">{Number(day.slice(-2))}</span>;
  if (day > today) return <span class="future">{number}</span>;
  const { code, tone, isProposed } = stateOf(seals.filter(({ date }) => date === day));
  return (
    <a href={to('/days', day)}>
      <span aria-hidden="true">{number}</span>
      <span class="unseen">{texts.date(day, 'long')}</span>
      <State texts={texts} list="dayState" code={code} tone={tone} />
      {isProposed ? <Sign tone="warn">{texts.word('dayOutcome', 'proposed')}</Sign> : null}
    </a>
  );
}

/** Returns the state of a day by its seals, the last one first. */
function stateOf(seals: readonly Seal[]): { code: string; tone: Tone; isProposed: boolean } {
  const standing = seals.find(({ stands, kind }) => stands && kind === 'closed');
  if (standing !== undefined) {
    return { code: 'closed', tone: 'good', isProposed: standing.reopeningProposed !== null };
  }
  return seals.length === 0
    ? { code: 'open', tone: 'plain', isProposed: false }
    : { code: 'reopened', tone: 'warn', isProposed: false };
}

interface SealsPanelProps {
  readonly visit: Visit;
  readonly seals: Seals;
  readonly faults: Faults | undefined;
}

function SealsPanel({ visit, seals, faults }: SealsPanelProps): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const own = to('/days');
  return (
    <Panel title={t('days:seals.title')}>
      {faults === undefined ? null : <SealFaults texts={texts} faults={faults} />}
      <Table
        caption={t('days:seals.title')}
        rows={seals.data}
        empty={t('days:seals.none')}
        columns={[
          { label: t('days:seals.number'), isNumber: true, cell: ({ number }) => texts.count(number) },
          {
            label: t('days:day'),
            isHead: true,
            cell: ({ date }) => (
              <a href={to('/days', date)}>
                <Day texts={texts} of={date} />
              </a>
            ),
          },
          {
            label: t('days:seals.kind'),
            cell: ({ kind, stands }) =>
              kind === 'closed' && !stands ? (
                <Sign tone="plain">{t('days:seals.reversed')}</Sign>
              ) : (
                <State texts={texts} list="sealKind" code={kind} tone={kind === 'closed' ? 'good' : 'warn'} />
              ),
          },
          { label: texts.word('book', 'seal'), cell: ({ digest }) => <Id>{`${digest.slice(0, 12)}…`}</Id> },
          { label: t('common:field.at'), cell: ({ recordedAt }) => <Moment texts={texts} of={recordedAt} /> },
          { label: t('common:field.actor'), cell: ({ recordedBy }) => <Writer texts={texts} of={recordedBy} /> },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={seals.hasMore}
        next={withQuery(own, { month: query['month'], cursor: seals.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : withQuery(own, { month: query['month'] })}
      />
      <ActionForm visit={visit} action="verify">
        <Working texts={texts} />
        <p class="actions">
          <button>{t('days:seals.verify')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}

function SealFaults({ texts, faults }: { texts: Visit['texts']; faults: Faults }): VNode {
  if (faults.length === 0) {
    return (
      <p role="status">
        <Sign tone="good">{texts.t('days:seals.allHold')}</Sign>
      </p>
    );
  }
  return (
    <ul role="alert">
      {faults.map(({ seal, date, fault, kind, row }) => (
        <li>
          <State texts={texts} list="sealFault" code={fault} tone="bad" />{' '}
          {texts.t('days:seals.at', { seal, date: texts.date(date) })} <Id>{`${kind} ${row}`}</Id>
        </li>
      ))}
    </ul>
  );
}
