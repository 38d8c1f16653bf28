import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { isAppError } from '../../../kernel';
import { CHANNELS } from '../../../ledger';
import { MONEY_STATES } from '../../../reporting';
import { filtered, filtersOf } from '../../page/filtered';
import type { Page, Visit } from '../../page/page';
import type { Problem } from '../../page/problem';
import { typedAmount } from '../../page/typed-amount';
import { ActionForm, Choice, Field, FilterForm } from '../../parts/forms';
import { LinkIf } from '../../parts/links';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { type Column, Pager, Table } from '../../parts/table';
import { Id, Moment, Money, None } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { MoneyState, PaymentState } from './payment-state';

type List = Json<'listPayments'>;
type Row = List['data'][number];

const PATH = '/payments';
const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
const PLAIN_FILTERS = [
  ...(['from', 'to', 'channel', 'state', 'requestState', 'agentId', 'reference', 'status', 'cursor'] as const),
] as const;
const FILTERS = ['amount', ...PLAIN_FILTERS.filter((name) => name !== 'cursor')] as const;

/** The payments of every channel, newest first. */
export const PAYMENT_LIST_PAGE: Page = {
  path: PATH,
  scope: 'payments:read',
  menu: { group: 'money', label: 'common:menu.payments' },
  async show(visit) {
    const { texts, query } = visit;
    const { list, refused } = await filtered(visit.texts, () => readList(visit));
    const problem = visit.problem ?? refused;
    const body = (
      <>
        <p class="cut-off">{texts.t('payments:list.asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={problem} />
        {visit.can('payments:write') ? (
          <p class="actions">
            <a class="button" href={to('/payments/new')}>
              {texts.t('common:menu.newPayment')}
            </a>
          </p>
        ) : null}
        <OpenForm visit={visit} />
        <Filters visit={visit} problem={problem} />
        {list === undefined ? null : <Rows visit={visit} list={list} />}
      </>
    );
    return { title: texts.t(query['agentId'] ? 'payments:list.titleOfAgent' : 'payments:title'), body, isWide: true };
  },
  actions: {
    open: {
      async run({ form, call }) {
        const typed = { id: form.value('id').trim() };
        try {
          const { id } = await call('showPayment', { params: typed });
          return { to: to(PATH, id) };
        } catch (error) {
          if (!isAppError(error, 'not_found')) throw error;
          const { trackingId } = await call('showSubscription', { params: typed });
          return { to: to('/subscriptions', trackingId) };
        }
      },
    },
  },
};

function readList({ texts, query, call }: Visit): Promise<List> {
  const amountMillimes = typedAmount(texts, 'amount', query['amount'] ?? '')?.toString();
  return call('listPayments', { query: { ...filtersOf<'listPayments'>(query, PLAIN_FILTERS), amountMillimes } });
}

function OpenForm({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  return (
    <ActionForm visit={visit} action="open" path={to(PATH)} class="filter opener">
      <Field
        name="id"
        type="search"
        label={t('payments:open.label')}
        hint={t('payments:open.hint')}
        value={visit.form.value('id')}
        isRequired
        isPlain
        maxLength={255}
      />
      <button class="main">{t('common:action.open')}</button>
    </ActionForm>
  );
}

function Filters({ visit, problem }: { visit: Visit; problem: Problem | undefined }): VNode {
  const { texts, query } = visit;
  const { t, word } = texts;
  const any = ['', t('common:state.all')] as const;
  const valueOf = (name: (typeof FILTERS)[number]): string => query[name] ?? '';
  const field = (name: (typeof FILTERS)[number]) => ({ name, value: valueOf(name), fault: faultOf(problem, name) });
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Field {...field('from')} type="date" label={t('common:field.from')} />
      <Field {...field('to')} type="date" label={t('common:field.through')} />
      <Choice
        {...field('channel')}
        label={t('common:field.channel')}
        options={[any, ...CHANNELS.map((each) => [each, word('channel', each)] as const)]}
      />
      <Choice
        {...field('state')}
        label={t('payments:field.money')}
        options={[
          any,
          ...(['none', ...MONEY_STATES] as const).map((each) => [each, word('moneyState', each)] as const),
        ]}
      />
      <Choice
        {...field('requestState')}
        label={t('payments:field.request')}
        options={[any, ...REQUEST_STATES.map((each) => [each, word('requestState', each)] as const)]}
      />
      <Field {...field('amount')} inputMode="decimal" label={t('payments:field.amountDinars')} />
      <Field {...field('agentId')} label={t('payments:field.agent')} isPlain />
      <Field {...field('reference')} label={t('common:field.reference')} isPlain />
    </FilterForm>
  );
}

function Rows({ visit, list }: { visit: Visit; list: List }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const own = to(PATH);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const none = list.hasMore
    ? 'payments:list.noneOnPage'
    : isFiltered
      ? 'common:state.nothingFits'
      : 'payments:list.none';
  return (
    <>
      <Table caption={t('payments:title')} rows={list.data} empty={t(none)} columns={columnsOf(visit)} />
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
    { label: t('common:field.date'), cell: ({ at }) => <Moment texts={texts} of={at} /> },
    {
      label: t('payments:field.payment'),
      isHead: true,
      cell: ({ id, reference }) => (
        <a href={to(PATH, id)}>
          <Id>{reference ?? id}</Id>
        </a>
      ),
    },
    {
      label: t('common:field.channel'),
      cell: ({ channel }) => (channel === null ? <None /> : word('channel', channel)),
    },
    {
      label: t('payments:field.agent'),
      cell: ({ agentId }) =>
        agentId === null ? (
          <None />
        ) : (
          <LinkIf may={can('agents:lookup')} href={to('/agents', agentId)}>
            <Id>{agentId}</Id>
          </LinkIf>
        ),
    },
    { label: t('common:field.state'), cell: (payment) => <PaymentState texts={texts} payment={payment} /> },
    { label: t('payments:field.money'), cell: ({ money }) => <MoneyState texts={texts} state={money.state} /> },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
    },
  ];
}
