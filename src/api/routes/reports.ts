import { z } from 'zod';
import type { BusinessDate } from '../../kernel';
import {
  agentsDocument,
  agingDocument,
  clearingDocument,
  dailyReportToCsv,
  dailyReportToJson,
  documentToCsv,
  documentToHtml,
  documentToJson,
  EXPORT_FORMATS,
  feesDocument,
  payoutsDocument,
  type ReportDocument,
  type Reporting,
  type ReportPeriod,
  wholeReportToHtml,
} from '../../reporting';
import { morningJson, morningValue, trendsJson, trendsValue } from '../../shapes/morning';
import { booksVerdict, reportDocument } from '../../shapes/reports';
import { dayParameter, idValue } from '../../shapes/values';
import { reportSpeech } from '../../texts';
import type { ApiRooms } from '../operation/rooms';
import { type ContentAnswer, ok, route } from '../operation/route';

const tag = 'Days, reports, ledger';
const scope = 'reports:read';
const media = ['text/csv', 'text/html'] as const;
const answers = { 200: reportDocument };

const FORMATS = ['json', 'csv', 'html'] as const;
const shown = {
  format: z.enum(FORMATS).default('json'),
  language: z.enum(['en', 'fr']).default('en').meta({ description: 'The language of an HTML page.' }),
};
type Shown = { readonly [Name in keyof typeof shown]: z.output<(typeof shown)[Name]> };

const onDay = {
  through: dayParameter.optional().meta({ description: 'The last day (default: yesterday).' }),
  ...shown,
};
const inPeriod = {
  from: dayParameter
    .optional()
    .meta({ description: 'The first day (default: the first of the month of the last day).' }),
  to: dayParameter.optional().meta({ description: 'The last day (default: yesterday).' }),
  ...shown,
};

function periodOf(
  reporting: Reporting,
  { from, to }: { readonly from?: BusinessDate | undefined; readonly to?: BusinessDate | undefined },
): ReportPeriod {
  const usual = reporting.usualPeriod(to);
  return { from: from ?? usual.from, to: usual.to };
}

function documentAnswer(document: ReportDocument, { format, language }: Shown, { calendar }: ApiRooms) {
  switch (format) {
    case 'json':
      return ok(documentToJson(document));
    case 'csv':
      return textAnswer('text/csv', documentToCsv(document));
    case 'html':
      return textAnswer('text/html', documentToHtml(document, calendar, reportSpeech(language)));
  }
}

function textAnswer(type: (typeof media)[number], content: string): ContentAnswer {
  return { media: type, content };
}

/** Declares a report on a period whose document one function reads. */
function periodReport<Name extends 'Agents' | 'Clearing' | 'Fees'>(
  name: Name,
  summary: string,
  read: (reporting: Reporting, period: ReportPeriod) => Promise<ReportDocument>,
) {
  return route({
    method: 'get',
    path: `/reports/${name.toLowerCase()}`,
    operationId: `show${name}Report` as const,
    isLong: true,
    ...{ summary, tag, scope, query: inPeriod, answers, media },
    async handle(rooms, { query }) {
      return documentAnswer(await read(rooms.reporting, periodOf(rooms.reporting, query)), query, rooms);
    },
  });
}

const REPORT_ROUTES = [
  route({
    method: 'get',
    path: '/reports/daily',
    operationId: 'showDailyReport',
    isLong: true,
    summary: 'Show matched credits, payments in transit and breaks',
    description: 'The HTML page shows the day in its month.',
    ...{ tag, scope, query: onDay, answers, media },
    async handle({ reporting, calendar }, { query: { through, format, language } }) {
      if (format === 'html') {
        const whole = await reporting.whole(reporting.usualPeriod(through));
        return textAnswer('text/html', wholeReportToHtml(whole, calendar, reportSpeech(language)));
      }
      const report = await reporting.daily(through);
      return format === 'csv'
        ? textAnswer('text/csv', dailyReportToCsv(report, calendar))
        : ok(dailyReportToJson(report));
    },
  }),
  route({
    method: 'get',
    path: '/reports/aging',
    operationId: 'showAgingReport',
    isLong: true,
    summary: 'Show open breaks and unpaid items by age',
    ...{ tag, scope, query: onDay, answers, media },
    async handle(rooms, { query }) {
      return documentAnswer(agingDocument(await rooms.reporting.aging(query.through)), query, rooms);
    },
  }),
  periodReport('Clearing', 'Show what the gateway owes, by channel and day', async (reporting, period) =>
    clearingDocument(await reporting.clearing(period)),
  ),
  periodReport('Agents', 'Show what each agent owed, paid and then owed', async (reporting, period) =>
    agentsDocument(await reporting.agents(period)),
  ),
  route({
    method: 'get',
    path: '/reports/payouts',
    operationId: 'showPayoutsReport',
    summary: 'Show each bank credit with its payments and the evidence',
    description: 'JSON and CSV have every item of each credit.',
    ...{ tag, scope, query: inPeriod, answers, media },
    isLong: true,
    isStreamed: true,
    async handle(rooms, { query }) {
      const { reporting } = rooms;
      const { format } = query;
      const period = periodOf(reporting, query);
      if (format === 'html') return documentAnswer(payoutsDocument(await reporting.payouts(period)), query, rooms);
      return {
        media: format === 'csv' ? 'text/csv' : 'application/json',
        content: (write) => reporting.writePayouts(period, format, write),
      };
    },
  }),
  route({
    method: 'get',
    path: '/reports/payouts/{lineId}',
    operationId: 'showPayout',
    isLong: true,
    summary: 'Show one bank credit with all its items',
    ...{ tag, scope, answers, media },
    params: { lineId: idValue },
    query: shown,
    problems: ['not_found'],
    async handle(rooms, { params, query }) {
      return documentAnswer(await rooms.reporting.payout(params.lineId), query, rooms);
    },
  }),
  periodReport('Fees', 'Show fees and TVA by month and channel', async (reporting, period) =>
    feesDocument(await reporting.fees(period)),
  ),
];

const FIGURE_ROUTES = [
  route({
    method: 'get',
    path: '/morning',
    operationId: 'showMorning',
    summary: 'Show the figures of a day and of the 30 days up to it',
    description: 'The figures by day are those that the last run derived. They exclude what came after the cut-off.',
    ...{ tag, scope },
    query: {
      day: dayParameter.optional().meta({
        description: 'The last day that counts (default: the last one that a run covered after it ended).',
      }),
    },
    answers: { 200: morningValue },
    async handle({ reporting }, { query: { day }, actor }) {
      return ok(morningJson(await reporting.morning({ day, reader: actor.name })));
    },
  }),
  route({
    method: 'get',
    path: '/trends',
    operationId: 'showTrends',
    summary: 'Show the figures of 90 days by channel, and breaks by age',
    description: 'The figures by day are those that the last run derived.',
    ...{ tag, scope },
    answers: { 200: trendsValue },
    async handle({ reporting }, { actor }) {
      return ok(trendsJson(await reporting.trends({ reader: actor.name })));
    },
  }),
];

const LEDGER_ROUTES = [
  route({
    method: 'post',
    path: '/ledger/verification',
    operationId: 'verifyLedger',
    summary: 'Check every invariant of the ledger and every closed day',
    description: 'A broken invariant is an answer with the status 200.',
    ...{ tag, scope },
    effect: 'reads',
    isLong: true,
    answers: { 200: booksVerdict },
    handle: async ({ verifyBooks }) => ok(await verifyBooks()),
  }),
  route({
    method: 'get',
    path: '/ledger/export',
    operationId: 'exportLedger',
    summary: 'Export all ledger transactions as an hledger journal or CSV',
    description: 'The body is complete only if the connection ends without an error.',
    ...{ tag, scope },
    query: { format: z.enum(EXPORT_FORMATS) },
    isLong: true,
    isStreamed: true,
    answers: { 200: z.never() },
    media: ['text/csv', 'text/plain'],
    async handle({ reporting }, { query: { format } }) {
      const as = { csv: ['text/csv', 'ledger.csv'], hledger: ['text/plain', 'ledger.journal'] } as const;
      const [type, fileName] = as[format];
      return { media: type, fileName, content: (write) => reporting.exportLedger(format, write) };
    },
  }),
];

/** The operations on reports and the ledger. */
export const REPORT_AND_LEDGER_ROUTES = [...FIGURE_ROUTES, ...REPORT_ROUTES, ...LEDGER_ROUTES];
