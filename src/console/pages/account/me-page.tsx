import type { VNode } from 'preact';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { KeyList } from '../../parts/keyboard';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel, Table } from '../../parts/table';
import { Fact, Facts, Id, Moment } from '../../parts/values';
import { to } from '../../web/own-path';

type Sessions = Awaited<ReturnType<Visit['sessions']['list']>>;

/** What a person may change about themself: the password, the second factor, the browsers in which they are signed in. */
export const ME_PAGE: Page = {
  path: '/me',
  scope: undefined,
  async show(visit) {
    const sessions = await visit.sessions.list(visit.session.user.name);
    return { title: visit.texts.t('common:menu.account'), body: <Me visit={visit} sessions={sessions} /> };
  },
  actions: {
    password: {
      async run({ session, sessions, form, texts }) {
        if (form.value('password') !== form.value('repeated')) {
          throw new OutcomeRefused('repeated', texts.t('common:account.passwordsDiffer'));
        }
        const passwords = { oldPassword: form.value('current'), newPassword: form.value('password') };
        const outcome = await sessions.changePassword(session, passwords);
        if (outcome.outcome === 'changed') {
          return { to: to('/me'), said: 'common:said.passwordChanged', started: { token: outcome.token } };
        }
        const fault =
          outcome.outcome === 'wait'
            ? texts.t('common:signIn.wait', { duration: texts.duration(outcome.retryAfterMs + 999) })
            : texts.t('common:proof.refused');
        throw new OutcomeRefused('current', fault);
      },
    },
    endAll: {
      async run({ asking, sessions }) {
        await sessions.endAll({ name: asking.name, actor: asking, dryRun: false });
        return { to: to('/sign-in') };
      },
    },
  },
};

function Me({ visit, sessions }: { visit: Visit; sessions: Sessions }): VNode {
  const { texts, session, problem } = visit;
  const { t } = texts;
  const { name, fullName, roles, hasSecondFactor } = session.user;
  return (
    <>
      <ProblemBox texts={texts} problem={problem} />
      <Facts>
        <Fact name={t('common:signIn.name')}>
          <Id>{name}</Id>
        </Fact>
        <Fact name={t('common:field.name')}>
          <bdi>{fullName}</bdi>
        </Fact>
        <Fact name={t('common:account.roles')}>{roles.map((role) => texts.word('role', role)).join(', ')}</Fact>
        <Fact name={t('common:account.secondFactor')}>
          {hasSecondFactor ? t('common:account.secondFactorOn') : t('common:account.secondFactorOff')}{' '}
          {hasSecondFactor ? null : <a href={to('/enroll')}>{t('common:account.enroll')}</a>}
        </Fact>
      </Facts>
      <p>
        <a href={to('/me/notifications')}>{t('notifications:title')}</a>
      </p>
      <KeysPanel visit={visit} />
      <PasswordPanel visit={visit} />
      <Panel title={t('common:account.sessions')}>
        <Table
          caption={t('common:account.sessions')}
          rows={sessions}
          empty={t('common:state.nothingYet')}
          columns={[
            {
              label: t('common:account.startedAt'),
              isHead: true,
              cell: ({ id, startedAt }) => (
                <>
                  <Moment texts={texts} of={startedAt} />
                  {id === session.id ? ` (${t('common:account.thisSession')})` : null}
                </>
              ),
            },
            { label: t('common:account.lastUsed'), cell: ({ usedAt }) => <Moment texts={texts} of={usedAt} /> },
            { label: t('common:account.address'), cell: ({ address }) => <Id>{address}</Id> },
          ]}
        />
        <ActionForm visit={visit} action="endAll">
          <p>
            <button class="danger">{t('common:account.endAll')}</button>
          </p>
        </ActionForm>
      </Panel>
    </>
  );
}

/** The keys of the script of the console, which shows them. */
function KeysPanel({ visit: { texts } }: { visit: Visit }): VNode {
  const { t } = texts;
  return (
    <section class="panel" data-keys hidden>
      <h2>{t('common:keyboard.title')}</h2>
      <label class="box">
        <input type="checkbox" />
        <span>{t('common:keyboard.enabled')}</span>
      </label>
      <KeyList texts={texts} />
    </section>
  );
}

function PasswordPanel({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  const secret = { type: 'password', isRequired: true } as const;
  return (
    <Panel title={t('common:account.changePassword')}>
      <ActionForm visit={visit} action="password" class="narrow">
        <Field
          {...secret}
          name="current"
          label={t('common:account.currentPassword')}
          autoComplete="current-password"
          fault={faultOf(visit.problem, 'current')}
        />
        <Field
          {...secret}
          name="password"
          label={t('common:account.newPassword')}
          hint={t('common:account.passwordHint')}
          autoComplete="new-password"
          fault={faultOf(visit.problem, 'password')}
        />
        <Field
          {...secret}
          name="repeated"
          label={t('common:account.repeatPassword')}
          autoComplete="new-password"
          fault={faultOf(visit.problem, 'repeated')}
        />
        <p>
          <button class="main">{t('common:action.save')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
