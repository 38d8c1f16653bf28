import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { filtered, filtersOf } from '../../page/filtered';
import type { Page, Visit } from '../../page/page';
import type { Problem } from '../../page/problem';
import { Choice, Field, FilterForm } from '../../parts/forms';
import { LinkIf } from '../../parts/links';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { type Column, Pager, Table } from '../../parts/table';
import { Id, Moment, None, Sign, State } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { DIAGNOSE_ACTION, DiagnosePanel } from './diagnose-webhook';
import { PROOF_TONES, STATE_TONES } from './webhook-tones';

type List = Json<'listWebhooks'>;
type Row = List['data'][number];

const PATH = '/webhooks';
const STATES = ['received', 'parked', 'done', 'ignored'] as const;
const FAMILIES = ['payment_v1', 'payment_v2', 'subscription', 'hint'] as const;
const FILTERS = ['state', 'family', 'paymentId', 'conflicted'] as const;

/** What the gateway sent, newest first; those that are parked or contradict each other; and why a request is refused. */
export const WEBHOOK_LIST_PAGE: Page = {
  path: PATH,
  scope: 'webhooks:read',
  menu: { group: 'system', label: 'common:menu.webhooks' },
  async show(visit) {
    const { texts, query, call } = visit;
    const asked = filtersOf<'listWebhooks'>(query, [...FILTERS, 'cursor']);
    const { list, refused } = await filtered(visit.texts, () => call('listWebhooks', { query: asked }));
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem ?? refused} />
        <Views visit={visit} />
        <Filters visit={visit} problem={refused} />
        {list === undefined ? null : <Rows visit={visit} list={list} />}
        <DiagnosePanel visit={visit} />
      </>
    );
    return { title: texts.t('common:menu.webhooks'), body, isWide: true };
  },
  actions: { diagnose: DIAGNOSE_ACTION },
};

/** The two lists that a person works on. */
function Views({ visit: { texts, query } }: { visit: Visit }): VNode {
  const { t } = texts;
  const views = [
    { label: t('administration:webhooks.all'), filters: {} },
    { label: t('administration:webhooks.parked'), filters: { state: 'parked' } },
    { label: t('administration:webhooks.conflicts'), filters: { conflicted: 'true' } },
  ];
  const chosen = query['conflicted'] === 'true' ? 2 : query['state'] === 'parked' ? 1 : query['state'] ? -1 : 0;
  return (
    <nav class="views" aria-label={t('common:menu.webhooks')}>
      {views.map(({ label, filters }, index) => (
        <a href={withQuery(to(PATH), filters)} aria-current={index === chosen ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function Filters({ visit: { texts, query }, problem }: { visit: Visit; problem: Problem | undefined }): VNode {
  const { t, word } = texts;
  const any = ['', t('common:state.all')] as const;
  const field = (name: (typeof FILTERS)[number]) => ({
    ...{ name, value: query[name] ?? '', fault: faultOf(problem, name) },
  });
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Choice
        {...field('state')}
        label={t('common:field.state')}
        options={[any, ...STATES.map((each) => [each, word('webhookState', each)] as const)]}
      />
      <Choice
        {...field('family')}
        label={t('administration:webhooks.family')}
        options={[any, ...FAMILIES.map((each) => [each, word('webhookFamily', each)] as const)]}
      />
      <Field {...field('paymentId')} label={t('administration:webhooks.payment')} isPlain />
      {query['conflicted'] === 'true' ? <input type="hidden" name="conflicted" value="true" /> : null}
    </FilterForm>
  );
}

function Rows({ visit, list }: { visit: Visit; list: List }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const own = to(PATH);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const isWork = query['state'] === 'parked' || query['conflicted'] === 'true';
  const none = list.hasMore
    ? 'administration:webhooks.noneOnPage'
    : isWork
      ? 'administration:webhooks.allDone'
      : isFiltered
        ? 'common:state.nothingFits'
        : 'administration:webhooks.none';
  return (
    <>
      <Table caption={t('common:menu.webhooks')} rows={list.data} empty={t(none)} columns={columnsOf(visit)} />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { ...filters, cursor: list.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : withQuery(own, filters)}
      />
    </>
  );
}

function columnsOf({ texts, can }: Visit): readonly Column<Row>[] {
  const { t, word } = texts;
  return [
    {
      label: t('administration:webhooks.receivedAt'),
      cell: ({ receivedAt }) => <Moment texts={texts} of={receivedAt} />,
    },
    {
      label: t('administration:webhooks.event'),
      isHead: true,
      cell: ({ id, event }) => (
        <a href={to(PATH, id)}>
          <Id>{event}</Id>
        </a>
      ),
    },
    {
      label: t('administration:webhooks.payment'),
      cell: ({ paymentId, subscriptionId }) =>
        paymentId !== null ? (
          <LinkIf may={can('payments:read')} href={to('/payments', paymentId)}>
            <Id>{paymentId}</Id>
          </LinkIf>
        ) : subscriptionId !== null ? (
          <Id>{subscriptionId}</Id>
        ) : (
          <None />
        ),
    },
    {
      label: t('administration:webhooks.signature'),
      cell: ({ proof }) => <State texts={texts} list="webhookProof" code={proof} tone={PROOF_TONES[proof]} />,
    },
    {
      label: t('common:field.state'),
      cell: ({ state }) => <State texts={texts} list="webhookState" code={state} tone={STATE_TONES[state]} />,
    },
    {
      label: t('administration:webhooks.outcome'),
      cell: ({ outcome }) => (outcome === null ? <None /> : word('webhookOutcome', outcome)),
    },
    {
      label: t('administration:webhooks.conflictCount'),
      isNumber: true,
      cell: ({ conflicts }) => (conflicts === 0 ? <None /> : <Sign tone="warn">{texts.count(conflicts)}</Sign>),
    },
    { label: t('administration:webhooks.times'), isNumber: true, cell: ({ times }) => texts.count(times) },
  ];
}
