import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { AsOf } from '../../parts/cut-off';
import { type Column, Pager, Panel, Table } from '../../parts/table';
import { Day, Moment, Money, None, Said, Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { accountText } from './effect-view';

type Shown = Json<'showProposal'>;
type Proposal = Json<'listProposals'>['data'][number];
type Seal = Json<'listDays'>['data'][number];

const PATH = '/proposals';
/** The effect of each shown proposal is tried, so a page has few of them. */
const SHOWN_MAX = '20';
/** Only the last closed day can be reopened. */
const SEALS_READ = '10';

/** What waits for another person: actions on breaks and credits, and days to reopen. */
export const PROPOSALS_PAGE: Page = {
  path: PATH,
  scope: 'breaks:read',
  menu: { group: 'daily', label: 'common:menu.approvals' },
  async show(visit) {
    const { texts, query } = visit;
    const title = texts.t('breaks:proposals.title');
    const isDecided = query['show'] === 'decided';
    return { title, body: isDecided ? await decided(visit) : await waiting(visit), isWide: true };
  },
};

async function waiting(visit: Visit): Promise<VNode> {
  const { texts, query, session } = visit;
  const { t } = texts;
  const { cursor } = query;
  const list = await visit.call('listProposals', { query: { limit: SHOWN_MAX, cursor } });
  const shown: Shown[] = [];
  for (const { id } of list.data) {
    if (id !== null) shown.push(await visit.call('showProposal', { params: { proposalId: id } }));
  }
  const isMine = ({ proposedBy }: Shown): boolean => proposedBy === session.user.name;
  const mine = shown.filter(isMine);
  return (
    <>
      <AsOf texts={texts} now={visit.now} />
      <Panel title={t('breaks:proposals.ofOthers')}>
        <ProposalTable
          texts={texts}
          rows={shown.filter((each) => !isMine(each))}
          caption={t('breaks:proposals.ofOthers')}
        />
      </Panel>
      {mine.length === 0 ? null : (
        <Panel title={t('breaks:proposals.mine')}>
          <p class="aside">{t('breaks:proposals.mineWhat')}</p>
          <ProposalTable texts={texts} rows={mine} caption={t('breaks:proposals.mine')} />
        </Panel>
      )}
      {visit.can('days:read') ? <Days visit={visit} seals={await proposedDays(visit)} /> : null}
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(to(PATH), { cursor: list.nextCursor ?? '' })}
        first={cursor === undefined ? undefined : to(PATH)}
      />
      <p>
        <a href={withQuery(to(PATH), { show: 'decided' })}>{t('breaks:proposals.showDecided')}</a>
      </p>
    </>
  );
}

function ProposalTable({ texts, rows, caption }: { texts: Texts; rows: readonly Shown[]; caption: string }): VNode {
  const { t } = texts;
  const columns: readonly Column<Shown>[] = [
    {
      label: t('breaks:proposals.action'),
      isHead: true,
      cell: ({ id, action }) => <a href={to(PATH, id ?? '')}>{texts.word('action', action.kind)}</a>,
    },
    {
      label: t('breaks:proposals.about'),
      cell: ({ class: breakClass, lines: [line] }) => {
        if (breakClass !== null) return texts.word('breakClass', breakClass);
        return line === undefined ? <None /> : t('credits:credit', { date: texts.date(line.bookingDate) });
      },
    },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ amountMillimes }) => (amountMillimes === null ? <None /> : <Money texts={texts} of={amountMillimes} />),
    },
    {
      label: t('common:field.account'),
      cell: ({ account }) => (account === null ? <None /> : accountText(texts, account)),
    },
    { label: t('breaks:proposals.by'), cell: ({ proposedBy }) => <bdi>{proposedBy}</bdi> },
    { label: t('common:field.at'), cell: ({ proposedAt }) => <Moment texts={texts} of={proposedAt} /> },
    { label: t('common:field.reason'), cell: ({ reason }) => <Said>{reason}</Said> },
    {
      label: t('common:field.state'),
      cell: ({ refusedBecause }) =>
        refusedBecause === null ? (
          <Sign tone="wait">{t('breaks:proposals.waits')}</Sign>
        ) : (
          <Sign tone="bad">{texts.problemTitle(refusedBecause.code) ?? t('breaks:proposals.notPossible')}</Sign>
        ),
    },
  ];
  return <Table caption={caption} rows={rows} columns={columns} empty={t('breaks:proposals.none')} />;
}

async function proposedDays(visit: Visit): Promise<readonly Seal[]> {
  const { data } = await visit.call('listDays', { query: { limit: SEALS_READ } });
  return data.filter(({ stands, reopeningProposed }) => stands && reopeningProposed !== null);
}

function Days({ visit: { texts }, seals }: { visit: Visit; seals: readonly Seal[] }): VNode | null {
  const { t } = texts;
  if (seals.length === 0) return null;
  return (
    <Panel title={t('breaks:proposals.days')}>
      <Table
        caption={t('breaks:proposals.days')}
        rows={seals}
        empty={null}
        columns={[
          {
            label: t('common:field.date'),
            isHead: true,
            cell: ({ date }) => (
              <a href={to('/days', date)}>
                <Day texts={texts} of={date} />
              </a>
            ),
          },
          { label: t('breaks:proposals.by'), cell: ({ reopeningProposed }) => <bdi>{reopeningProposed?.by}</bdi> },
          {
            label: t('common:field.at'),
            cell: ({ reopeningProposed }) => <Moment texts={texts} of={reopeningProposed?.at} />,
          },
          {
            label: t('common:field.reason'),
            cell: ({ reopeningProposed }) => <Said>{reopeningProposed?.reason}</Said>,
          },
        ]}
      />
    </Panel>
  );
}

async function decided(visit: Visit): Promise<VNode> {
  const { texts, query } = visit;
  const { t } = texts;
  const { cursor } = query;
  const list = await visit.call('listProposals', { query: { waiting: 'false', cursor } });
  const own = withQuery(to(PATH), { show: 'decided' });
  const columns: readonly Column<Proposal>[] = [
    {
      label: t('breaks:proposals.action'),
      isHead: true,
      cell: ({ id, action }) => <a href={to(PATH, id ?? '')}>{texts.word('action', action.kind)}</a>,
    },
    { label: t('breaks:proposals.by'), cell: ({ proposedBy }) => <bdi>{proposedBy}</bdi> },
    {
      label: t('breaks:proposals.outcome'),
      cell: ({ decision }) => (decision === null ? <None /> : texts.word('proposalOutcome', decision.outcome)),
    },
    { label: t('breaks:proposals.decidedBy'), cell: ({ decision }) => <bdi>{decision?.decidedBy}</bdi> },
    { label: t('common:field.at'), cell: ({ decision }) => <Moment texts={texts} of={decision?.decidedAt} /> },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ decision }) =>
        typeof decision?.amountMillimes === 'number' ? <Money texts={texts} of={decision.amountMillimes} /> : <None />,
    },
  ];
  return (
    <>
      <AsOf texts={texts} now={visit.now} />
      <Table
        caption={t('breaks:proposals.decided')}
        rows={list.data}
        columns={columns}
        empty={t('common:state.nothingYet')}
        isCaptionShown
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(to(PATH), { show: 'decided', cursor: list.nextCursor ?? '' })}
        first={cursor === undefined ? undefined : own}
      />
      <p>
        <a href={to(PATH)}>{t('breaks:proposals.showWaiting')}</a>
      </p>
    </>
  );
}
