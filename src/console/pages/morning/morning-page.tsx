import type { ComponentChildren, VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays, businessDate, parseBusinessDate } from '../../../kernel';
import type { Page, Visit } from '../../page/page';
import { PlotFigure } from '../../parts/plot';
import { Panel } from '../../parts/table';
import { Day, Id, Money, Sign, State } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { Before } from './before';
import { byDayPlot } from './plots';

type Morning = NonNullable<Json<'showMorning'>['figures']>;

/** Between facts, in every language. */
const SEPARATOR = ' · ';
const joined = (...facts: readonly string[]): string => facts.join(SEPARATOR);

interface Of {
  readonly visit: Visit;
  readonly morning: Morning;
}

/** What was confirmed and banked on the last day that a run cut off, and what is left to do. */
export const MORNING_PAGE: Page = {
  path: '/',
  scope: 'reports:read',
  menu: { group: 'daily', label: 'common:menu.morning' },
  async show(visit) {
    const { texts, query } = visit;
    const day = parseBusinessDate(query['day'] ?? '');
    const { figures } = await visit.call('showMorning', { query: { day } });
    const body = figures === null ? <Before visit={visit} /> : <MorningView visit={visit} morning={figures} />;
    return { title: texts.t('morning:title'), body, isWide: true };
  },
};

function MorningView({ visit, morning }: Of): VNode {
  const { texts } = visit;
  const { day, from, last, channels, credits } = morning;
  const plot = byDayPlot(texts, { from, to: day, bankThrough: last.bankThrough, channels, credits });
  return (
    <>
      <CutOffLine visit={visit} morning={morning} />
      <section class="tiles" aria-label={texts.t('morning:tile.label')}>
        <MoneyTiles visit={visit} morning={morning} />
        <WorkTiles visit={visit} morning={morning} />
        <StateTiles visit={visit} morning={morning} />
      </section>
      <section class="panel">
        <PlotFigure texts={texts} plot={plot} names={texts.t('morning:plot.day')} />
      </section>
      <SincePanel visit={visit} morning={morning} />
    </>
  );
}

function CutOffLine({ visit, morning }: Of): VNode {
  const { texts, can } = visit;
  const { t } = texts;
  const { day, cutOff, last } = morning;
  const known = cutOff ?? last;
  const isLast = day === last.date;
  return (
    <div class="cut-off">
      <p>
        {t('common:state.cutOff', { date: texts.date(day, 'long'), instant: texts.instant(known.knownAt) })}
        {SEPARATOR}
        {t('morning:cutOff.run')}{' '}
        <Linked href={can('reconciliation:read') ? to('/runs', known.runId) : undefined}>
          <Id>{known.runId.slice(0, 8)}</Id>
        </Linked>
      </p>
      {cutOff === null ? <p>{t('morning:cutOff.noRun')}</p> : null}
      {isLast ? null : <p>{t('morning:cutOff.isPast')}</p>}
      <nav class="line" aria-label={t('common:pager.label')}>
        <a href={dayPath(addDays(businessDate(day), -1))}>{t('morning:cutOff.previous')}</a>
        {isLast ? null : (
          <>
            <a href={dayPath(addDays(businessDate(day), 1))}>{t('morning:cutOff.next')}</a>
            <a href={to('/')}>{t('morning:cutOff.last')}</a>
          </>
        )}
      </nav>
    </div>
  );
}

function dayPath(day: string): string {
  return withQuery(to('/'), { day });
}

function MoneyTiles({ visit: { texts, can }, morning }: Of): VNode {
  const { t } = texts;
  const { day, cutOff, last } = morning;
  const moved = morning.channels.filter(({ date, payments }) => date === day && payments > 0);
  const payments = moved.reduce((sum, each) => sum + each.payments, 0);
  const credits = morning.credits.find(({ date }) => date === day);
  const isBankKnown = last.bankThrough !== null && day <= last.bankThrough;
  const ofDay = { from: day, to: day };
  return (
    <>
      <Tile
        name={t('morning:tile.confirmed', { date: texts.date(day, 'day') })}
        href={can('payments:read') ? withQuery(to('/payments'), ofDay) : undefined}
        large={<Money texts={texts} of={sumOf(moved.map((each) => each.succeededMillimes))} />}
      >
        {joined(t('common:count.payments', { count: payments }), t('morning:tile.channels', { count: moved.length }))}
      </Tile>
      <Tile
        name={t('morning:tile.banked', { date: texts.date(day, 'day') })}
        href={can('reconciliation:read') ? withQuery(to('/credits'), { ...ofDay, show: 'all' }) : undefined}
        large={
          credits === undefined && !isBankKnown ? (
            <NotKnown>{t('morning:tile.notKnown')}</NotKnown>
          ) : (
            <Money texts={texts} of={credits?.credited.amountMillimes ?? 0} />
          )
        }
      >
        {isBankKnown ? (
          t('common:count.credits', { count: credits?.credited.count ?? 0 })
        ) : (
          <Sign tone="wait">{t('morning:tile.bankUnknown')}</Sign>
        )}
        {credits !== undefined && credits.unexplained.count > 0
          ? `${SEPARATOR}${t('morning:tile.unexplained', { amount: texts.money(credits.unexplained.amountMillimes) })}`
          : null}
      </Tile>
      <TransitTile texts={texts} cutOff={cutOff} href={can('reconciliation:read') ? to('/unpaid') : undefined} />
    </>
  );
}

interface TransitProps extends Pick<Visit, 'texts'> {
  readonly cutOff: Morning['cutOff'];
  readonly href: string | undefined;
}

function TransitTile({ texts, cutOff, href }: TransitProps): VNode {
  const { t } = texts;
  const name = t('morning:tile.inTransit');
  if (cutOff === null) {
    return <Tile name={name} href={href} large={<NotKnown>{t('morning:tile.notKnown')}</NotKnown>} />;
  }
  const { processing, available, late, lastDueOn } = cutOff.inTransit;
  return (
    <Tile
      name={name}
      href={href}
      large={<Money texts={texts} of={sumOf([processing, available, late].map((each) => each.amountMillimes))} />}
    >
      {lastDueOn === null ? null : `${t('morning:tile.latest', { date: texts.date(lastDueOn, 'day') })}${SEPARATOR}`}
      {late.count === 0 ? (
        t('morning:tile.noneLate')
      ) : (
        <Sign tone="warn">{t('morning:tile.late', { amount: texts.money(late.amountMillimes) })}</Sign>
      )}
    </Tile>
  );
}

function WorkTiles({ visit: { texts, can }, morning: { day, breaks } }: Of): VNode {
  const { t } = texts;
  const { toExplain, open, overdue, proposedByOthers } = breaks;
  const nothing = <Sign tone="good">{t('common:state.nothingToDo')}</Sign>;
  return (
    <>
      <Tile
        name={t('morning:tile.toExplain')}
        href={can('reconciliation:read') ? withQuery(to('/credits'), { to: day }) : undefined}
        large={t('common:count.credits', { count: toExplain.count })}
      >
        {toExplain.count === 0 ? nothing : <Money texts={texts} of={toExplain.amountMillimes} />}
      </Tile>
      <Tile
        name={t('morning:tile.breaks')}
        href={can('breaks:read') ? to('/breaks') : undefined}
        large={texts.count(open.count)}
      >
        {open.count === 0 ? nothing : <Money texts={texts} of={open.amountMillimes} />}
        {overdue.count === 0 ? null : (
          <>
            {SEPARATOR}
            <Sign tone="warn">{t('morning:tile.overdue', { count: overdue.count })}</Sign>
          </>
        )}
        {can('breaks:decide') ? (
          <p>
            <a href={to('/proposals')}>{t('morning:tile.approve', { number: texts.count(proposedByOthers) })}</a>
          </p>
        ) : null}
      </Tile>
    </>
  );
}

interface TileProps {
  readonly name: string;
  /** The rows behind the figure; undefined for a person who may not read them. */
  readonly href: string | undefined;
  readonly large: ComponentChildren;
  readonly children?: ComponentChildren;
}

function Tile({ name, href, large, children }: TileProps): VNode {
  return (
    <section class="tile">
      <h2>
        <Linked href={href}>{name}</Linked>
      </h2>
      <p class="large">{large}</p>
      <div>{children}</div>
    </section>
  );
}

function Linked({ href, children }: { href: string | undefined; children: ComponentChildren }): VNode {
  return href === undefined ? <>{children}</> : <a href={href}>{children}</a>;
}

function NotKnown({ children }: { children: ComponentChildren }): VNode {
  return <span class="none">{children}</span>;
}

function StateTiles({ visit: { texts, can }, morning: { day, cutOff, last, breaks, state } }: Of): VNode {
  const { t } = texts;
  return (
    <>
      <Tile
        name={t('morning:facts.owed')}
        href={can('agents:read') ? withQuery(to('/agents'), { owing: 'true' }) : undefined}
        large={
          cutOff === null ? (
            <NotKnown>{t('morning:tile.notKnown')}</NotKnown>
          ) : (
            <Money texts={texts} of={cutOff.owedByAgents.amountMillimes} />
          )
        }
      >
        {cutOff === null ? null : (
          <>
            {t('common:count.agents', { count: cutOff.owedByAgents.count })}
            <p>
              {t('morning:facts.inFavor', { amount: texts.money(cutOff.inFavorOfAgents.amountMillimes) })} (
              {texts.count(cutOff.inFavorOfAgents.count)})
            </p>
          </>
        )}
      </Tile>
      <Tile
        name={t('morning:facts.bank')}
        href={can('statements:read') ? to('/bank') : undefined}
        large={<Day texts={texts} of={last.bankThrough} />}
      >
        {breaks.gaps === 0 ? (
          <Sign tone="good">{t('morning:facts.noGap')}</Sign>
        ) : (
          <Sign tone="warn">{t('morning:facts.gaps', { count: breaks.gaps })}</Sign>
        )}
      </Tile>
      <Tile
        name={t('morning:facts.day')}
        href={can('days:read') ? to('/days', day) : undefined}
        large={<Day texts={texts} of={day} />}
      >
        <State texts={texts} list="dayState" code={state} tone={DAY_TONES[state]} />
      </Tile>
    </>
  );
}

const DAY_TONES = { open: 'plain', closed: 'good', reopened: 'warn' } as const;

function SincePanel({ visit: { texts }, morning: { since } }: Of): VNode {
  const { t } = texts;
  const { payments, hasMorePayments, breaks, statements } = since;
  const ofPayments = hasMorePayments
    ? t('morning:since.morePayments', { number: texts.count(payments) })
    : t('common:count.payments', { count: payments });
  return (
    <Panel title={t('morning:since.title')}>
      <p>
        {joined(
          ofPayments,
          t('common:count.breaks', { count: breaks }),
          t('common:count.statements', { count: statements }),
        )}
      </p>
    </Panel>
  );
}

function sumOf(amounts: readonly (number | string)[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
