import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import { Table } from '../../parts/table';
import { Day, Money } from '../../parts/values';

interface RulesProps {
  readonly texts: Texts;
  readonly rules: Json<'listFeeSchedules'>['data'][number]['fees'];
  readonly title: string;
}

/** The rules of a fee schedule. */
export function RulesTable({ texts, rules, title }: RulesProps): VNode {
  const { t } = texts;
  return (
    <Table
      caption={title}
      rows={rules}
      empty={t('bank:fees.noRules')}
      columns={[
        { label: t('common:field.channel'), isHead: true, cell: ({ channel }) => texts.word('channel', channel) },
        { label: t('bank:fees.rate'), isNumber: true, cell: ({ rate_ppm: rate }) => texts.percent(rate) },
        {
          label: t('bank:fees.fixed'),
          isNumber: true,
          cell: ({ fixed_millimes: fixed }) => <Money texts={texts} of={fixed} />,
        },
        { label: texts.word('book', 'tva'), isNumber: true, cell: ({ tva_ppm: tva }) => texts.percent(tva) },
        { label: t('bank:fees.basis'), cell: ({ basis }) => texts.word('feeBasis', basis) },
        { label: t('bank:fees.rounding'), cell: ({ rounding }) => texts.word('feeRounding', rounding) },
        { label: t('common:field.from'), cell: ({ from }) => <Day texts={texts} of={from} /> },
      ]}
    />
  );
}
