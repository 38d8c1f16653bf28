import { counted } from '../kernel';
import { AGE_BANDS } from './age-bands';
import type { AgedBreaks, AgingReport } from './aging-report-read-model';
import { asOfFacts, type ReportDocument, type ReportPlot, type ReportTable, tableOf } from './report-document';

export function agingDocument(report: AgingReport): ReportDocument {
  const { through, agedThrough, breaks, oldest, items } = report;
  return {
    key: 'aging',
    title: `Aging of open breaks and items through ${through}`,
    facts: [
      { key: 'through', label: 'through', value: through },
      ...asOfFacts(through, report),
      { key: 'agedThrough', label: 'ages in working days through', value: agedThrough },
      { key: 'openBreaks', label: 'open breaks', value: breaks.reduce((sum, { count }) => sum + count, 0) },
    ],
    proven: undefined,
    tables: [breaksTable(breaks), urgentTable(oldest), itemsTable(items)],
  };
}

function breaksTable(breaks: AgingReport['breaks']): ReportTable {
  return tableOf(breaks, {
    key: 'breaks',
    title: 'Open breaks by class and age',
    fields: [
      { key: 'class', label: 'class', cell: ({ breakClass }) => breakClass },
      { key: 'ageWorkingDays', label: 'working days', cell: ({ band }) => band },
      { key: 'severity', label: 'severity', cell: ({ severity }) => severity },
      { key: 'count', label: 'open', cell: ({ count }) => count },
      { key: 'unassigned', label: 'unassigned', cell: ({ unassigned }) => unassigned },
      { key: 'amountMillimes', label: 'amount', cell: ({ amount }) => amount },
      { key: 'netMillimes', label: 'ledger - bank', wideOnly: true, cell: ({ net }) => net },
    ],
    plot: breaksPlot(breaks),
  });
}

function urgentTable(oldest: AgingReport['oldest']): ReportTable {
  return tableOf(oldest, {
    key: 'urgent',
    title: 'Most urgent and oldest breaks',
    fields: [
      { key: 'breakId', label: 'break', cell: ({ id }) => id },
      { key: 'class', label: 'class', cell: ({ breakClass }) => breakClass },
      { key: 'severity', label: 'severity', cell: ({ severity }) => severity },
      { key: 'since', label: 'since', cell: ({ since }) => since },
      { key: 'ageDays', label: 'age', cell: ({ ageDays }) => ageDays },
      { key: 'amountMillimes', label: 'amount', cell: ({ amount }) => amount },
      { key: 'assignee', label: 'assignee', wideOnly: true, cell: ({ assignee }) => assignee },
      {
        key: 'now',
        label: oldest.some(({ ended }) => ended !== undefined) ? 'assignee, end' : 'assignee',
        terminalOnly: true,
        mayBeCut: true,
        cell: ({ assignee, ended }) => (ended === undefined ? assignee : `ended ${ended.endedOn}`),
      },
      { key: 'endedOn', label: 'ended', wideOnly: true, cell: ({ ended }) => ended?.endedOn },
      { key: 'resolution', label: 'ended as', wideOnly: true, cell: ({ ended }) => ended?.resolution },
      { key: 'bookedOn', label: 'booked', wideOnly: true, cell: ({ ended }) => ended?.bookedOn },
    ],
  });
}

function itemsTable(items: AgingReport['items']): ReportTable {
  return tableOf(items, {
    key: 'openItems',
    title: 'Unpaid items by channel and age',
    fields: [
      { key: 'channel', label: 'channel', cell: ({ channel }) => channel },
      { key: 'ageWorkingDays', label: 'working days', cell: ({ band }) => band },
      { key: 'count', label: 'items', cell: ({ count }) => count },
      { key: 'amountMillimes', label: 'amount', cell: ({ amount }) => amount },
    ],
  });
}

/** Plots the open breaks by age. */
export function breaksPlot(breaks: readonly AgedBreaks[]): ReportPlot {
  const amounts = AGE_BANDS.map((band) =>
    breaks.filter((each) => each.band === band).reduce((sum, { count }) => sum + BigInt(count), 0n),
  );
  return {
    title: 'Open breaks by age in working days',
    unit: 'breaks',
    description: AGE_BANDS.map((band, at) => `${band}: ${counted(Number(amounts[at] ?? 0n), 'break')}`).join('; '),
    categories: AGE_BANDS,
    series: [{ name: 'open breaks', amounts }],
  };
}
