import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { None, State, type Tone } from '../../parts/values';

type Listed = Json<'listPayments'>['data'][number];

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  PENDING: 'wait',
  SUCCESS: 'good',
  FAILURE: 'bad',
  SYSTEM_FAILURE: 'bad',
  EXPIRED: 'plain',
  PREAUTH_SUCCESS: 'wait',
  PP: 'wait',
  PS: 'good',
  PF: 'bad',
  PA: 'wait',
  PR: 'plain',
  RP: 'wait',
  RF: 'bad',
};

const MONEY_TONES: Readonly<Record<Listed['money']['state'], Tone>> = {
  none: 'plain',
  expected: 'wait',
  late: 'warn',
  break: 'bad',
  banked: 'good',
  returned: 'bad',
  refunded: 'plain',
};

const REQUEST_TONES: Readonly<Record<string, Tone>> = {
  requested: 'wait',
  sending: 'wait',
  made: 'plain',
  refused: 'bad',
  unknown: 'warn',
  abandoned: 'plain',
};

/** How far a payment is: its request until the gateway has it, then what the gateway reports. */
export function PaymentState({
  texts,
  payment: { requestState, status },
}: {
  texts: Texts;
  payment: { readonly requestState: string | null; readonly status: string | null };
}): VNode {
  if (requestState !== null && (requestState !== 'made' || status === null)) {
    return (
      <State texts={texts} list="requestState" code={requestState} tone={REQUEST_TONES[requestState] ?? 'plain'} />
    );
  }
  if (status === null) return <None />;
  return <State texts={texts} list="paymentStatus" code={status} tone={STATUS_TONES[status] ?? 'plain'} />;
}

/** Where the money of a payment is. */
export function MoneyState({ texts, state }: { texts: Texts; state: Listed['money']['state'] }): VNode {
  return <State texts={texts} list="moneyState" code={state} tone={MONEY_TONES[state]} />;
}
