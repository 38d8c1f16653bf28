import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { type Role, ROLES } from '../../../identity';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Action, Page, SaidKey, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { Boxes } from '../../parts/boxes';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel, Table } from '../../parts/table';
import { Fact, Facts, Id, Moment, Writer } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { OneTimeCode } from './user-list-page';
import { roleOptions, SecondFactor, UserState } from './user-state';

type User = Json<'showUser'>;
type Sessions = Json<'listUserSessions'>['sessions'];

const PATH = '/users';

/** Decisions that need a reason and say what they did. */
const DECISIONS = {
  disable: { operation: 'disableUser', said: 'administration:said.disabled' },
  enable: { operation: 'enableUser', said: 'administration:said.enabled' },
  resetSecondFactor: { operation: 'resetUserSecondFactor', said: 'administration:said.factorReset' },
  endSessions: { operation: 'endUserSessions', said: 'administration:said.sessionsEnded' },
} as const satisfies Readonly<Record<string, { operation: string; said: SaidKey }>>;
type Decision = keyof typeof DECISIONS;

/** A user: roles, state, password, second factor, sessions. Another person decides about each. */
export const USER_PAGE: Page = {
  path: '/users/:name',
  scope: 'users:manage',
  async show(visit) {
    const { texts, params, call } = visit;
    const userName = params['name'] ?? '';
    const user = await call('showUser', { params: { userName } });
    const { sessions } = await call('listUserSessions', { params: { userName } });
    const isOwn = visit.session.user.name === user.name;
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        <About visit={visit} user={user} />
        {isOwn ? (
          <p class="note">{texts.t('administration:users.own')}</p>
        ) : (
          <Decisions visit={visit} user={user} sessions={sessions} />
        )}
        <SessionTable visit={visit} sessions={sessions} />
      </>
    );
    return { title: user.fullName, body };
  },
  actions: {
    changeRoles: { needsProof: true, run: changeRoles },
    resetPassword: { needsProof: true, run: resetPassword },
    disable: decisionOf('disable'),
    enable: decisionOf('enable'),
    resetSecondFactor: decisionOf('resetSecondFactor'),
    endSessions: decisionOf('endSessions'),
  },
};

function decisionOf(decision: Decision): Action {
  const { operation, said } = DECISIONS[decision];
  return {
    needsProof: true,
    async run(visit) {
      const { params, form, call } = visit;
      const userName = params['name'] ?? '';
      const body = { reason: requiredText(visit, reasonOf(decision)) };
      await call(operation, { params: { userName }, body, idempotencyKey: form.value('once') });
      return { to: to(PATH, userName), said };
    },
  };
}

async function changeRoles(visit: Visit): Promise<{ to: string; said: SaidKey }> {
  const { params, form, texts, call } = visit;
  const userName = params['name'] ?? '';
  const roles = form.values('roles') as Role[];
  if (roles.length === 0) throw new OutcomeRefused('roles', texts.t('administration:users.noRole'));
  const body = { roles, reason: requiredText(visit, reasonOf('changeRoles')) };
  const { outcome } = await call('setUserRoles', { params: { userName }, body, idempotencyKey: form.value('once') });
  const said = outcome === 'changed' ? 'administration:said.rolesChanged' : 'administration:said.unchanged';
  return { to: to(PATH, userName), said };
}

async function resetPassword(visit: Visit): Promise<Shown> {
  const { params, form, texts, call } = visit;
  const userName = params['name'] ?? '';
  const body = { reason: requiredText(visit, reasonOf('resetPassword')) };
  const made = await call('resetUserPassword', { params: { userName }, body, idempotencyKey: form.value('once') });
  const shown = (
    <>
      <OneTimeCode visit={visit} name={made.name} code={made.code ?? ''} expiresAt={made.codeExpiresAt} />
      <p>
        <a class="button" href={to(PATH, userName)}>
          {texts.t('administration:users.open')}
        </a>
      </p>
    </>
  );
  return { title: texts.t('administration:users.passwordReset', { name: userName }), body: shown };
}

/** Each form has a field of its own, so that a label belongs to one. */
const reasonOf = (action: string): string => `reason-${action}`;

function About({ visit, user }: { visit: Visit; user: User }): VNode {
  const { texts, can } = visit;
  const { t } = texts;
  return (
    <Panel title={t('administration:users.about')}>
      <Facts>
        <Fact name={t('administration:users.name')}>
          <Id>{user.name}</Id>
        </Fact>
        <Fact name={t('common:field.state')}>
          <UserState texts={texts} state={user.state} />
        </Fact>
        <Fact name={t('administration:users.roles')}>
          {texts.list(user.roles.map((role) => texts.word('role', role)))}
        </Fact>
        <Fact name={t('administration:users.secondFactor')}>
          <SecondFactor texts={texts} user={user} />
        </Fact>
        <Fact name={t('common:language.label')}>
          {user.language === null ? t('administration:users.browserLanguage') : t(`common:language.${user.language}`)}
        </Fact>
        <Fact name={t('administration:users.createdAt')}>
          <Moment texts={texts} of={user.createdAt} /> <Writer texts={texts} of={user.createdBy} />
        </Fact>
      </Facts>
      {can('audit:read') ? (
        <p class="line">
          <a href={withQuery(to('/audit'), { subject: `user:${user.name}` })}>{t('administration:users.history')}</a>{' '}
          <a href={withQuery(to('/audit'), { actor: user.name })}>{t('administration:users.acts')}</a>
        </p>
      ) : null}
    </Panel>
  );
}

interface DecisionsProps {
  readonly visit: Visit;
  readonly user: User;
  readonly sessions: Sessions;
}

function Decisions({ visit, user, sessions }: DecisionsProps): VNode {
  const { t } = visit.texts;
  return (
    <div class="stack">
      <DecisionPanel visit={visit} action="changeRoles">
        <Boxes
          name="roles"
          label={t('administration:users.roles')}
          options={roleOptions(visit.texts, ROLES)}
          chosen={visit.form.value('action') === 'changeRoles' ? visit.form.values('roles') : user.roles}
          fault={faultOf(visit.problem, 'roles')}
        />
      </DecisionPanel>
      <DecisionPanel visit={visit} action={user.state === 'disabled' ? 'enable' : 'disable'} />
      <DecisionPanel visit={visit} action="resetPassword" />
      {user.hasSecondFactor ? <DecisionPanel visit={visit} action="resetSecondFactor" /> : null}
      {sessions.length > 0 ? <DecisionPanel visit={visit} action="endSessions" /> : null}
    </div>
  );
}

interface PanelProps {
  readonly visit: Visit;
  readonly action: Decision | 'changeRoles' | 'resetPassword';
  readonly children?: VNode;
}

/** A decision with its effect before its button. */
function DecisionPanel({ visit, action, children }: PanelProps): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const isThis = form.value('action') === action;
  const name = reasonOf(action);
  const fault = faultOf(problem, name) ?? (isThis ? faultOf(problem, 'reason') : undefined);
  return (
    <details class="panel" open={isThis && problem !== undefined}>
      <summary>{t(`administration:users.${action}.title`)}</summary>
      <p>{t(`administration:users.${action}.effect`)}</p>
      <ActionForm visit={visit} action={action}>
        {children}
        <Field
          name={name}
          label={t('common:field.reason')}
          hint={t('common:field.reasonHint')}
          value={isThis ? form.value(name) : ''}
          fault={fault}
          maxLength={500}
          isRequired
        />
        <p class="actions">
          <button class={action === 'disable' || action === 'resetSecondFactor' ? 'danger' : 'main'}>
            {t(`administration:users.${action}.title`)}
          </button>
        </p>
      </ActionForm>
    </details>
  );
}

function SessionTable({ visit: { texts }, sessions }: { visit: Visit; sessions: Sessions }): VNode {
  const { t } = texts;
  return (
    <Panel title={t('administration:users.sessions')}>
      <Table
        caption={t('administration:users.sessions')}
        rows={sessions}
        empty={t('administration:users.noSession')}
        columns={[
          { label: t('administration:users.sessionFrom'), isHead: true, cell: ({ address }) => <Id>{address}</Id> },
          {
            label: t('administration:users.sessionStarted'),
            cell: ({ startedAt }) => <Moment texts={texts} of={startedAt} />,
          },
          { label: t('common:account.lastUsed'), cell: ({ usedAt }) => <Moment texts={texts} of={usedAt} /> },
          {
            label: t('administration:users.sessionEnds'),
            cell: ({ expiresAt }) => <Moment texts={texts} of={expiresAt} />,
          },
        ]}
      />
    </Panel>
  );
}
