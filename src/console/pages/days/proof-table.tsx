import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { type Column, Panel, Table } from '../../parts/table';
import { Figure, Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

export type Proof = Pick<Json<'closeDay'>, 'channels' | 'lateTransactions'>;
type Channel = Proof['channels'][number];
type Total = number | string;

/** Shown for every day; the others only where one of them is not 0. */
const USUAL = [
  'succeeded',
  'refunded',
  'fees',
  'tva',
  'payouts',
  'payoutsReturned',
  'pending',
  'in_breaks',
  'unexplained',
];
const MOVEMENTS = [
  'succeeded',
  'refunded',
  'fees',
  'tva',
  'payouts',
  'payoutsReturned',
  'writtenOff',
  'corrected',
] as const;
const LINES = ['pending', 'in_breaks', 'forced', 'written_off', 'corrected', 'unexplained'] as const;

/** The proof of a day by channel: from the opening over the movements to the closing, and what the closing consists of. */
export function ProofPanel({ texts, title, proof }: { texts: Texts; title: string; proof: Proof }): VNode {
  const { t } = texts;
  const { channels, lateTransactions } = proof;
  const columns = columnsOf(texts, channels);
  const total = (of: (channel: Channel) => Total): bigint => channels.reduce((sum, each) => sum + BigInt(of(each)), 0n);
  return (
    <Panel title={title}>
      <Table
        caption={title}
        isTight
        rows={channels}
        empty={t('days:proof.none')}
        columns={[
          { label: t('common:field.channel'), isHead: true, cell: ({ channel }) => texts.word('channel', channel) },
          ...columns.map(({ label, of, cell }): Column<Channel> => ({
            label,
            isNumber: true,
            cell: cell ?? ((channel) => <Figure texts={texts} of={of(channel)} />),
          })),
        ]}
        foot={[t('common:table.total'), ...columns.map(({ of }) => <Figure texts={texts} of={total(of)} />)]}
      />
      <p class="aside">
        {t('days:proof.unit')} {t('days:proof.how')} {t('days:byRecording')}
      </p>
      {lateTransactions === 0 ? null : <p>{t('days:proof.late', { count: lateTransactions })}</p>}
    </Panel>
  );
}

interface FigureColumn {
  readonly label: string;
  of(channel: Channel): Total;
  readonly cell?: (channel: Channel) => VNode;
}

function columnsOf(texts: Texts, channels: readonly Channel[]): readonly FigureColumn[] {
  const isShown = (name: string, of: (channel: Channel) => Total): boolean =>
    USUAL.includes(name) || channels.some((each) => BigInt(of(each)) !== 0n);
  const figure = (label: string, name: string, of: FigureColumn['of'], cell?: FigureColumn['cell']): FigureColumn[] =>
    isShown(name, of) ? [{ label, of, ...(cell === undefined ? {} : { cell }) }] : [];
  return [
    { label: texts.t('days:proof.opening'), of: ({ openingMillimes }) => openingMillimes },
    ...MOVEMENTS.flatMap((name) =>
      figure(texts.word('movement', name), name, ({ movements }) => movements[`${name}Millimes`]),
    ),
    { label: texts.t('days:proof.closing'), of: ({ closingMillimes }) => closingMillimes },
    ...LINES.flatMap((name) => {
      const of = ({ lines }: Channel): Total => lines.find(({ label }) => label === name)?.amountMillimes ?? 0;
      return figure(texts.word('balanceLine', name), name, of, (channel) => (
        <LineCell texts={texts} channel={channel} name={name} of={of(channel)} />
      ));
    }),
  ];
}

interface LineCellProps {
  readonly texts: Texts;
  readonly channel: Channel;
  readonly name: (typeof LINES)[number];
  readonly of: Total;
}

/** A part of the closing, with the way to the rows behind it. */
function LineCell({ texts, channel: { channel }, name, of }: LineCellProps): VNode {
  const amount = <Figure texts={texts} of={of} />;
  const isZero = BigInt(of) === 0n;
  if (name === 'unexplained') return <Sign tone={isZero ? 'good' : 'bad'}>{amount}</Sign>;
  if (isZero) return amount;
  if (name === 'pending') return <a href={withQuery(to('/unpaid'), { channel })}>{amount}</a>;
  return name === 'in_breaks' ? <a href={to('/breaks')}>{amount}</a> : amount;
}
