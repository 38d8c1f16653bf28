import type { VNode } from 'preact';
import { CHANNELS } from '../../../payout-inference';
import type { Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { ActionForm, Choice as Select, FilterForm } from '../../parts/forms';
import { ApartLink } from '../../parts/links';
import { type Column, Panel, Table } from '../../parts/table';
import { Id, ItemId, Money } from '../../parts/values';
import { to } from '../../web/own-path';
import type { Choice, Credit, Offered, UnpaidItem } from './credit-choice';
import { netOf } from './unpaid-page';

interface ItemsProps {
  readonly visit: Visit;
  readonly credit: Credit;
  readonly offered: Offered;
  readonly choice: Choice;
}

/** The unpaid items before a credit, with the running net sum and what is left of the credit. */
export function ItemsPanel({ visit, credit, offered, choice }: ItemsProps): VNode {
  const { texts, query, here } = visit;
  const { t } = texts;
  const chosen = new Set(choice.itemIds);
  const isShown = new Set(offered.items.map(({ itemId }) => itemId));
  const elsewhere = choice.itemIds.filter((itemId) => !isShown.has(itemId));
  const isLater = query['later'] === 'yes';
  return (
    <Panel title={t(isLater ? 'credits:items.titleAll' : 'credits:items.title')}>
      <ItemsFilter visit={visit} credit={credit} />
      <Released visit={visit} credit={credit} asOf={offered.asOf} />
      {choice.whole === undefined ? (
        <ActionForm
          visit={visit}
          action="choose"
          path={here}
          label={t('credits:items.title')}
          data={liveData(texts, credit)}
        >
          <input type="hidden" name="cursor" value={offered.cursor} />
          {elsewhere.map((itemId) => (
            <input type="hidden" name="item" value={itemId} />
          ))}
          {/* The first button of a form is that of the key Enter. */}
          <button class="unseen" tabIndex={-1} aria-hidden="true">
            {t('common:action.check')}
          </button>
          <ItemsTable visit={visit} credit={credit} offered={offered} chosen={chosen} />
          {elsewhere.length === 0 ? <p class="sum" aria-live="polite" data-live hidden /> : null}
          {elsewhere.length === 0 ? null : (
            <p class="aside">{t('credits:items.elsewhere', { count: elsewhere.length })}</p>
          )}
          <p class="actions">
            <button class="main">{t('common:action.check')}</button>
            {offered.cursor === '' ? null : (
              <button name="go" value="first">
                {t('common:pager.first')}
              </button>
            )}
            {offered.nextCursor === undefined ? null : (
              <button name="go" value={offered.nextCursor}>
                {t('common:pager.next')}
              </button>
            )}
          </p>
        </ActionForm>
      ) : (
        <p class="note">{t('credits:items.whole', { count: choice.itemIds.length })}</p>
      )}
    </Panel>
  );
}

/** What the script of the console needs to add up while boxes change. The check of the server decides. */
function liveData(texts: Texts, { amountMillimes }: Credit) {
  return {
    'data-credit': String(amountMillimes),
    'data-sum': texts.t('credits:items.live', { net: '{net}', rest: '{rest}' }),
    'data-money': texts.money(0),
  };
}

function ItemsFilter({ visit, credit }: Pick<ItemsProps, 'visit' | 'credit'>): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  return (
    <FilterForm texts={texts} path={to('/credits', credit.lineId)}>
      <Select
        name="channel"
        label={t('common:field.channel')}
        value={query['channel'] ?? ''}
        options={[['', t('common:state.all')], ...CHANNELS.map((each) => [each, texts.word('channel', each)] as const)]}
      />
      <label class="box">
        <input type="checkbox" name="later" value="yes" checked={query['later'] === 'yes'} />
        <span>{t('credits:items.later')}</span>
      </label>
    </FilterForm>
  );
}

/** Says that the items of a match that was reversed after the last run are not in the list yet. */
function Released({ visit: { texts }, credit, asOf }: Pick<ItemsProps, 'visit' | 'credit'> & Pick<Offered, 'asOf'>) {
  const [last] = credit.reversedMatches;
  if (last === undefined || asOf === null || last.at <= asOf.knownAt) return null;
  return <p class="note">{texts.t('credits:items.released', { instant: texts.instant(last.at) })}</p>;
}

interface TableProps extends Omit<ItemsProps, 'choice'> {
  readonly chosen: ReadonlySet<string>;
}

function ItemsTable({ visit, credit, offered: { items }, chosen }: TableProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const rest = ({ netMillimes }: UnpaidItem): bigint => BigInt(credit.amountMillimes) - BigInt(netMillimes);
  const nearest = nearestOf(items, rest);
  const columns: readonly Column<UnpaidItem>[] = [
    ...choiceColumns(visit, chosen, items[0]),
    {
      label: t('credits:item.net'),
      isNumber: true,
      cell: (item) => (
        <>
          <Money texts={texts} of={netOf(item)} />
          <small class="under">{t('credits:item.ofGross', { amount: texts.money(item.amountMillimes) })}</small>
        </>
      ),
    },
    {
      label: t('credits:rest'),
      isNumber: true,
      cell: (item) => (
        <>
          <Money texts={texts} of={rest(item)} />
          <small class="under">{t('credits:item.ofSum', { amount: texts.money(item.netMillimes) })}</small>
          {item === nearest ? <small class="under nearest">{`◄ ${t('credits:items.nearest')}`}</small> : null}
        </>
      ),
    },
    {
      label: t('credits:items.upTo'),
      cell: ({ itemId, availableUntil }) => (
        <button class="small" name="upTo" value={itemId}>
          {t('credits:items.upTo')}
          <span class="unseen"> {texts.instant(availableUntil)}</span>
        </button>
      ),
    },
  ];
  return (
    <Table
      caption={t('credits:items.title')}
      rows={items}
      columns={columns}
      empty={t('credits:items.none')}
      rowClass={(item) => (item === nearest ? 'marked' : undefined)}
    />
  );
}

/** The box of the first item is the one to which a fault of the choice links. */
function choiceColumns(
  visit: Visit,
  chosen: ReadonlySet<string>,
  first: UnpaidItem | undefined,
): readonly Column<UnpaidItem>[] {
  const { texts } = visit;
  const { t } = texts;
  const canOpen = visit.can('payments:read');
  return [
    {
      label: t('common:action.select'),
      cell: (item) => (
        <input
          id={item === first ? 'field-item' : undefined}
          type="checkbox"
          data-net={netOf(item)}
          name="item"
          value={item.itemId}
          checked={chosen.has(item.itemId)}
          aria-label={t('common:table.chooseRow', { row: `${texts.money(item.amountMillimes)} ${item.itemId}` })}
        />
      ),
    },
    {
      label: t('credits:item.available'),
      isHead: true,
      cell: ({ itemId, availableUntil, channel, agentId }) => (
        <>
          <time>{texts.instant(availableUntil, 'day')}</time>
          <small class="under">
            {texts.word('channel', channel)} {agentId === null ? null : <Id>{agentId}</Id>}
          </small>
          <small class="under">
            {canOpen ? (
              <ApartLink texts={texts} href={to('/payments', itemId)}>
                <ItemId of={itemId} />
              </ApartLink>
            ) : (
              <ItemId of={itemId} />
            )}
          </small>
        </>
      ),
    },
  ];
}

/** Returns the item up to which the sum is nearest to the credit. */
function nearestOf(items: readonly UnpaidItem[], rest: (item: UnpaidItem) => bigint): UnpaidItem | undefined {
  const size = (item: UnpaidItem): bigint => (rest(item) < 0n ? -rest(item) : rest(item));
  return items.reduce<UnpaidItem | undefined>(
    (best, item) => (best === undefined || size(item) < size(best) ? item : best),
    undefined,
  );
}
