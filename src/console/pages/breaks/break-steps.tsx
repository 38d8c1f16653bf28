import type { VNode } from 'preact';
import type { Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { to } from '../../web/own-path';
import type { ShownBreak } from './break-history';

/** The steps of one person on a break. Each states the version that the page showed. */
export function Steps({ visit, of }: { visit: Visit; of: ShownBreak }): VNode | null {
  if (!visit.can('breaks:work')) return null;
  const { t } = visit.texts;
  const isResolved = of.status === 'resolved';
  const waiting = of.proposals.find(({ decision }) => decision === null);
  return (
    <section class="panel">
      <h2>{t('breaks:steps.title')}</h2>
      <CommentForm visit={visit} of={of} />
      {isResolved ? null : <AssignForm visit={visit} of={of} />}
      {waiting !== undefined ? (
        <p class="aside">
          {t('breaks:steps.decideFirst')}{' '}
          <a href={to('/proposals', waiting.id ?? '')}>{t('breaks:steps.seeProposal')}</a>
        </p>
      ) : isResolved ? (
        <ReasonForm
          visit={visit}
          of={of}
          action="reopen"
          title={t('breaks:steps.reopen')}
          hint={t('breaks:steps.reopenWhat')}
        />
      ) : (
        <ReasonForm
          visit={visit}
          of={of}
          action="resolve"
          title={t('breaks:steps.resolve')}
          hint={t('breaks:steps.resolveWhat')}
        />
      )}
    </section>
  );
}

export function VersionField({ of }: { of: Pick<ShownBreak, 'version'> }): VNode {
  return <input type="hidden" name="version" value={of.version} />;
}

function CommentForm({ visit, of }: { visit: Visit; of: ShownBreak }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const isOwn = form.value('action') === 'comment';
  return (
    <ActionForm visit={visit} action="comment" label={t('breaks:steps.comment')}>
      <VersionField of={of} />
      <Field
        name="text"
        within="comment"
        label={t('common:field.comment')}
        value={isOwn ? form.value('text') : ''}
        rows={2}
        maxLength={2_000}
        fault={isOwn ? faultOf(problem, 'text') : undefined}
        isRequired
      />
      <p class="actions">
        <button>{t('breaks:steps.comment')}</button>
      </p>
    </ActionForm>
  );
}

function AssignForm({ visit, of }: { visit: Visit; of: ShownBreak }): VNode {
  const { texts, form, problem, session } = visit;
  const { t } = texts;
  const isOwn = form.value('action') === 'assign';
  const { name } = session.user;
  return (
    <details class="step" open={isOwn}>
      <summary>{t('breaks:steps.assign')}</summary>
      <ActionForm visit={visit} action="assign" label={t('breaks:steps.assign')}>
        <VersionField of={of} />
        <Field
          name="assignee"
          within="assign"
          label={t('breaks:steps.assignee')}
          value={isOwn ? form.value('assignee') : of.assignee === null ? name : ''}
          maxLength={63}
          fault={isOwn ? faultOf(problem, 'assignee') : undefined}
          isRequired
          isPlain
        />
        <p class="actions">
          <button>{t('breaks:steps.assign')}</button>
        </p>
      </ActionForm>
    </details>
  );
}

interface ReasonFormProps {
  readonly visit: Visit;
  readonly of: ShownBreak;
  readonly action: 'resolve' | 'reopen';
  readonly title: string;
  /** What the step does, before it is taken. */
  readonly hint: string;
}

function ReasonForm({ visit, of, action, title, hint }: ReasonFormProps): VNode {
  const { texts, form, problem } = visit;
  const isOwn = form.value('action') === action;
  return (
    <details class="step" open={isOwn}>
      <summary>{title}</summary>
      <ActionForm visit={visit} action={action} label={title}>
        <VersionField of={of} />
        <p class="aside">{hint}</p>
        <Field
          name="reason"
          within={action}
          label={texts.t('common:field.reason')}
          hint={texts.t('common:field.reasonHint')}
          value={isOwn ? form.value('reason') : ''}
          maxLength={500}
          fault={isOwn ? faultOf(problem, 'reason') : undefined}
          isRequired
        />
        <p class="actions">
          <button>{title}</button>
        </p>
      </ActionForm>
    </details>
  );
}
