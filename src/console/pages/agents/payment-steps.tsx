import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { LinkIf } from '../../parts/links';
import { Moment, Money, Sign } from '../../parts/values';
import { to } from '../../web/own-path';

type Payment = Json<'listAgentPayments'>['data'][number];
type Stored = Exclude<Payment, { state: 'refused' }>;
type Refused = Extract<Payment, { state: 'refused' }>;

interface PaymentStepsProps {
  readonly texts: Texts;
  readonly payment: Payment;
  /** Whether the person may open the payment itself. */
  readonly canOpen: boolean;
}

/** A payment of an agent: confirmed, expected, in the bank. */
export function PaymentSteps({ texts, payment, canOpen }: PaymentStepsProps): VNode {
  if (payment.state === 'refused') return <RefusedCall texts={texts} call={payment} />;
  const { itemId, amountMillimes, confirmedAt, refundedMillimes } = payment;
  const amount = <Money texts={texts} of={amountMillimes} />;
  return (
    <li>
      <p class="line">
        <Moment texts={texts} of={confirmedAt} />
        <LinkIf may={canOpen} href={to('/payments', itemId)}>
          {amount}
        </LinkIf>
      </p>
      <ul class="steps">
        <li>
          <Sign tone="good">{texts.t('agents:step.confirmed')}</Sign>
        </li>
        <BankSteps texts={texts} payment={payment} />
        {BigInt(refundedMillimes) > 0n ? (
          <li>
            <Sign tone="warn">{texts.t('agents:step.refunded', { amount: texts.money(refundedMillimes) })}</Sign>
          </li>
        ) : null}
      </ul>
    </li>
  );
}

function BankSteps({ texts, payment }: { texts: Texts; payment: Stored }): VNode {
  const { state, banked, expected } = payment;
  const { t } = texts;
  if (banked !== null) {
    const evidence = texts.word('evidence', banked.evidence);
    return (
      <li>
        <Sign tone={state === 'returned' ? 'bad' : 'good'}>
          {state === 'returned' ? t('agents:step.returned') : t('agents:step.banked', { date: texts.date(banked.on) })}
        </Sign>
        <small>{t('agents:step.bankedBy', { ref: banked.creditRef, evidence })}</small>
      </li>
    );
  }
  const isLate = state === 'late' || expected?.late === true;
  const usuallyOn = isLate ? null : (expected?.usuallyOn ?? null);
  const date = expected === null ? undefined : texts.date(expected.latestOn);
  return (
    <>
      <li>
        <Sign tone={isLate ? 'warn' : 'wait'}>
          {date === undefined
            ? t(isLate ? 'agents:step.lateUnknown' : 'agents:step.unknown')
            : t(isLate ? 'agents:step.late' : 'agents:step.expected', { date })}
        </Sign>
        {usuallyOn === null ? null : <small>{t('agents:step.usually', { date: texts.date(usuallyOn) })}</small>}
      </li>
      <li>
        <Sign tone="plain">{t('agents:step.bank')}</Sign>
      </li>
    </>
  );
}

function RefusedCall({ texts, call }: { texts: Texts; call: Refused }): VNode {
  return (
    <li>
      <p class="line">
        <Moment texts={texts} of={call.lastAt} />
      </p>
      <p>
        <Sign tone="bad">{texts.t('agents:refused', { why: texts.word('refusalKind', call.kind) })}</Sign>{' '}
        <small>{texts.t('agents:refusedTimes', { count: call.times })}</small>
      </p>
    </li>
  );
}
