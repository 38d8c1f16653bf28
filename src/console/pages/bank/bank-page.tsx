import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Page, Visit } from '../../page/page';
import { Decimal } from '../../parts/decimal';
import { Choice, FilterForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { Pager, Panel, Table } from '../../parts/table';
import { Day, Id, Moment, None, Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { ACCOUNT_ACTIONS, AccountNames } from './account-names';
import { StatementState } from './statement-state';

type Accounts = Json<'listBankAccounts'>['accounts'];
type Coverage = Accounts[number]['coverage'][number];
type Gaps = Json<'listBreaks'>['data'];
type Statements = Json<'listStatements'>;

/** The bank accounts with what their statements cover, the gaps, and the statements. */
export const BANK_PAGE: Page = {
  path: '/bank',
  scope: 'statements:read',
  menu: { group: 'bank', label: 'common:menu.bank' },
  async show(visit) {
    const { texts, call, query } = visit;
    const { account, waiting, cursor } = query;
    const { accounts } = await call('listBankAccounts');
    const gaps = visit.can('breaks:read')
      ? await call('listBreaks', { query: { class: 'statement_gap', status: 'open,assigned,proposed', limit: '50' } })
      : undefined;
    const isWaiting = waiting === 'true' ? 'true' : undefined;
    const list = await call('listStatements', {
      query: { account: account === '' ? undefined : account, waiting: isWaiting, cursor },
    });
    return {
      title: texts.t('bank:title'),
      isWide: true,
      body: (
        <>
          <p class="cut-off">{texts.t('bank:asOf', { instant: texts.instant(visit.now) })}</p>
          {visit.can('statements:write') ? (
            <p class="actions">
              <a class="button" href={to('/bank/import')}>
                {texts.t('common:menu.bankImport')}
              </a>
              <a href={to('/bank/profiles')}>{texts.t('bank:profiles.title')}</a>
            </p>
          ) : null}
          <ProblemBox texts={texts} problem={visit.problem} />
          <AccountsPanel visit={visit} accounts={accounts} />
          <AccountNames visit={visit} accounts={accounts} />
          {gaps === undefined ? null : <GapsPanel visit={visit} gaps={gaps.data} />}
          <StatementsPanel visit={visit} accounts={accounts} list={list} />
        </>
      ),
    };
  },
  actions: ACCOUNT_ACTIONS,
};

function AccountsPanel({ visit: { texts }, accounts }: { visit: Visit; accounts: Accounts }): VNode {
  const { t } = texts;
  const rows = accounts.flatMap((account) => {
    const parts: readonly (Coverage | undefined)[] = account.coverage.length === 0 ? [undefined] : account.coverage;
    return parts.map((part) => ({ account, part }));
  });
  return (
    <Panel title={t('bank:accounts.title')}>
      <Table
        caption={t('bank:accounts.title')}
        rows={rows}
        empty={t('bank:accounts.none')}
        columns={[
          {
            label: t('common:field.account'),
            isHead: true,
            cell: ({ account }) => (
              <>
                <a href={withQuery(to('/bank'), { account: account.account })}>
                  <Id>{account.account}</Id>
                </a>
                {account.keyFault === null || account.accepted !== null ? null : (
                  <small>
                    <Sign tone="warn">{t('bank:accounts.keyFault')}</Sign>
                  </small>
                )}
              </>
            ),
          },
          {
            label: t('bank:currency'),
            cell: ({ part }) => (part === undefined ? <None /> : <bdi>{part.currency}</bdi>),
          },
          { label: t('bank:accounts.from'), cell: ({ part }) => <Day texts={texts} of={part?.from} /> },
          { label: t('bank:accounts.through'), cell: ({ part }) => <Day texts={texts} of={part?.through} /> },
          {
            label: t('bank:accounts.statements'),
            isNumber: true,
            cell: ({ part }) => texts.count(part?.statements ?? 0),
          },
          {
            label: t('bank:accounts.waiting'),
            isNumber: true,
            cell: ({ account, part }) =>
              (part?.waiting ?? 0) === 0 ? (
                texts.count(0)
              ) : (
                <a href={withQuery(to('/bank'), { account: account.account, waiting: 'true' })}>
                  <Sign tone="warn">{texts.count(part?.waiting ?? 0)}</Sign>
                </a>
              ),
          },
        ]}
      />
    </Panel>
  );
}

function GapsPanel({ visit: { texts }, gaps }: { visit: Visit; gaps: Gaps }): VNode {
  const { t } = texts;
  if (gaps.length === 0) {
    return (
      <p>
        <Sign tone="good">{t('bank:gaps.none')}</Sign>
      </p>
    );
  }
  return (
    <Panel title={t('bank:gaps.title')}>
      <ul class="rows">
        {gaps.map(({ id, since, facts }) => (
          <li>
            <span>
              <Sign tone="bad">{gapText(texts, facts)}</Sign>
              <small>
                <Id>{facts['account']}</Id>
                {facts['closes'] === undefined ? null : (
                  <>
                    {' '}
                    <Decimal texts={texts} of={String(facts['closes'])} currency={String(facts['currency'])} />
                    {' → '}
                    <Decimal texts={texts} of={String(facts['opens'])} currency={String(facts['currency'])} />
                  </>
                )}
              </small>
            </span>
            <a href={to('/breaks', id)}>{t('bank:gaps.open', { date: texts.date(since) })}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function gapText({ t }: Visit['texts'], { kind }: Gaps[number]['facts']): string {
  if (kind === 'gap') return t('bank:gaps.gap');
  return kind === 'break' ? t('bank:gaps.jump') : t('bank:gaps.overlap');
}

interface StatementsPanelProps {
  readonly visit: Visit;
  readonly accounts: Accounts;
  readonly list: Statements;
}

function StatementsPanel({ visit: { texts, query }, accounts, list }: StatementsPanelProps): VNode {
  const { t } = texts;
  const { account = '', waiting, cursor } = query;
  const own = to('/bank');
  const isFiltered = account !== '' || waiting === 'true';
  return (
    <Panel title={t('bank:statements.title')}>
      <FilterForm texts={texts} path={own}>
        <Choice
          name="account"
          label={t('common:field.account')}
          value={account}
          options={[
            ['', t('common:state.all')],
            ...accounts.map((each): [string, string] => [each.account, each.account]),
          ]}
        />
        <label>
          <input type="checkbox" name="waiting" value="true" checked={waiting === 'true'} />{' '}
          {t('bank:statements.onlyWaiting')}
        </label>
      </FilterForm>
      <StatementsTable texts={texts} list={list} isFiltered={isFiltered} />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { account, waiting, cursor: list.nextCursor ?? '' })}
        first={cursor === undefined ? undefined : withQuery(own, { account, waiting })}
      />
    </Panel>
  );
}

function StatementsTable({
  texts,
  list,
  isFiltered,
}: {
  texts: Visit['texts'];
  list: Statements;
  isFiltered: boolean;
}): VNode {
  const { t } = texts;
  return (
    <Table
      caption={t('bank:statements.title')}
      rows={list.data}
      empty={isFiltered ? t('common:state.nothingFits') : t('bank:statements.none')}
      columns={[
        {
          label: t('bank:statements.days'),
          isHead: true,
          cell: ({ id, firstDate, lastDate, from, through }) => (
            <a href={to('/bank/statements', id)}>
              <Day texts={texts} of={from ?? firstDate} />
              {' – '}
              <Day texts={texts} of={through ?? lastDate} />
            </a>
          ),
        },
        { label: t('common:field.account'), cell: ({ account }) => <Id>{account}</Id> },
        { label: t('common:field.state'), cell: (each) => <StatementState texts={texts} of={each} /> },
        { label: t('bank:lines'), isNumber: true, cell: ({ entries }) => texts.count(entries) },
        ...(['opening', 'credits', 'debits', 'closing'] as const).map((name) => ({
          label: t(`bank:amount.${name}`),
          isNumber: true,
          cell: (each: Statements['data'][number]) => (
            <Decimal texts={texts} of={each[name]} currency={each.currency} />
          ),
        })),
        {
          label: t('common:field.file'),
          cell: ({ file }) => (
            <>
              <bdi>{file.name}</bdi>
              <small>
                {' '}
                <Moment texts={texts} of={file.importedAt} />
              </small>
            </>
          ),
        },
      ]}
    />
  );
}
