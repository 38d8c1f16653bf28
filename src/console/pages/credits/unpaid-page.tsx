import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { CHANNELS } from '../../../payout-inference';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { CutOff } from '../../parts/cut-off';
import { Choice, Field, FilterForm } from '../../parts/forms';
import { LinkIf } from '../../parts/links';
import { type Column, Pager, Table } from '../../parts/table';
import { Day, ItemId, Moment, Money, Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

type Item = Json<'listUnpaidItems'>['data'][number];

const PATH = '/unpaid';
const STATES = ['late', 'pending'] as const;

/** The items that no credit paid, in the order in which payouts take them, with running sums. */
export const UNPAID_PAGE: Page = {
  path: PATH,
  scope: 'reconciliation:read',
  menu: { group: 'daily', label: 'common:menu.unpaid' },
  async show(visit) {
    const { texts, query, call } = visit;
    const { cursor, ...rest } = query;
    const { channel, state, dueBy, agentId } = rest;
    const known = STATES.find((each) => each === state);
    const list = await call('listUnpaidItems', {
      query: { channel: given(channel), state: known, dueBy: given(dueBy), agentId: given(agentId), cursor },
    });
    const isFiltered = [channel, state, dueBy, agentId].some((each) => given(each) !== undefined);
    const { t } = texts;
    const body = (
      <>
        <CutOff texts={texts} of={list.asOf} />
        <p class="aside">{t('credits:unpaid.what')}</p>
        <Filter visit={visit} />
        <Table
          caption={t('credits:unpaid.caption')}
          rows={list.data}
          columns={columnsOf(texts, visit.can('payments:read'))}
          empty={emptyText(texts, list, isFiltered)}
        />
        <Pager
          texts={texts}
          hasMore={list.hasMore}
          next={withQuery(to(PATH), { ...rest, cursor: list.nextCursor ?? '' })}
          first={cursor === undefined ? undefined : withQuery(to(PATH), rest)}
        />
      </>
    );
    return { title: t('credits:unpaid.title'), body, isWide: true };
  },
};

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function emptyText(texts: Texts, { asOf, hasMore }: Json<'listUnpaidItems'>, isFiltered: boolean): string {
  if (asOf === null) return texts.t('credits:unpaid.noRun');
  if (hasMore) return texts.t('credits:unpaid.noneHere');
  if (isFiltered) return texts.t('common:state.nothingFits');
  return texts.t('credits:unpaid.allPaid', { date: texts.date(asOf.through) });
}

function Filter({ visit: { texts, query } }: { visit: Visit }): VNode {
  const { t } = texts;
  const all = ['', t('common:state.all')] as const;
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Choice
        name="channel"
        label={t('common:field.channel')}
        value={query['channel'] ?? ''}
        options={[all, ...CHANNELS.map((each) => [each, texts.word('channel', each)] as const)]}
      />
      <Choice
        name="state"
        label={t('common:field.state')}
        value={query['state'] ?? ''}
        options={[all, ...STATES.map((each) => [each, texts.word('waitingState', each)] as const)]}
      />
      <Field name="dueBy" type="date" label={t('credits:unpaid.dueBy')} value={query['dueBy'] ?? ''} />
      <Field name="agentId" label={t('common:field.agentId')} value={query['agentId'] ?? ''} isPlain />
    </FilterForm>
  );
}

function columnsOf(texts: Texts, canOpen: boolean): readonly Column<Item>[] {
  const { t } = texts;
  const amount = (label: string, of: (item: Item) => number | string): Column<Item> => ({
    ...{ label, isNumber: true },
    cell: (item) => <Money texts={texts} of={of(item)} />,
  });
  return [
    {
      label: t('credits:item.available'),
      isHead: true,
      cell: ({ availableUntil }) => <Moment texts={texts} of={availableUntil} />,
    },
    { label: t('common:field.channel'), cell: ({ channel }) => texts.word('channel', channel) },
    {
      label: t('credits:item.payment'),
      cell: ({ itemId }) => (
        <LinkIf may={canOpen} href={to('/payments', itemId)}>
          <ItemId of={itemId} />
        </LinkIf>
      ),
    },
    {
      label: t('credits:item.expected'),
      cell: ({ late, latestOn }) => (
        <Sign tone={late ? 'warn' : 'wait'}>
          <Day texts={texts} of={latestOn} />
          {late ? ` ${texts.word('waitingState', 'late')}` : null}
        </Sign>
      ),
    },
    amount(t('credits:item.gross'), ({ amountMillimes }) => amountMillimes),
    amount(t('credits:item.net'), netOf),
    amount(t('credits:item.runningGross'), ({ sumMillimes }) => sumMillimes),
    amount(t('credits:item.runningNet'), ({ netMillimes }) => netMillimes),
  ];
}

/** Returns what a payout brings for an item by the fees in force. */
export function netOf({ amountMillimes, feeMillimes, tvaMillimes }: Item): number {
  return amountMillimes - feeMillimes - tvaMillimes;
}
