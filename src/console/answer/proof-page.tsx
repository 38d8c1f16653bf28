import type { VNode } from 'preact';
import type { Visit } from '../page/page';
import { Field } from '../parts/forms';
import type { Form } from '../web/form';

/** The field of the password that proves again who acts. */
export const PROOF_FIELD = 'proof_password';

interface ProofProps {
  readonly visit: Visit;
  /** The form whose action needs the proof; its fields are sent again. */
  readonly form: Form;
  readonly outcome: 'needed' | 'refused' | { readonly retryAfterMs: number };
}

/** Asks for the password before an action that moves money or rights. */
export function ProofPage({ visit, form, outcome }: ProofProps): VNode {
  const { texts, here } = visit;
  const fault =
    outcome === 'needed'
      ? undefined
      : outcome === 'refused'
        ? texts.t('common:proof.refused')
        : texts.t('common:signIn.wait', { duration: texts.duration(outcome.retryAfterMs) });
  return (
    <form method="post" action={here} class="narrow">
      {form.fields
        .filter(([name]) => name !== PROOF_FIELD)
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <p>{texts.t('common:proof.why')}</p>
      <Field
        name={PROOF_FIELD}
        label={texts.t('common:signIn.password')}
        type="password"
        autoComplete="current-password"
        isRequired
        isFocused
        fault={fault}
      />
      <p class="actions">
        <button class="main">{texts.t('common:action.confirm')}</button>
        <a href={here}>{texts.t('common:action.discard')}</a>
      </p>
    </form>
  );
}
