import { formatDinars, formatRate, isJsonObject } from '../kernel';
import type { FeesReport, MonthFees } from './fees-report-read-model';
import {
  instantCell,
  periodFacts,
  periodTitle,
  type ReportDocument,
  type ReportPlot,
  type ReportTable,
  tableOf,
} from './report-document';

export function feesDocument(report: FeesReport): ReportDocument {
  const { months, ledgerFee, ledgerTva, schedules, proven } = report;
  return {
    key: 'fees',
    title: periodTitle('Fees and TVA', report),
    facts: [
      ...periodFacts(report),
      { key: 'ledgerFeeMillimes', label: 'gateway_fees in the ledger', value: ledgerFee },
      { key: 'ledgerTvaMillimes', label: 'gateway_fees_tva in the ledger', value: ledgerTva },
    ],
    proven,
    tables: [monthsTable(months), schedulesTable(schedules), rulesTable(schedules)],
  };
}

function monthsTable(months: FeesReport['months']): ReportTable {
  return tableOf(months, {
    key: 'months',
    title: 'By month, channel and origin',
    fields: [
      { key: 'month', label: 'month', cell: ({ month }) => month },
      { key: 'channel', label: 'channel', cell: ({ channel }) => channel },
      { key: 'origin', label: 'origin', cell: ({ origin }) => origin },
      { key: 'count', label: 'postings', cell: ({ count }) => count },
      { key: 'feeMillimes', label: 'fee', cell: ({ fee }) => fee },
      { key: 'tvaMillimes', label: 'TVA', cell: ({ tva }) => tva },
    ],
    plot: plotOf(months),
  });
}

function schedulesTable(schedules: FeesReport['schedules']): ReportTable {
  return tableOf(schedules, {
    key: 'schedules',
    title: 'Schedules that runs learned or people entered, newest first',
    fields: [
      { key: 'scheduleId', label: 'schedule', machineOnly: true, cell: ({ id }) => id },
      { key: 'holds', label: 'in force', cell: ({ holds }) => holds },
      { key: 'confirmed', label: 'confirmed', cell: ({ confirmedAt }) => confirmedAt !== undefined },
      { key: 'confirmedBy', label: 'by', mayBeCut: true, cell: ({ confirmedBy }) => confirmedBy },
      { key: 'confirmedAt', label: 'at', wideOnly: true, cell: ({ confirmedAt }) => instantCell(confirmedAt) },
      { key: 'firstDate', label: 'first day', cell: ({ firstDate }) => firstDate },
      { key: 'lastDate', label: 'last day', cell: ({ lastDate }) => lastDate },
      { key: 'credits', label: 'credits', cell: ({ credits }) => credits },
      { key: 'recordedAt', label: 'learned at', wideOnly: true, cell: ({ recordedAt }) => instantCell(recordedAt) },
      { key: 'rules', label: 'rules', wideOnly: true, machineOnly: true, cell: ({ rules }) => rules },
    ],
  });
}

function rulesTable(schedules: FeesReport['schedules']): ReportTable {
  return {
    key: 'rules',
    title: 'Rules in force',
    columns: [{ key: 'rule', label: 'rule', mayBeCut: true }],
    rows: rulesOf(schedules.find(({ holds }) => holds)?.rules).map((rule) => [rule]),
  };
}

/** Describes each fee rule in one line. */
function rulesOf(json: string | undefined): string[] {
  const list: unknown = json === undefined ? [] : JSON.parse(json);
  return Array.isArray(list) ? list.filter(isJsonObject).map(ruleText) : [];
}

function ruleText(rule: Readonly<Record<string, unknown>>): string {
  const { channel, rate_ppm: ratePpm, fixed_millimes: fixed, tva_ppm: tvaPpm, basis, from } = rule;
  const fixedPart = typeof fixed === 'number' && fixed !== 0 ? ` + ${formatDinars(BigInt(fixed))}` : '';
  const since = typeof from === 'string' ? `, from ${from}` : '';
  const each = basis === 'payout' ? 'payout' : 'item';
  return `${String(channel)}: ${rate(ratePpm)}${fixedPart} on each ${each}, TVA ${rate(tvaPpm)}${since}`;
}

function rate(ppm: unknown): string {
  return typeof ppm === 'number' ? formatRate(ppm) : 'unknown';
}

function plotOf(months: readonly MonthFees[]): ReportPlot {
  const names = [...new Set(months.map(({ month }) => month))];
  const total = (of: (fees: MonthFees) => bigint): bigint[] =>
    names.map((name) => months.filter(({ month }) => month === name).reduce((sum, fees) => sum + of(fees), 0n));
  return {
    title: 'Fees and TVA by month',
    unit: 'DT',
    description: 'Two bars for each month: the fees, and the TVA on them.',
    categories: names,
    series: [
      { name: 'fees', amounts: total(({ fee }) => fee) },
      { name: 'TVA', amounts: total(({ tva }) => tva) },
    ],
  };
}
