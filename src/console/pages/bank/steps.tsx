import type { VNode } from 'preact';
import type { Texts } from '../../../texts';

const STEPS = ['file', 'reading', 'control'] as const;

/** The steps of an import. A file is read and checked on one page, so the last two are current together. */
export function Steps({ texts, current }: { texts: Texts; current: readonly (typeof STEPS)[number][] }): VNode {
  return (
    <ol class="progress">
      {STEPS.map((step) => (
        <li aria-current={current.includes(step) ? 'step' : undefined}>{texts.t(`bank:step.${step}`)}</li>
      ))}
    </ol>
  );
}
