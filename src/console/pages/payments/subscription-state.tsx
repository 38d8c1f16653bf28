import type { VNode } from 'preact';
import type { Texts } from '../../../texts';
import { State, type Tone } from '../../parts/values';

const REQUEST_TONES: Readonly<Record<string, Tone>> = {
  requested: 'wait',
  sending: 'wait',
  made: 'plain',
  refused: 'bad',
  unknown: 'warn',
};

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  past_due: 'warn',
  unpaid: 'bad',
  canceled: 'plain',
  incomplete: 'wait',
  incomplete_expired: 'plain',
};

/** How far a subscription is: its request until the gateway has it, then what the gateway reports. */
export function SubscriptionState({
  texts,
  subscription: { requestState, status },
}: {
  texts: Texts;
  subscription: { readonly requestState: string; readonly status: string | null };
}): VNode {
  if (requestState !== 'made' || status === null) {
    return (
      <State texts={texts} list="requestState" code={requestState} tone={REQUEST_TONES[requestState] ?? 'plain'} />
    );
  }
  return <State texts={texts} list="subscriptionStatus" code={status} tone={TONES[status] ?? 'plain'} />;
}
