import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { State } from '../../parts/values';

type Statement = Json<'showStatement'>;
export type Verdict = Statement['verdict'];

/** Whether a statement counts, and why. */
export function StatementState({ texts, of }: { texts: Texts; of: Statement }): VNode {
  if (of.excluded !== null) return <State texts={texts} list="statementState" code="left_out" tone="plain" />;
  if (of.accepted !== null) return <State texts={texts} list="statementState" code="accepted" tone="good" />;
  if (of.waiting) {
    const code = of.hold ?? 'waiting';
    return <State texts={texts} list="statementState" code={code} tone={of.hold === null ? 'warn' : 'bad'} />;
  }
  if (of.kind === 'interim') return <State texts={texts} list="statementKind" code={of.kind} tone="plain" />;
  return <VerdictState texts={texts} of={of.verdict} />;
}

/** Whether the balances of a statement prove its lines. */
export function VerdictState({ texts, of }: { texts: Texts; of: Verdict }): VNode {
  const tone = of === 'ok' ? 'good' : of === 'unbalanced' ? 'bad' : 'warn';
  return <State texts={texts} list="statementVerdict" code={of} tone={tone} />;
}
