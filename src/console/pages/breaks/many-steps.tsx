import type { VNode } from 'preact';
import type { Visit } from '../../page/page';
import { Choice, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { AT_ONCE_MAX } from './break-query';

/** The steps that a person may take on many breaks at once. */
export const MANY_STEPS = ['assign', 'comment', 'resolve'] as const;
export type ManyStep = (typeof MANY_STEPS)[number];

/** One step for the breaks whose boxes are checked, or for all that fit the filter. */
export function ManySteps({ visit }: { visit: Visit }): VNode {
  const { texts, form, session, problem } = visit;
  const { t } = texts;
  const assignee = form.value('assignee');
  return (
    <fieldset class="panel">
      <legend>{t('breaks:many.title')}</legend>
      <label class="box">
        <input type="checkbox" name="all" value="yes" checked={form.value('all') === 'yes'} />
        <span>{t('breaks:many.all', { count: AT_ONCE_MAX })}</span>
      </label>
      <div class="filter">
        <Choice
          name="kind"
          label={t('breaks:many.step')}
          value={form.value('kind')}
          options={MANY_STEPS.map((each) => [each, texts.word('action', each)] as const)}
        />
        <Field
          name="assignee"
          label={t('breaks:many.assignee')}
          value={assignee === '' ? session.user.name : assignee}
          maxLength={63}
          fault={faultOf(problem, 'step/assignee')}
          isPlain
        />
        <Field
          name="text"
          label={t('breaks:many.text')}
          value={form.value('text')}
          maxLength={500}
          fault={faultOf(problem, 'step/text') ?? faultOf(problem, 'step/reason')}
        />
        <button>{t('common:action.preview')}</button>
      </div>
    </fieldset>
  );
}
