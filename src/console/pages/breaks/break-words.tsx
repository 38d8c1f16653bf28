import type { VNode } from 'preact';
import type { Texts } from '../../../texts';
import { Day, Money, None, Sign, State, type Tone } from '../../parts/values';
import type { Break } from './break-query';

const STATUS_TONES: Readonly<Record<Break['status'], Tone>> = {
  open: 'bad',
  assigned: 'wait',
  proposed: 'warn',
  resolved: 'good',
};
const SEVERITY_TONES: Readonly<Record<Break['severity'], Tone>> = { high: 'bad', medium: 'warn', low: 'plain' };

export function Status({ texts, of: { status } }: { texts: Texts; of: Pick<Break, 'status'> }): VNode {
  return <State texts={texts} list="breakStatus" code={status} tone={STATUS_TONES[status]} />;
}

export function Severity({ texts, of: { severity } }: { texts: Texts; of: Pick<Break, 'severity'> }): VNode {
  return <State texts={texts} list="severity" code={severity} tone={SEVERITY_TONES[severity]} />;
}

/** The size of a break, which has no sign: its direction says which side has more. */
export function Size({ texts, of: { sizeMillimes } }: { texts: Texts; of: Pick<Break, 'sizeMillimes'> }): VNode {
  return sizeMillimes === null ? <None /> : <Money texts={texts} of={sizeMillimes} />;
}

/** The day by which a break should be resolved. */
export function Due({ texts, of }: { texts: Texts; of: Pick<Break, 'dueOn' | 'overdue' | 'status'> }): VNode {
  const day = <Day texts={texts} of={of.dueOn} />;
  if (!of.overdue || of.status === 'resolved') return day;
  return (
    <Sign tone="warn">
      {day} {texts.t('breaks:overdue')}
    </Sign>
  );
}
