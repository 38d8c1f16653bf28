import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { type Scope, SCOPES } from '../../../identity';
import type { Texts } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { typedDays } from '../../page/typed-days';
import { Boxes } from '../../parts/boxes';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { ReasonField } from '../../parts/reason-field';
import { ShownOnce } from '../../parts/shown-once';
import { type Column, Pager, Panel, Table } from '../../parts/table';
import { Fact, Facts, Id, Moment, State, Writer } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { KEY_STATE_TONES } from './key-state-tones';

type List = Json<'listKeys'>;
type Key = List['data'][number];

const PATH = '/keys';
const DAYS_MAX = 3650;
const CREATE_COMMAND = 'millime keys create';

/** The API keys: create one, whose secret is shown once, and revoke one. */
export const KEY_LIST_PAGE: Page = {
  path: PATH,
  scope: 'keys:manage',
  menu: { group: 'system', label: 'common:menu.keys' },
  async show(visit) {
    const { texts, query, call } = visit;
    const { cursor, revoke } = query;
    const list = await call('listKeys', { query: { cursor } });
    const chosen = list.data.find(({ id }) => id === revoke);
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={visit.problem} />
        {chosen?.state === 'active' ? <RevokePanel visit={visit} apiKey={chosen} /> : null}
        <Keys visit={visit} list={list} />
        <CreatePanel visit={visit} />
      </>
    );
    return { title: texts.t('common:menu.keys'), body, isWide: true };
  },
  actions: {
    create: { needsProof: true, run: createKey },
    revoke: {
      needsProof: true,
      async run(visit) {
        const { form, call } = visit;
        const params = { keyId: form.value('keyId') };
        const body = { reason: requiredText(visit, 'reason') };
        const { outcome } = await call('revokeKey', { params, body, idempotencyKey: form.value('once') });
        const said = { revoked: 'administration:said.revoked', already_revoked: 'administration:said.alreadyRevoked' };
        return { to: to(PATH), said: said[outcome] as 'administration:said.revoked' };
      },
    },
  },
};

async function createKey(visit: Visit): Promise<Shown> {
  const { form, texts, call } = visit;
  const { t } = texts;
  const name = requiredText(visit, 'name');
  const scopes = form.values('scopes') as readonly Scope[];
  if (scopes.length === 0) throw new OutcomeRefused('scopes', t('administration:keys.noScope'));
  const body = { name, scopes: [...scopes], ttlSeconds: typedDays(texts, 'days', form.value('days'), DAYS_MAX) };
  const made = await call('createKey', { body, idempotencyKey: form.value('once') });
  const shown = (
    <>
      <ShownOnce warning={t('administration:keys.shownOnce')} secret={made.key ?? ''}>
        <p>{t('administration:keys.use')}</p>
      </ShownOnce>
      <Facts>
        <Fact name={t('common:field.name')}>
          <bdi>{made.name}</bdi>
        </Fact>
        <Fact name={t('administration:keys.expires')}>
          {made.expiresAt === null ? t('administration:keys.never') : <Moment texts={texts} of={made.expiresAt} />}
        </Fact>
        <Fact name={t('administration:keys.scopes')}>
          {texts.list(made.scopes.map((scope) => texts.word('scope', scope)))}
        </Fact>
      </Facts>
      <p>
        <a class="button" href={to(PATH)}>
          {t('administration:keys.back')}
        </a>
      </p>
    </>
  );
  return { title: t('administration:keys.created'), body: shown };
}

function Keys({ visit, list }: { visit: Visit; list: List }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const { cursor } = query;
  const own = to(PATH);
  return (
    <>
      <Table
        caption={t('common:menu.keys')}
        rows={list.data}
        empty={t('administration:keys.none')}
        columns={columnsOf(texts, own, cursor)}
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { cursor: list.nextCursor ?? '' })}
        first={cursor === undefined ? undefined : own}
      />
    </>
  );
}

function Scopes({ texts, scopes }: { texts: Texts; scopes: readonly string[] }): VNode {
  return (
    <details>
      <summary>{texts.t('administration:keys.scopeCount', { count: scopes.length })}</summary>
      {texts.list(scopes.map((scope) => texts.word('scope', scope)))}
    </details>
  );
}

function columnsOf(texts: Texts, own: string, cursor: string | undefined): readonly Column<Key>[] {
  const { t } = texts;
  return [
    {
      label: t('common:field.name'),
      isHead: true,
      cell: ({ name, id }) => (
        <>
          <bdi>{name}</bdi>{' '}
          <small>
            <Id>{id}</Id>
          </small>
        </>
      ),
    },
    {
      label: t('common:field.state'),
      cell: ({ state }) => <State texts={texts} list="keyState" code={state} tone={KEY_STATE_TONES[state]} />,
    },
    {
      label: t('administration:keys.scopes'),
      cell: ({ scopes }) => <Scopes texts={texts} scopes={scopes} />,
    },
    {
      label: t('administration:keys.createdAt'),
      cell: ({ createdAt, createdBy }) => (
        <>
          <Moment texts={texts} of={createdAt} /> <Writer texts={texts} of={createdBy} />
        </>
      ),
    },
    {
      label: t('administration:keys.expires'),
      cell: ({ expiresAt, revokedAt }) =>
        revokedAt !== null ? (
          <Moment texts={texts} of={revokedAt} />
        ) : expiresAt === null ? (
          t('administration:keys.never')
        ) : (
          <Moment texts={texts} of={expiresAt} />
        ),
    },
    {
      label: t('administration:decision'),
      cell: ({ id, name, state }) =>
        state === 'active' ? (
          <a href={withQuery(own, { cursor, revoke: id })} aria-label={t('administration:keys.revokeNamed', { name })}>
            {t('administration:keys.revoke')}
          </a>
        ) : null,
    },
  ];
}

function RevokePanel({ visit, apiKey }: { visit: Visit; apiKey: Key }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <Panel title={t('administration:keys.revokeNamed', { name: apiKey.name })}>
      <p>{t('administration:keys.revokeEffect')}</p>
      <ActionForm visit={visit} action="revoke">
        <input type="hidden" name="keyId" value={apiKey.id} />
        <ReasonField visit={visit} isFocused />
        <p class="actions">
          <button class="danger">{t('administration:keys.revoke')}</button>
          <a href={to(PATH)}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
}

/** A key can grant only what the person may do. */
function CreatePanel({ visit }: { visit: Visit }): VNode {
  const { texts, form, problem, can } = visit;
  const { t, word } = texts;
  const isRefused = problem !== undefined && form.value('action') === 'create';
  return (
    <details class="panel" open={isRefused}>
      <summary>{t('administration:keys.create')}</summary>
      <p>{t('administration:keys.createEffect')}</p>
      <p class="hint">
        {t('administration:keys.byOther')} <code dir="ltr">{CREATE_COMMAND}</code>
      </p>
      <ActionForm visit={visit} action="create">
        <Field
          name="name"
          label={t('administration:keys.owner')}
          hint={t('administration:keys.ownerHint')}
          value={form.value('name')}
          fault={faultOf(problem, 'name')}
          maxLength={63}
          isRequired
          isPlain
        />
        <Boxes
          name="scopes"
          label={t('administration:keys.scopes')}
          options={SCOPES.filter((scope) => can(scope)).map((value) => ({ value, label: word('scope', value) }))}
          chosen={form.values('scopes')}
          fault={faultOf(problem, 'scopes')}
        />
        <Field
          name="days"
          label={t('administration:keys.days')}
          hint={t('administration:keys.daysHint')}
          inputMode="numeric"
          value={form.value('days')}
          fault={faultOf(problem, 'days') ?? faultOf(problem, 'ttlSeconds')}
        />
        <p class="actions">
          <button class="main">{t('administration:keys.create')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
