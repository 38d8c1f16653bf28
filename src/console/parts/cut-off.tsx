import type { VNode } from 'preact';
import type { Texts } from '../../texts';

/** The last day that a run covers, and when it began to read. */
interface Known {
  readonly through: string;
  readonly knownAt: string;
}

/** The first line of a page whose figures are those of a run: up to which day, and as known when. */
export function CutOff({ texts, of }: { texts: Texts; of: Known | null | undefined }): VNode {
  if (of === null || of === undefined) return <p class="cut-off">{texts.t('common:state.noRunYet')}</p>;
  const { through, knownAt } = of;
  const params = { date: texts.date(through), instant: texts.instant(knownAt) };
  return <p class="cut-off">{texts.t('common:state.cutOff', params)}</p>;
}

/** The first line of a page that shows what is stored now. */
export function AsOf({ texts, now }: { texts: Texts; now: number }): VNode {
  return <p class="cut-off">{texts.t('common:state.knownNow', { instant: texts.instant(now) })}</p>;
}
