import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { LinkIf, OutsideLink } from '../../parts/links';
import { ProblemBox } from '../../parts/problem-box';
import { QrCode } from '../../parts/qr-code';
import { Panel } from '../../parts/table';
import { Fact, Facts, Id, Moment, Money, None, Sign, Writer } from '../../parts/values';
import { to } from '../../web/own-path';
import { MoneyPlace } from './money-place';
import { Decisions, PAYMENT_ACTIONS } from './payment-actions';
import { PaymentState } from './payment-state';
import { Timeline } from './timeline';

type Shown = Json<'showPayment'>;
type Attempt = Extract<Shown, { source: 'attempt' }>;

const PATH = '/payments';
/** A longer text makes a QR code that phones do not read. */
const SCANNED_CHARACTERS_MAX = 600;

/** A payment of any channel: what it is, where its money is, what may be done with it, and what happened. */
export const PAYMENT_PAGE: Page = {
  path: '/payments/:id',
  scope: 'payments:read',
  recordedAs: ({ id }) => `payment:${id}`,
  async show(visit) {
    const { id = '' } = visit.params;
    const { texts, query } = visit;
    const payment = await visit.call('showPayment', { params: { id } });
    const entries = await visit.call('listPaymentTimeline', { params: { id }, query: { cursor: query['cursor'] } });
    const body = (
      <>
        <p class="cut-off">{texts.t('payments:list.asOfOne', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        <div class="columns even">
          <AboutPayment visit={visit} payment={payment} />
          <MoneyPlace visit={visit} payment={payment} />
        </div>
        <Decisions visit={visit} payment={payment} />
        <Timeline visit={visit} entries={entries} own={to(PATH, id)} />
        <Terms visit={visit} payment={payment} />
      </>
    );
    return { title: texts.t('payments:one.title', { id: payment.reference ?? payment.id }), body, isWide: true };
  },
  actions: PAYMENT_ACTIONS,
};

function AboutPayment({ visit, payment }: { visit: Visit; payment: Shown }): VNode {
  const { texts, can } = visit;
  const { t, word } = texts;
  const { channel, kind, amountMillimes, ourShareMillimes, isTest } = payment;
  return (
    <Panel title={t('payments:one.about')}>
      <p class="line">
        <span class="large">
          <Money texts={texts} of={amountMillimes} />
        </span>
        <PaymentState texts={texts} payment={payment} />
        {isTest === true ? <Sign tone="warn">{t('payments:one.test')}</Sign> : null}
      </p>
      <Facts>
        <Fact name={t('common:field.channel')}>{channel === null ? <None /> : word('channel', channel)}</Fact>
        <Fact name={t('payments:field.kind')}>
          {payment.source === 'attempt' ? word('paymentKind', kind) : word('receiptKind', kind)}
        </Fact>
        <Fact name={t('payments:field.at')}>
          <Moment texts={texts} of={payment.at} />
        </Fact>
        {ourShareMillimes === amountMillimes ? null : (
          <Fact name={t('payments:field.ourShare')}>
            <Money texts={texts} of={ourShareMillimes} />
          </Fact>
        )}
        {payment.capturedMillimes === null ? null : (
          <Fact name={t('payments:field.captured')}>
            <Money texts={texts} of={payment.capturedMillimes} />
          </Fact>
        )}
        {payment.agentId === null ? null : (
          <Fact name={t('payments:field.agent')}>
            <LinkIf may={can('agents:lookup')} href={to('/agents', payment.agentId)}>
              <Id>{payment.agentId}</Id>
            </LinkIf>
          </Fact>
        )}
        {payment.source === 'attempt' ? <AboutAttempt visit={visit} attempt={payment} /> : null}
        <Ids visit={visit} payment={payment} />
      </Facts>
    </Panel>
  );
}

function Ids({ visit: { texts }, payment }: { visit: Visit; payment: Shown }): VNode {
  const { t } = texts;
  const { source, id, reference, gatewayId, trackingId } = payment;
  const subscription = source === 'attempt' ? null : payment.subscriptionTrackingId;
  return (
    <>
      {reference === null ? null : (
        <Fact name={t('common:field.reference')}>
          <Id>{reference}</Id>
        </Fact>
      )}
      <Fact name={t('common:field.id')}>
        <Id>{id}</Id>
      </Fact>
      {gatewayId === null || gatewayId === id ? null : (
        <Fact name={t('payments:field.gatewayId')}>
          <Id>{gatewayId}</Id>
        </Fact>
      )}
      {source === 'qr_payment' && trackingId !== null ? (
        <Fact name={t('payments:field.qrCode')}>
          <a href={to(PATH, trackingId)}>
            <Id>{trackingId}</Id>
          </a>
        </Fact>
      ) : null}
      {subscription === null ? null : (
        <Fact name={t('payments:field.subscription')}>
          <a href={to('/subscriptions', subscription)}>
            <Id>{subscription}</Id>
          </a>
        </Fact>
      )}
    </>
  );
}

function AboutAttempt({ visit: { texts }, attempt }: { visit: Visit; attempt: Attempt }): VNode {
  const { t, word } = texts;
  const { requestError, settlementStatus, method, link, sessionEndsAt, lastLookAt, nextLookAt } = attempt;
  return (
    <>
      <Fact name={t('payments:field.by')}>
        <Writer texts={texts} of={attempt.recordedBy} />
      </Fact>
      {requestError === null ? null : (
        <Fact name={t('payments:field.refusal')}>
          <bdi>{requestError}</bdi>
        </Fact>
      )}
      {method === null ? null : <Fact name={t('payments:field.method')}>{word('paymentMethod', method)}</Fact>}
      {settlementStatus === null ? null : (
        <Fact name={t('payments:field.settlement')}>{word('settlementStatus', settlementStatus)}</Fact>
      )}
      {link === null ? null : (
        <Fact name={t(attempt.kind === 'qr' ? 'payments:field.qrContent' : 'payments:field.link')}>
          <OutsideLink href={link} />
          {canBeScanned(attempt, link) ? <QrCode text={link} label={t('payments:field.toScan')} /> : null}
        </Fact>
      )}
      {sessionEndsAt === null ? null : (
        <Fact name={t('payments:field.sessionEnds')}>
          <Moment texts={texts} of={sessionEndsAt} />
        </Fact>
      )}
      <Fact name={t('payments:field.lastCheck')}>
        <Moment texts={texts} of={lastLookAt} />
      </Fact>
      <Fact name={t('payments:field.nextCheck')}>
        <Moment texts={texts} of={nextLookAt} />
      </Fact>
      {attempt.failedLooks === 0 ? null : (
        <Fact name={t('payments:field.failedChecks')}>
          <Sign tone="warn">{texts.count(attempt.failedLooks)}</Sign> <bdi>{attempt.lastLookError}</bdi>
        </Fact>
      )}
    </>
  );
}

/** Whether a customer can still pay by scanning it. The gateway may send a QR code as an image, which is no text to encode. */
function canBeScanned({ isLive, requestState, status }: Attempt, link: string): boolean {
  const isText = link.length <= SCANNED_CHARACTERS_MAX && !link.startsWith('data:');
  return isText && isLive && requestState === 'made' && (status === null || status === 'PENDING');
}

/** What Millime asked the gateway for, in the words of its interface. */
function Terms({ visit: { texts }, payment: { terms } }: { visit: Visit; payment: Shown }): VNode | null {
  if (terms === null) return null;
  return (
    <details class="panel">
      <summary>{texts.t('payments:one.terms')}</summary>
      <Facts>
        {Object.entries(terms).map(([name, value]) => (
          <div>
            <dt>
              <Id>{name}</Id>
            </dt>
            <dd>
              <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
            </dd>
          </div>
        ))}
      </Facts>
    </details>
  );
}
