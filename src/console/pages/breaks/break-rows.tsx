import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { LinkIf } from '../../parts/links';
import { type Column, Panel, Table } from '../../parts/table';
import { Day, Id, ItemId, Moment, Money, None, Said } from '../../parts/values';
import { to } from '../../web/own-path';

export type Rows = Json<'listBreakRows'>;
type Item = Rows['items'][number];
type Line = Rows['lines'][number];

/** The rows that a break compares: the books on one side, the bank on the other, each with its sum. */
export function SideBySide({ visit, rows }: { visit: Visit; rows: Rows }): VNode {
  const { texts } = visit;
  const { t } = texts;
  const more = (shown: number, count: number): VNode | null =>
    count > shown ? <p class="aside">{t('breaks:rows.more', { shown, count })}</p> : null;
  return (
    <div class="columns even">
      <Panel title={t('breaks:rows.books')}>
        <Table
          caption={t('breaks:rows.books')}
          rows={rows.items}
          columns={itemColumns(visit)}
          empty={t(rows.itemCount === 0 ? 'breaks:rows.noItems' : 'breaks:rows.notPosted')}
          {...footOf(visit, rows)}
        />
        {rows.items.length === 0 ? null : more(rows.items.length, rows.itemCount)}
      </Panel>
      <Panel title={t('breaks:rows.bank')}>
        <Table
          caption={t('breaks:rows.bank')}
          rows={rows.lines}
          columns={lineColumns(visit)}
          empty={t('breaks:rows.noLines')}
        />
        {more(rows.lines.length, rows.lineCount)}
      </Panel>
    </div>
  );
}

function footOf({ texts }: Visit, { items, itemsMillimes }: Rows) {
  if (itemsMillimes === null || items.length < 2) return {};
  return { foot: [texts.t('common:table.total'), null, <Money texts={texts} of={itemsMillimes} />, null] };
}

function itemColumns(visit: Visit): readonly Column<Item>[] {
  const { texts } = visit;
  const { t } = texts;
  return [
    {
      label: t('breaks:rows.payment'),
      isHead: true,
      cell: ({ itemId, agentId }) => (
        <>
          <LinkIf may={visit.can('payments:read')} href={to('/payments', itemId)}>
            <ItemId of={itemId} />
          </LinkIf>
          {agentId === null ? null : (
            <small>
              {' '}
              {visit.can('agents:lookup') ? (
                <a href={to('/agents', agentId)}>{t('breaks:rows.agent', { agentId })}</a>
              ) : (
                t('breaks:rows.agent', { agentId })
              )}
            </small>
          )}
        </>
      ),
    },
    { label: t('common:field.channel'), cell: ({ channel }) => texts.word('channel', channel) },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
    },
    {
      label: t('breaks:rows.receivedAt'),
      cell: ({ occurredAt, paidBy }) => (
        <>
          <Moment texts={texts} of={occurredAt} />
          {paidBy === null ? null : (
            <small>
              {' '}
              <a href={to('/credits', paidBy)}>{t('breaks:rows.paidBy')}</a>
            </small>
          )}
        </>
      ),
    },
  ];
}

function lineColumns(visit: Visit): readonly Column<Line>[] {
  const { texts } = visit;
  const { t } = texts;
  return [
    {
      label: t('credits:bookedOn'),
      isHead: true,
      cell: ({ lineId, bookingDate, amountMillimes }) => {
        const day = <Day texts={texts} of={bookingDate} />;
        const isCredit = (amountMillimes ?? 0) > 0 && visit.can('reconciliation:read');
        return isCredit ? <a href={to('/credits', lineId)}>{day}</a> : day;
      },
    },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ amountMillimes, amount, currency }) =>
        amountMillimes === null ? <Id>{`${amount} ${currency}`}</Id> : <Money texts={texts} of={amountMillimes} />,
    },
    {
      label: t('credits:bankText'),
      cell: ({ counterparty, remittance }) => <Said>{remittance === '' ? counterparty : remittance}</Said>,
    },
    {
      label: t('common:field.reference'),
      cell: ({ bankReference, statementId }) => (
        <a href={to('/bank/statements', statementId)}>
          {bankReference === '' ? t('breaks:rows.statement') : <Id>{bankReference}</Id>}
        </a>
      ),
    },
    {
      label: t('credits:line.valueDate'),
      cell: ({ valueDate }) => (valueDate === null ? <None /> : <Day texts={texts} of={valueDate} />),
    },
  ];
}
