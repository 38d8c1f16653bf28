import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { LinkIf, OutsideLink } from '../../parts/links';
import { ProblemBox } from '../../parts/problem-box';
import { Pager, Panel, Table } from '../../parts/table';
import { Day, Fact, Facts, Id, Moment, Money, None, State, type Tone, Writer } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { intervalOf } from './interval';
import { SubscriptionState } from './subscription-state';

type Subscription = Json<'showSubscription'>;
type Charges = Json<'listCharges'>;

const PATH = '/subscriptions';
const CHARGE_TONES: Readonly<Record<string, Tone>> = { SUCCESS: 'good', FAILURE: 'bad', PENDING: 'wait' };

/** A subscription with its charges. */
export const SUBSCRIPTION_PAGE: Page = {
  path: '/subscriptions/:id',
  scope: 'payments:read',
  recordedAs: ({ id }) => `subscription:${id}`,
  async show(visit) {
    const { texts, params, query, call } = visit;
    const { id = '' } = params;
    const subscription = await call('showSubscription', { params: { id } });
    const charges = await call('listCharges', { params: { id }, query: { cursor: query['cursor'] } });
    const body = (
      <>
        <p class="cut-off">{texts.t('payments:list.asOfOne', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        <About visit={visit} subscription={subscription} />
        <ChargesPanel visit={visit} charges={charges} own={to(PATH, id)} />
        {visit.can('payments:write') ? <Check visit={visit} /> : null}
      </>
    );
    const name = subscription.reference ?? subscription.trackingId;
    return { title: texts.t('payments:subscriptions.one', { id: name }), body, isWide: true };
  },
  actions: {
    verify: {
      scope: 'payments:write',
      async run({ params: { id = '' }, form, call }) {
        const { kind } = await call('verifySubscription', { params: { id }, idempotencyKey: form.value('once') });
        const said = { looked: 'payments:said.looked', later: 'payments:said.later' } as const;
        return { to: to(PATH, id), said: kind === 'nothing_to_ask' ? 'payments:said.nothingToAsk' : said[kind] };
      },
    },
  },
};

function About({ visit, subscription }: { visit: Visit; subscription: Subscription }): VNode {
  const { texts, can } = visit;
  const { t } = texts;
  const { amountMillimes, terms, agentId, link } = subscription;
  return (
    <Panel title={t('payments:one.about')}>
      <p class="line">
        <span class="large">
          <Money texts={texts} of={amountMillimes} />
        </span>
        <span>{intervalOf(texts, terms)}</span>
        <SubscriptionState texts={texts} subscription={subscription} />
      </p>
      <Facts>
        <Times visit={visit} subscription={subscription} />
        {agentId === null ? null : (
          <Fact name={t('payments:field.agent')}>
            <LinkIf may={can('agents:lookup')} href={to('/agents', agentId)}>
              <Id>{agentId}</Id>
            </LinkIf>
          </Fact>
        )}
        <Fact name={t('common:field.id')}>
          <Id>{subscription.trackingId}</Id>
        </Fact>
        {subscription.subscriptionId === null ? null : (
          <Fact name={t('payments:field.gatewayId')}>
            <Id>{subscription.subscriptionId}</Id>
          </Fact>
        )}
        {link === null ? null : (
          <Fact name={t('payments:field.link')}>
            <OutsideLink href={link} />
          </Fact>
        )}
        {subscription.requestError === null ? null : (
          <Fact name={t('payments:field.refusal')}>
            <bdi>{subscription.requestError}</bdi>
          </Fact>
        )}
        <Fact name={t('payments:field.by')}>
          <Writer texts={texts} of={subscription.recordedBy} />
        </Fact>
      </Facts>
    </Panel>
  );
}

function Times({ visit: { texts }, subscription }: { visit: Visit; subscription: Subscription }): VNode {
  const { t } = texts;
  const { cyclesCompleted, activatedAt, periodStartAt, periodEndAt, canceledAt, cancelAtPeriodEnd } = subscription;
  return (
    <>
      <Fact name={t('payments:field.requestedAt')}>
        <Moment texts={texts} of={subscription.requestedAt} />
      </Fact>
      <Fact name={t('payments:subscriptions.activated')}>
        <Moment texts={texts} of={activatedAt} />
      </Fact>
      <Fact name={t('payments:subscriptions.cycles')}>{texts.count(cyclesCompleted)}</Fact>
      <Fact name={t('payments:subscriptions.period')}>
        {periodStartAt === null || periodEndAt === null ? (
          <None />
        ) : (
          t('payments:subscriptions.fromTo', { from: texts.instant(periodStartAt), to: texts.instant(periodEndAt) })
        )}
      </Fact>
      <Fact name={t('payments:subscriptions.nextCharge')}>
        <Moment texts={texts} of={subscription.nextChargeAt} />
      </Fact>
      {canceledAt === null ? null : (
        <Fact name={t('payments:subscriptions.canceled')}>
          <Moment texts={texts} of={canceledAt} /> {cancelAtPeriodEnd ? t('payments:subscriptions.atPeriodEnd') : null}{' '}
          <bdi>{subscription.cancellationReason}</bdi>
        </Fact>
      )}
      <Fact name={t('payments:field.lastCheck')}>
        <Moment texts={texts} of={subscription.lastLookAt} />
      </Fact>
    </>
  );
}

function ChargesPanel({ visit, charges, own }: { visit: Visit; charges: Charges; own: string }): VNode {
  const { texts, query } = visit;
  const { t, word } = texts;
  const money = (amount: number | null): VNode => (amount === null ? <None /> : <Money texts={texts} of={amount} />);
  return (
    <Panel title={t('payments:charges.title')}>
      <Table
        caption={t('payments:charges.title')}
        rows={charges.data}
        empty={t('payments:charges.none')}
        columns={[
          {
            label: t('payments:charges.period'),
            cell: ({ periodStart, periodEnd }) => (
              <>
                <Day texts={texts} of={periodStart} />
                {periodEnd === null ? null : <>{' – '}</>}
                {periodEnd === null ? null : <Day texts={texts} of={periodEnd} />}
              </>
            ),
          },
          {
            label: t('payments:field.payment'),
            isHead: true,
            cell: ({ paymentId }) => (
              <a href={to('/payments', paymentId)}>
                <Id>{paymentId}</Id>
              </a>
            ),
          },
          {
            label: t('common:field.state'),
            cell: ({ status }) => (
              <State texts={texts} list="paymentStatus" code={status} tone={CHARGE_TONES[status] ?? 'plain'} />
            ),
          },
          { label: t('payments:field.method'), cell: ({ method }) => word('paymentMethod', method) },
          { label: t('payments:charges.debited'), cell: ({ paidAt }) => <Moment texts={texts} of={paidAt} /> },
          { label: t('common:field.amount'), isNumber: true, cell: ({ amountMillimes }) => money(amountMillimes) },
          { label: t('payments:charges.fee'), isNumber: true, cell: ({ feeMillimes }) => money(feeMillimes) },
          { label: t('payments:charges.tva'), isNumber: true, cell: ({ tvaMillimes }) => money(tvaMillimes) },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={charges.hasMore}
        next={withQuery(own, { cursor: charges.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : own}
      />
    </Panel>
  );
}

function Check({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('payments:verify.submit')}>
      <ActionForm visit={visit} action="verify">
        <p class="hint">{t('payments:verify.subscription')}</p>
        <p class="actions">
          <button>{t('payments:verify.submit')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
