import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { LinkIf } from '../../parts/links';
import { ReasonField } from '../../parts/reason-field';
import { type Column, Pager, Panel, Table } from '../../parts/table';
import { Fact, Facts, ItemId, Moment, Money, State, Writer } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { CutText } from './candidates';
import type { Credit } from './credit-choice';

type Match = NonNullable<Credit['match']>;
type ChannelSum = Match['channels'][number];
type Item = Json<'listCreditItems'>['data'][number];

/** How a match is known: its evidence, its cut, its risk of error, and who made it. */
export function MatchPanel({ visit, credit, match }: { visit: Visit; credit: Credit; match: Match }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <Panel title={t('credits:match.title')}>
      <p>
        <State texts={texts} list="matchKind" code={match.kind} tone="good" />
        {' · '}
        {texts.word('evidence', match.evidence)}
      </p>
      <p class="aside">{texts.word('evidenceMeaning', match.evidence)}</p>
      <Facts>
        {match.claimedError === null ? null : (
          <Fact name={t('credits:match.error')}>{texts.probability(match.claimedError)}</Fact>
        )}
        {match.cut === null ? null : (
          <Fact name={t('credits:match.cut')}>
            <CutText texts={texts} cut={match.cut} />
          </Fact>
        )}
        <MatchedBy visit={visit} credit={credit} />
      </Facts>
      {match.lineId === credit.lineId ? null : (
        <p class="note">
          <a href={to('/credits', match.lineId)}>{t('credits:match.returned')}</a>
        </p>
      )}
    </Panel>
  );
}

function MatchedBy({ visit: { texts }, credit: { matched } }: { visit: Visit; credit: Credit }): VNode | null {
  const { t } = texts;
  if (matched === null) return null;
  const { runId, by, at, reason, approvedBy } = matched;
  return (
    <>
      <Fact name={t('credits:match.by')}>
        {runId === null ? <Writer texts={texts} of={by} /> : <a href={to('/runs', runId)}>{t('credits:match.run')}</a>}
        {approvedBy === null ? null : <bdi>{`, ${approvedBy}`}</bdi>}
      </Fact>
      <Fact name={t('common:field.at')}>
        <Moment texts={texts} of={at} />
      </Fact>
      {reason === null ? null : (
        <Fact name={t('common:field.reason')}>
          <bdi>{reason}</bdi>
        </Fact>
      )}
    </>
  );
}

/** The items of a match by channel; with the fees they add up to the credit. */
export function ChannelsPanel({ visit: { texts }, credit, match }: { visit: Visit; credit: Credit; match: Match }) {
  const { t } = texts;
  const money = (of: number | string | bigint): VNode => <Money texts={texts} of={of} />;
  const { grossMillimes: gross, feeMillimes: fee, tvaMillimes: tva, differenceMillimes: rest } = match;
  const column = (label: string, of: (row: ChannelSum) => number | string): Column<ChannelSum> => ({
    ...{ label, isNumber: true },
    cell: (row) => money(of(row)),
  });
  return (
    <Panel title={t('credits:channels.title')}>
      <Table
        caption={t('credits:channels.title')}
        rows={match.channels}
        empty={null}
        columns={[
          { label: t('common:field.channel'), isHead: true, cell: ({ channel }) => texts.word('channel', channel) },
          { label: t('credits:channels.items'), isNumber: true, cell: ({ items }) => texts.count(items) },
          column(t('credits:item.gross'), ({ grossMillimes }) => grossMillimes),
          column(t('credits:item.fee'), ({ feeMillimes }) => feeMillimes),
          column(t('credits:item.tva'), ({ tvaMillimes }) => tvaMillimes),
        ]}
        foot={[t('common:table.total'), texts.count(match.itemIds.length), money(gross), money(fee), money(tva)]}
      />
      <p class="sum">
        {money(gross)}
        {' − '}
        {money(fee)}
        {' − '}
        {money(tva)}
        {rest === 0 ? null : (
          <>
            {' + '}
            {money(rest)}
          </>
        )}
        {' = '}
        <strong>{money(credit.amountMillimes)}</strong>
      </p>
      <p class="aside">{t(rest === 0 ? 'credits:channels.how' : 'credits:channels.howWithRest')}</p>
    </Panel>
  );
}

interface MatchItemsProps {
  readonly visit: Visit;
  readonly match: Match;
  readonly list: Json<'listCreditItems'>;
}

/** Each item of a match, with its evidence where it is not that of the match. */
export function MatchItemsPanel({ visit, match, list }: MatchItemsProps): VNode {
  const { texts, params, query } = visit;
  const { t } = texts;
  const own = to('/credits', params['lineId'] ?? '');
  const canOpen = visit.can('payments:read');
  const column = (label: string, of: (row: Item) => number): Column<Item> => ({
    ...{ label, isNumber: true },
    cell: (row) => <Money texts={texts} of={of(row)} />,
  });
  return (
    <Panel title={t('credits:matched.title')}>
      <Table
        caption={t('credits:matched.title')}
        rows={list.data}
        empty={t('common:state.nothingYet')}
        columns={[
          {
            label: t('credits:item.payment'),
            isHead: true,
            cell: ({ itemId }) => (
              <LinkIf may={canOpen} href={to('/payments', itemId)}>
                <ItemId of={itemId} />
              </LinkIf>
            ),
          },
          {
            label: t('common:field.channel'),
            cell: ({ channel, evidence }) => (
              <>
                {texts.word('channel', channel)}
                {evidence === match.evidence ? null : <small class="under">{texts.word('evidence', evidence)}</small>}
              </>
            ),
          },
          { label: t('credits:item.receivedAt'), cell: ({ occurredAt }) => <Moment texts={texts} of={occurredAt} /> },
          column(t('credits:item.gross'), ({ amountMillimes }) => amountMillimes),
          column(t('credits:item.fee'), ({ feeMillimes }) => feeMillimes),
          column(t('credits:item.tva'), ({ tvaMillimes }) => tvaMillimes),
        ]}
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { items: list.nextCursor ?? '' })}
        first={query['items'] === undefined ? undefined : own}
      />
    </Panel>
  );
}

/** Takes a match back. Where a part was written off, two people decide. */
export function UnmatchPanel({ visit, match }: { visit: Visit; match: Match }): VNode | null {
  const { texts, problem } = visit;
  const { t } = texts;
  const isByTwo = problem?.code === 'remainder_written_off';
  const canAct = visit.can(isByTwo ? 'breaks:work' : 'reconciliation:decide');
  if (!canAct) return null;
  const gross = texts.money(match.grossMillimes);
  const submit = t(isByTwo ? 'credits:unmatch.propose' : 'credits:unmatch.submit');
  return (
    <details class="panel" open={problem !== undefined}>
      <summary>{t('credits:unmatch.title')}</summary>
      <p>{t('credits:unmatch.what', { count: match.itemIds.length, gross })}</p>
      <ActionForm visit={visit} action={isByTwo ? 'proposeUnmatch' : 'unmatch'} label={t('credits:unmatch.title')}>
        <ReasonField visit={visit} />
        <p class="actions">
          <button class="danger">{submit}</button>
        </p>
      </ActionForm>
    </details>
  );
}
