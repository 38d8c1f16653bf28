import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { filtered, filtersOf } from '../../page/filtered';
import type { Page, Visit } from '../../page/page';
import type { Problem } from '../../page/problem';
import { Choice, Field, FilterForm } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Pager, Table } from '../../parts/table';
import { Id, Moment, Money, None } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { intervalOf } from './interval';
import { SubscriptionState } from './subscription-state';

type List = Json<'listSubscriptions'>;

const PATH = '/subscriptions';
const FILTERS = ['status', 'state', 'reference'] as const;
const STATUSES = ['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'incomplete_expired'] as const;
const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown'] as const;

/** The subscriptions, newest first. */
export const SUBSCRIPTION_LIST_PAGE: Page = {
  path: PATH,
  scope: 'payments:read',
  menu: { group: 'money', label: 'common:menu.subscriptions' },
  async show(visit) {
    const { texts, query, call } = visit;
    const filters = filtersOf<'listSubscriptions'>(query, FILTERS);
    const asked = { ...filters, cursor: query['cursor'] };
    const { list, refused } = await filtered(visit.texts, () => call('listSubscriptions', { query: asked }));
    const body = (
      <>
        <p class="cut-off">{texts.t('payments:list.asOfOne', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={refused} />
        {visit.can('payments:write') ? (
          <p>
            <a href={to('/imports/subscriptions')}>{texts.t('common:menu.importSubscriptions')}</a>
          </p>
        ) : null}
        <Filters visit={visit} problem={refused} />
        {list === undefined ? null : <Rows visit={visit} list={list} filters={filters} />}
      </>
    );
    return { title: texts.t('common:menu.subscriptions'), body, isWide: true };
  },
};

function Filters({ visit: { texts, query }, problem }: { visit: Visit; problem: Problem | undefined }): VNode {
  const { t, word } = texts;
  const any = ['', t('common:state.all')] as const;
  const field = (name: (typeof FILTERS)[number]) => ({
    name,
    value: query[name] ?? '',
    fault: faultOf(problem, name),
  });
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Choice
        {...field('status')}
        label={t('common:field.state')}
        options={[any, ...STATUSES.map((each) => [each, word('subscriptionStatus', each)] as const)]}
      />
      <Choice
        {...field('state')}
        label={t('payments:field.request')}
        options={[any, ...REQUEST_STATES.map((each) => [each, word('requestState', each)] as const)]}
      />
      <Field {...field('reference')} label={t('common:field.reference')} isPlain />
    </FilterForm>
  );
}

interface RowsProps {
  readonly visit: Visit;
  readonly list: List;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

function Rows({ visit: { texts, query }, list, filters }: RowsProps): VNode {
  const { t } = texts;
  const own = to(PATH);
  return (
    <>
      <Table
        caption={t('common:menu.subscriptions')}
        rows={list.data}
        empty={t(Object.keys(filters).length > 0 ? 'common:state.nothingFits' : 'payments:subscriptions.none')}
        columns={[
          {
            label: t('common:field.reference'),
            isHead: true,
            cell: ({ trackingId, reference }) => (
              <a href={to(PATH, trackingId)}>
                <Id>{reference ?? trackingId}</Id>
              </a>
            ),
          },
          {
            label: t('common:field.state'),
            cell: (subscription) => <SubscriptionState texts={texts} subscription={subscription} />,
          },
          { label: t('payments:subscriptions.every'), cell: ({ terms }) => intervalOf(texts, terms) ?? <None /> },
          {
            label: t('payments:subscriptions.cycles'),
            isNumber: true,
            cell: ({ cyclesCompleted }) => texts.count(cyclesCompleted),
          },
          {
            label: t('payments:subscriptions.nextCharge'),
            cell: ({ nextChargeAt }) => <Moment texts={texts} of={nextChargeAt} />,
          },
          {
            label: t('payments:field.requestedAt'),
            cell: ({ requestedAt }) => <Moment texts={texts} of={requestedAt} />,
          },
          {
            label: t('common:field.amount'),
            isNumber: true,
            cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
          },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { ...filters, cursor: list.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : withQuery(own, filters)}
      />
    </>
  );
}
