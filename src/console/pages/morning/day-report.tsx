import type { VNode } from 'preact';
import { z } from 'zod';
import type { Texts } from '../../../texts';
import { Panel, Table } from '../../parts/table';
import { Money, None, Sign } from '../../parts/values';

const total = z.union([z.int(), z.string()]);
const counted = z.object({ amountMillimes: total });
const dayReport = z.object({
  through: z.string(),
  knownAt: z.string(),
  proven: z.boolean(),
  channels: z.array(
    z.object({
      channel: z.string(),
      openingMillimes: total,
      succeeded: counted,
      refunded: counted,
      feesMillimes: total,
      tvaMillimes: total,
      paidOutMillimes: total,
      returnedMillimes: total,
      writtenOffMillimes: total,
      correctedMillimes: total,
      closingMillimes: total,
      proven: z.boolean(),
    }),
  ),
});
type Channel = z.infer<typeof dayReport>['channels'][number];

/** The day of each channel: opening, what moved, closing, and whether it adds up. */
export function DayReport({ texts, report }: { texts: Texts; report: unknown }): VNode {
  const { t } = texts;
  const { through, knownAt, proven, channels } = dayReport.parse(report);
  const amount = (of: number | string): VNode => (BigInt(of) === 0n ? <None /> : <Money texts={texts} of={of} />);
  const column = (label: string, of: (channel: Channel) => number | string) => ({
    ...{ label, isNumber: true },
    cell: (channel: Channel) => amount(of(channel)),
  });
  const title = t('morning:reports.dayTitle', { date: texts.date(through) });
  return (
    <Panel title={title}>
      <p class="cut-off">{t('morning:reports.asOf', { date: texts.date(through), instant: texts.instant(knownAt) })}</p>
      <p>
        <Sign tone={proven ? 'good' : 'bad'}>
          {proven ? t('morning:reports.proven') : t('morning:reports.notProven')}
        </Sign>
      </p>
      <Table
        caption={title}
        rows={channels}
        empty={t('morning:reports.noMovement')}
        columns={[
          { label: t('common:field.channel'), isHead: true, cell: ({ channel }) => texts.word('channel', channel) },
          column(t('morning:column.opening'), (each) => each.openingMillimes),
          column(t('morning:column.succeeded'), (each) => each.succeeded.amountMillimes),
          column(t('morning:column.refunded'), (each) => String(-BigInt(each.refunded.amountMillimes))),
          column(t('morning:column.fees'), (each) => String(-BigInt(each.feesMillimes))),
          column(t('morning:column.tva'), (each) => String(-BigInt(each.tvaMillimes))),
          column(t('morning:column.paidOut'), (each) => String(-BigInt(each.paidOutMillimes))),
          column(t('morning:column.returned'), (each) => each.returnedMillimes),
          column(t('morning:column.other'), (each) =>
            String(BigInt(each.writtenOffMillimes) + BigInt(each.correctedMillimes)),
          ),
          column(t('morning:column.closing'), (each) => each.closingMillimes),
          {
            label: t('morning:column.proof'),
            cell: (each) => (
              <Sign tone={each.proven ? 'good' : 'bad'}>
                {each.proven ? t('morning:proof.yes') : t('morning:proof.no')}
              </Sign>
            ),
          },
        ]}
      />
    </Panel>
  );
}
