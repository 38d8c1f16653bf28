import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Page, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { typedDays } from '../../page/typed-days';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { ShownOnce } from '../../parts/shown-once';
import { type Column, Pager, Panel, Table } from '../../parts/table';
import { Fact, Facts, Id, Moment, None, State } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { KEY_STATE_TONES } from './key-state-tones';
import { Expiry } from './tokens';

type Token = Json<'listServiceTokens'>['data'][number];

const PATH = '/tokens';
const DAYS_MAX = 400;

/** The tokens with which the gateway calls: mint one, which is shown once, and revoke one. */
export const TOKEN_LIST_PAGE: Page = {
  path: PATH,
  scope: 'tokens:manage',
  menu: { group: 'system', label: 'common:menu.tokens' },
  async show(visit) {
    const { texts, query, call, problem } = visit;
    const { t } = texts;
    const { cursor, revoke } = query;
    const list = await call('listServiceTokens', { query: { cursor } });
    const chosen = list.data.find(({ jti }) => jti === revoke);
    const own = to(PATH);
    const body = (
      <>
        <p class="cut-off">{t('administration:asOf', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={problem} />
        {chosen?.state === 'active' ? <RevokePanel visit={visit} token={chosen} /> : null}
        <Table
          caption={t('administration:tokens.title')}
          rows={list.data}
          empty={t('administration:tokens.none')}
          columns={columnsOf(visit, cursor)}
        />
        <Pager
          texts={texts}
          hasMore={list.hasMore}
          next={withQuery(own, { cursor: list.nextCursor ?? '' })}
          first={cursor === undefined ? undefined : own}
        />
        <MintPanel visit={visit} />
      </>
    );
    return { title: t('administration:tokens.title'), body };
  },
  actions: {
    mint: { needsProof: true, run: mint },
    revoke: {
      needsProof: true,
      async run({ form, call }) {
        const params = { jti: form.value('jti') };
        await call('revokeServiceToken', { params, idempotencyKey: form.value('once') });
        return { to: to(PATH), said: 'administration:said.tokenRevoked' };
      },
    },
  },
};

async function mint(visit: Visit): Promise<Shown> {
  const { form, texts, call } = visit;
  const { t } = texts;
  const subject = requiredText(visit, 'subject');
  const ttlSeconds = typedDays(texts, 'days', requiredText(visit, 'days'), DAYS_MAX) ?? 0;
  const { token, jti, expiresAt } = await call('mintServiceToken', {
    ...{ body: { subject, ttlSeconds }, idempotencyKey: form.value('once') },
  });
  const body = (
    <>
      <ShownOnce warning={t('administration:tokens.shownOnce')} secret={token ?? ''}>
        <p>{t('administration:tokens.use')}</p>
      </ShownOnce>
      <Facts>
        <Fact name={t('administration:tokens.of')}>
          <bdi>{subject}</bdi> <Id>{jti ?? ''}</Id>
        </Fact>
        <Fact name={t('administration:tokens.expires')}>
          <Moment texts={texts} of={expiresAt} />
        </Fact>
      </Facts>
      <p>
        <a class="button" href={to(PATH)}>
          {t('administration:tokens.all')}
        </a>
      </p>
    </>
  );
  return { title: t('administration:tokens.minted'), body };
}

function columnsOf({ texts, now }: Visit, cursor: string | undefined): readonly Column<Token>[] {
  const { t } = texts;
  return [
    {
      label: t('administration:tokens.of'),
      isHead: true,
      cell: ({ subject, jti }) => (
        <>
          {subject === null ? <None /> : <bdi>{subject}</bdi>}{' '}
          <small>
            <Id>{jti}</Id>
          </small>
        </>
      ),
    },
    {
      label: t('common:field.state'),
      cell: ({ state }) => <State texts={texts} list="tokenState" code={state} tone={KEY_STATE_TONES[state]} />,
    },
    { label: t('administration:tokens.issued'), cell: ({ issuedAt }) => <Moment texts={texts} of={issuedAt} /> },
    { label: t('administration:tokens.expires'), cell: (token) => <End texts={texts} now={now} token={token} /> },
    {
      label: t('administration:decision'),
      cell: ({ jti, subject, state }) =>
        state === 'active' ? (
          <a
            href={withQuery(to(PATH), { cursor, revoke: jti })}
            aria-label={t('administration:tokens.revokeNamed', { name: `${subject ?? ''} ${jti}` })}
          >
            {t('administration:keys.revoke')}
          </a>
        ) : null,
    },
  ];
}

function End({ texts, now, token }: { texts: Texts; now: number; token: Token }): VNode {
  const { state, revokedAt, expiresAt } = token;
  if (state === 'active' && expiresAt !== null) return <Expiry texts={texts} now={now} of={expiresAt} />;
  return <Moment texts={texts} of={revokedAt ?? expiresAt} />;
}

function RevokePanel({ visit, token }: { visit: Visit; token: Token }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('administration:tokens.revokeNamed', { name: `${token.subject ?? ''} ${token.jti}` })}>
      <p>{t('administration:tokens.revokeEffect')}</p>
      <ActionForm visit={visit} action="revoke">
        <input type="hidden" name="jti" value={token.jti} />
        <p class="actions">
          <button class="danger">{t('administration:keys.revoke')}</button>
          <a href={to(PATH)}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
}

function MintPanel({ visit }: { visit: Visit }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  return (
    <details class="panel" open={problem !== undefined && form.value('action') === 'mint'}>
      <summary>{t('administration:tokens.mint')}</summary>
      <p>{t('administration:tokens.mintEffect')}</p>
      <ActionForm visit={visit} action="mint">
        <Field
          name="subject"
          label={t('administration:tokens.subject')}
          hint={t('administration:tokens.subjectHint')}
          value={form.value('subject') || 'gateway'}
          fault={faultOf(problem, 'subject')}
          maxLength={255}
          isRequired
          isPlain
        />
        <Field
          name="days"
          label={t('administration:keys.days')}
          hint={t('administration:tokens.daysHint')}
          inputMode="numeric"
          value={form.value('days')}
          fault={faultOf(problem, 'days') ?? faultOf(problem, 'ttlSeconds')}
          isRequired
        />
        <p class="actions">
          <button class="main">{t('administration:tokens.mint')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
