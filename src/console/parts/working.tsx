import type { VNode } from 'preact';
import type { Texts } from '../../texts';

/** Says in a form that its work takes a while, and after the press of the button that it is under way. */
export function Working({ texts }: { texts: Texts }): VNode {
  return (
    <p class="working">
      <span class="before">{texts.t('common:state.takesAWhile')}</span>
      <span class="during">{texts.t('common:state.working')}</span>
    </p>
  );
}
