import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { LinkIf } from '../../parts/links';
import { Panel } from '../../parts/table';
import { Id, Moment, Money, Sign } from '../../parts/values';
import { to } from '../../web/own-path';
import { MoneyState } from './payment-state';

type Shown = Json<'showPayment'>;

interface PlaceProps {
  readonly visit: Visit;
  readonly payment: Shown;
}

/** Where the money of a payment is, in steps, each with the rows behind it. */
export function MoneyPlace({ visit, payment }: PlaceProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { state, confirmedAt } = payment.money;
  return (
    <Panel title={t('payments:money.title')}>
      <p class="line">
        <MoneyState texts={texts} state={state} />
      </p>
      {state === 'none' ? (
        <p>{t('payments:money.none')}</p>
      ) : (
        <ol class="steps">
          {confirmedAt === null ? null : (
            <li>
              <Sign tone="good">{t('payments:money.confirmed')}</Sign> <Moment texts={texts} of={confirmedAt} />
            </li>
          )}
          <GatewayStep visit={visit} payment={payment} />
          <BankStep visit={visit} payment={payment} />
          <Afterwards visit={visit} payment={payment} />
        </ol>
      )}
      <Breaks visit={visit} payment={payment} />
    </Panel>
  );
}

/** What the gateway reports of the money; only of an attempt. */
function GatewayStep({ visit: { texts }, payment }: PlaceProps): VNode | null {
  if (payment.source !== 'attempt' || payment.progress.availability === null) return null;
  const { availability, availableSince } = payment.progress;
  const isDone = ['available', 'in_payout', 'sent_to_bank'].includes(availability);
  return (
    <li>
      <Sign tone={isDone ? 'good' : availability === 'not_yet' ? 'wait' : 'plain'}>
        {texts.t('payments:money.gateway', { state: texts.word('availability', availability) })}
      </Sign>{' '}
      {availableSince === null ? null : <Moment texts={texts} of={availableSince} />}
    </li>
  );
}

function BankStep({ visit, payment: { money } }: PlaceProps): VNode | null {
  const { texts, can } = visit;
  const { t } = texts;
  const { state, bankedOn, creditId, expectedBy } = money;
  if (bankedOn !== null) {
    return (
      <li>
        <Sign tone="good">{t('payments:money.banked', { date: texts.date(bankedOn) })}</Sign>{' '}
        {creditId === null ? null : (
          <LinkIf may={can('reconciliation:read')} href={to('/credits', creditId)}>
            {t('payments:money.credit')} <Id>{creditId}</Id>
          </LinkIf>
        )}
      </li>
    );
  }
  if (state === 'refunded') return null;
  const date = expectedBy === null ? undefined : texts.date(expectedBy);
  const isLate = state === 'late';
  return (
    <li>
      <Sign tone={isLate ? 'warn' : 'wait'}>
        {date === undefined
          ? t('payments:money.expected')
          : t(isLate ? 'payments:money.lateSince' : 'payments:money.expectedBy', { date })}
      </Sign>
    </li>
  );
}

function Afterwards({ visit: { texts }, payment: { money } }: PlaceProps): VNode {
  const { returnedOn, refundedMillimes } = money;
  return (
    <>
      {returnedOn === null ? null : (
        <li>
          <Sign tone="bad">{texts.t('payments:money.returned', { date: texts.date(returnedOn) })}</Sign>
        </li>
      )}
      {BigInt(refundedMillimes) === 0n ? null : (
        <li>
          <Sign tone="plain">{texts.t('payments:money.refunded')}</Sign> <Money texts={texts} of={refundedMillimes} />
        </li>
      )}
    </>
  );
}

function Breaks({ visit: { texts, can }, payment: { money } }: PlaceProps): VNode | null {
  const { breakIds } = money;
  if (breakIds.length === 0) return null;
  return (
    <p class="note">
      {texts.t('payments:money.breaks', { count: breakIds.length })}{' '}
      {breakIds.map((id) => (
        <>
          <LinkIf may={can('breaks:read')} href={to('/breaks', id)}>
            <Id>{id}</Id>
          </LinkIf>{' '}
        </>
      ))}
    </p>
  );
}
