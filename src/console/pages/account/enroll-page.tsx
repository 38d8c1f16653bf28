import type { VNode } from 'preact';
import type { Page, Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { QrCode } from '../../parts/qr-code';
import { Id } from '../../parts/values';
import { CONSOLE, to } from '../../web/own-path';

interface Enrollment {
  readonly secret: string;
  readonly uri: string;
}

/** Enrolls an app that shows codes. Approvers and administrators see no other page before. */
export const ENROLL_PAGE: Page = {
  path: '/enroll',
  scope: undefined,
  async show(visit) {
    return shown(visit, <Begin visit={visit} />);
  },
  actions: {
    begin: {
      needsProof: true,
      async run(visit) {
        const { sessions, session, texts, form } = visit;
        const begun = await sessions.beginEnrollment(session, form.value('present'));
        if ('secret' in begun) return shown(visit, <Confirm visit={visit} enrollment={begun} fault={undefined} />);
        const fault =
          begun.outcome === 'refused'
            ? texts.t('common:enroll.refused')
            : texts.t('common:signIn.wait', { duration: texts.duration(begun.retryAfterMs + 999) });
        return shown(visit, <Begin visit={visit} fault={fault} />);
      },
    },
    confirm: {
      async run(visit) {
        const code = visit.form.value('code').replaceAll(/\s/g, '');
        const outcome = await visit.sessions.confirmEnrollment(visit.session, code);
        if (outcome.outcome === 'enrolled') {
          const { token, deviceToken } = outcome;
          return { to: CONSOLE, said: 'common:said.enrolled', started: { token, deviceToken } };
        }
        // The app has the secret already, so no other one is shown.
        const fault = visit.texts.t('common:enroll.refused');
        return shown(visit, <Confirm visit={visit} enrollment={undefined} fault={fault} />);
      },
    },
  },
};

function shown({ texts }: Visit, body: VNode): { title: string; body: VNode } {
  return { title: texts.t('common:enroll.title'), body: <div class="narrow">{body}</div> };
}

function Begin({ visit, fault }: { visit: Visit; fault?: string | undefined }): VNode {
  const { t } = visit.texts;
  return (
    <>
      <p>{t('common:enroll.why')}</p>
      <p>{t('common:enroll.app')}</p>
      <ActionForm visit={visit} action="begin" path={to('/enroll')}>
        {visit.session.user.hasSecondFactor ? (
          <Field
            name="present"
            label={t('common:enroll.present')}
            inputMode="numeric"
            autoComplete="one-time-code"
            fault={fault}
            isRequired
            isPlain
          />
        ) : null}
        <p>
          <button class="main">{t('common:action.continue')}</button>
        </p>
      </ActionForm>
    </>
  );
}

interface ConfirmProps {
  readonly visit: Visit;
  /** Undefined after a code that was refused. */
  readonly enrollment: Enrollment | undefined;
  readonly fault: string | undefined;
}

function Confirm({ visit, enrollment, fault }: ConfirmProps): VNode {
  const { t } = visit.texts;
  return (
    <>
      {enrollment === undefined ? null : (
        <>
          <p>{t('common:enroll.scan')}</p>
          <QrCode text={enrollment.uri} label={t('common:enroll.qr')} />
          <p>
            {t('common:enroll.orType')} <Id>{enrollment.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Id>
          </p>
        </>
      )}
      <ActionForm visit={visit} action="confirm" path={to('/enroll')}>
        <Field
          name="code"
          label={t('common:signIn.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          isRequired
          isFocused
          fault={fault}
        />
        <p class="actions">
          <button class="main">{t('common:action.confirm')}</button>
          {enrollment === undefined ? <a href={to('/enroll')}>{t('common:enroll.again')}</a> : null}
        </p>
      </ActionForm>
    </>
  );
}
