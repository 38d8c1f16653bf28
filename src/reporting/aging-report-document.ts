import { AGE_BANDS } from './age-bands';
import type { AgedBreaks, AgingReport } from './aging-report-read-model';
import type { ReportDocument, ReportPlot, ReportTable } from './report-document';

export function agingDocument({ through, agedThrough, breaks, oldest, items }: AgingReport): ReportDocument {
  return {
    key: 'aging',
    title: `Aging of open breaks and items through ${through}`,
    facts: [
      { key: 'through', label: 'through', value: through },
      { key: 'agedThrough', label: 'ages in working days through', value: agedThrough },
      { key: 'openBreaks', label: 'open breaks', value: breaks.reduce((sum, { count }) => sum + count, 0) },
    ],
    proven: undefined,
    tables: [breaksTable(breaks), urgentTable(oldest), itemsTable(items)],
  };
}

function breaksTable(breaks: AgingReport['breaks']): ReportTable {
  return {
    key: 'breaks',
    title: 'Open breaks by class and age',
    columns: [
      { key: 'class', label: 'class' },
      { key: 'ageWorkingDays', label: 'working days' },
      { key: 'severity', label: 'severity' },
      { key: 'count', label: 'open' },
      { key: 'unassigned', label: 'unassigned' },
      { key: 'amountMillimes', label: 'amount' },
      { key: 'netMillimes', label: 'ledger - bank', wideOnly: true },
    ],
    rows: breaks.map(({ breakClass, band, severity, count, unassigned, amount, net }) => [
      breakClass,
      band,
      severity,
      count,
      unassigned,
      amount,
      net,
    ]),
    plot: plotOf(breaks),
  };
}

function urgentTable(oldest: AgingReport['oldest']): ReportTable {
  return {
    key: 'urgent',
    title: 'Most urgent and oldest breaks',
    columns: [
      { key: 'breakId', label: 'break' },
      { key: 'class', label: 'class' },
      { key: 'severity', label: 'severity' },
      { key: 'since', label: 'since' },
      { key: 'ageDays', label: 'age' },
      { key: 'amountMillimes', label: 'amount' },
      { key: 'assignee', label: 'assignee', mayBeCut: true },
    ],
    rows: oldest.map(({ id, breakClass, severity, since, ageDays, amount, assignee }) => [
      id,
      breakClass,
      severity,
      since,
      ageDays,
      amount,
      assignee,
    ]),
  };
}

function itemsTable(items: AgingReport['items']): ReportTable {
  return {
    key: 'openItems',
    title: 'Unpaid items by channel and age',
    columns: [
      { key: 'channel', label: 'channel' },
      { key: 'ageWorkingDays', label: 'working days' },
      { key: 'count', label: 'items' },
      { key: 'amountMillimes', label: 'amount' },
    ],
    rows: items.map(({ channel, band, count, amount }) => [channel, band, count, amount]),
  };
}

function plotOf(breaks: readonly AgedBreaks[]): ReportPlot {
  return {
    title: 'Open breaks by age and severity',
    description: 'The amounts of the open breaks, one bar for each band of age in working days.',
    categories: AGE_BANDS,
    series: (['high', 'medium', 'low'] as const).map((severity) => ({
      name: severity,
      amounts: AGE_BANDS.map((band) =>
        breaks
          .filter((each) => each.band === band && each.severity === severity)
          .reduce((sum, { amount }) => sum + amount, 0n),
      ),
    })),
  };
}
