import type { VNode } from 'preact';
import type { Texts } from '../../../texts';

const STEPS = ['file', 'reading', 'control'] as const;

/** The steps of an import. A file is read and checked on one page: the last step begins when the file can be read. */
export function Steps({ texts, current }: { texts: Texts; current: (typeof STEPS)[number] }): VNode {
  return (
    <ol class="progress">
      {STEPS.map((step) => (
        <li aria-current={step === current ? 'step' : undefined}>{texts.t(`bank:step.${step}`)}</li>
      ))}
    </ol>
  );
}
