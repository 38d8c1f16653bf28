import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { State, type Tone } from '../../parts/values';

export type Verdict = Json<'showRun'>['verdict'];

const TONES: Readonly<Record<Verdict, Tone>> = {
  reconciled: 'good',
  reconciled_with_pending: 'wait',
  breaks: 'bad',
  incomplete: 'warn',
};

/** What a run concludes. */
export function VerdictState({ texts, of }: { texts: Texts; of: Verdict }): VNode {
  return <State texts={texts} list="verdict" code={of} tone={TONES[of]} />;
}
