import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { Table } from '../../parts/table';
import { Money, None } from '../../parts/values';

export type Effect = NonNullable<Json<'showProposal'>['effect']>;
type BreakState = NonNullable<Effect['break']>['before'];

interface Row {
  readonly name: string;
  readonly before: VNode;
  readonly after: VNode;
}

/** What an approval would change now: each account and the break, before and after. */
export function EffectView({ texts, effect }: { texts: Texts; effect: Effect }): VNode {
  const { t } = texts;
  const accounts = effect.accounts.map(({ account, beforeMillimes, afterMillimes }) => ({
    name: accountText(texts, account),
    before: <Balance texts={texts} of={beforeMillimes} />,
    after: <Balance texts={texts} of={afterMillimes} />,
  }));
  return (
    <Table<Row>
      caption={t('breaks:effect.caption')}
      rows={[...accounts, ...breakRow(texts, effect)]}
      empty={t('breaks:effect.nothingPosted')}
      columns={[
        { label: t('breaks:effect.what'), isHead: true, cell: ({ name }) => name },
        { label: t('breaks:effect.before'), isNumber: true, cell: ({ before }) => before },
        { label: t('breaks:effect.after'), isNumber: true, cell: ({ after }) => after },
      ]}
    />
  );
}

/** The items and the rest of a credit that an approval matches, or whose match it takes back. */
export function EffectFacts({ texts, effect }: { texts: Texts; effect: Effect }): VNode | null {
  const { t } = texts;
  const { items, grossMillimes, remainderMillimes = 0 } = effect;
  if (items === undefined || grossMillimes === undefined) return null;
  const gross = texts.money(grossMillimes);
  return (
    <p>
      {t('breaks:effect.items', { count: items, gross })}
      {remainderMillimes === 0
        ? null
        : ` ${t('breaks:effect.remainder', { remainder: texts.money(remainderMillimes) })}`}
    </p>
  );
}

/** Returns the name of an account: what it is, and its channel. */
export function accountText(texts: Texts, account: string): string {
  const [kind = '', channel] = account.split(':');
  const name = texts.word('account', kind);
  return channel === undefined ? name : `${name}, ${texts.word('channel', channel)}`;
}

function breakRow(texts: Texts, { break: states }: Effect): Row[] {
  if (states === null) return [];
  const name = texts.t('breaks:effect.left');
  return [
    { name, before: <Left texts={texts} state={states.before} />, after: <Left texts={texts} state={states.after} /> },
  ];
}

function Balance({ texts, of }: { texts: Texts; of: number | string }): VNode {
  const total = BigInt(of);
  const side = total === 0n ? undefined : total > 0n ? 'breaks:effect.debit' : 'breaks:effect.credit';
  return (
    <>
      <Money texts={texts} of={total < 0n ? -total : total} />
      {side === undefined ? null : <small> {texts.t(side)}</small>}
    </>
  );
}

function Left({ texts, state: { status, resolution, leftMillimes } }: { texts: Texts; state: BreakState }): VNode {
  const words = [texts.word('breakStatus', status)];
  if (resolution !== null) words.push(texts.word('resolution', resolution));
  return (
    <>
      {leftMillimes === null ? <None /> : <Money texts={texts} of={Math.abs(leftMillimes)} />}
      <small> {texts.list(words)}</small>
    </>
  );
}
