import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { needsSecondFactor, type Role, ROLES } from '../../../identity';
import { LANGUAGES } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { Boxes } from '../../parts/boxes';
import { ActionForm, Choice, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { ShownOnce } from '../../parts/shown-once';
import { Pager, Table } from '../../parts/table';
import { Id, Moment, Writer } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { roleOptions, SecondFactor, UserState } from './user-state';

type List = Json<'listUsers'>;

const PATH = '/users';

/** The users: a new one gets a code for the first password, which is shown once. */
export const USER_LIST_PAGE: Page = {
  path: PATH,
  scope: 'users:manage',
  menu: { group: 'system', label: 'common:menu.users' },
  async show(visit) {
    const { texts, query, call } = visit;
    const list = await call('listUsers', { query: { cursor: query['cursor'] } });
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        <UserTable visit={visit} list={list} />
        <CreatePanel visit={visit} />
      </>
    );
    return { title: texts.t('common:menu.users'), body, isWide: true };
  },
  actions: { create: { needsProof: true, run: createUser } },
};

async function createUser(visit: Visit): Promise<Shown> {
  const { form, texts, call } = visit;
  const { t } = texts;
  const name = requiredText(visit, 'name');
  const fullName = requiredText(visit, 'fullName');
  const roles = form.values('roles') as Role[];
  if (roles.length === 0) throw new OutcomeRefused('roles', t('administration:users.noRole'));
  const language = LANGUAGES.find((each) => each === form.value('language'));
  const body = { name, fullName, roles, ...(language === undefined ? {} : { language }) };
  const made = await call('createUser', { body, idempotencyKey: form.value('once') });
  const shown = (
    <>
      <OneTimeCode visit={visit} name={made.name} code={made.code ?? ''} expiresAt={made.codeExpiresAt} />
      {needsSecondFactor(made.roles) ? <p>{t('administration:users.secondFactorLater')}</p> : null}
      <p class="actions">
        <a class="button" href={to(PATH, made.name)}>
          {t('administration:users.open')}
        </a>
        <a href={to(PATH)}>{t('administration:users.back')}</a>
      </p>
    </>
  );
  return { title: t('administration:users.created', { name: made.fullName }), body: shown };
}

interface CodeProps {
  readonly visit: Visit;
  readonly name: string;
  readonly code: string;
  readonly expiresAt: string;
}

/** The code with which a user sets their password. */
export function OneTimeCode({ visit: { texts, addressOf }, name, code, expiresAt }: CodeProps): VNode {
  const { t } = texts;
  return (
    <ShownOnce warning={t('administration:users.shownOnce')} secret={code}>
      <p>{t('administration:users.useCode', { name, instant: texts.instant(expiresAt) })}</p>
      <p>
        <Id>{addressOf(to('/welcome'))}</Id>
      </p>
    </ShownOnce>
  );
}

function UserTable({ visit: { texts, query }, list }: { visit: Visit; list: List }): VNode {
  const { t, word } = texts;
  const own = to(PATH);
  return (
    <>
      <Table
        caption={t('common:menu.users')}
        rows={list.data}
        empty={t('administration:users.none')}
        columns={[
          {
            label: t('administration:users.name'),
            isHead: true,
            cell: ({ name }) => (
              <a href={to(PATH, name)}>
                <Id>{name}</Id>
              </a>
            ),
          },
          { label: t('administration:users.fullName'), cell: ({ fullName }) => <bdi>{fullName}</bdi> },
          {
            label: t('administration:users.roles'),
            cell: ({ roles }) => texts.list(roles.map((role) => word('role', role))),
          },
          { label: t('common:field.state'), cell: ({ state }) => <UserState texts={texts} state={state} /> },
          {
            label: t('administration:users.secondFactor'),
            cell: (user) => <SecondFactor texts={texts} user={user} />,
          },
          {
            label: t('administration:users.createdAt'),
            cell: ({ createdAt, createdBy }) => (
              <>
                <Moment texts={texts} of={createdAt} /> <Writer texts={texts} of={createdBy} />
              </>
            ),
          },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { cursor: list.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : own}
      />
    </>
  );
}

function CreatePanel({ visit }: { visit: Visit }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  return (
    <details class="panel" open={problem !== undefined}>
      <summary>{t('administration:users.create')}</summary>
      <p>{t('administration:users.createEffect')}</p>
      <ActionForm visit={visit} action="create">
        <Field
          name="name"
          label={t('administration:users.name')}
          hint={t('administration:users.nameHint')}
          value={form.value('name')}
          fault={faultOf(problem, 'name')}
          maxLength={63}
          isRequired
          isPlain
        />
        <Field
          name="fullName"
          label={t('administration:users.fullName')}
          value={form.value('fullName')}
          fault={faultOf(problem, 'fullName')}
          maxLength={200}
          isRequired
        />
        <Boxes
          name="roles"
          label={t('administration:users.roles')}
          options={roleOptions(texts, ROLES)}
          chosen={form.values('roles')}
          fault={faultOf(problem, 'roles')}
        />
        <Choice
          name="language"
          label={t('common:language.label')}
          value={form.value('language')}
          options={[
            ['', t('administration:users.browserLanguage')],
            ...LANGUAGES.map((each) => [each, t(`common:language.${each}`)] as const),
          ]}
        />
        <p class="actions">
          <button class="main">{t('administration:users.create')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
