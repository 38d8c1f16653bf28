import type { BusinessCalendar } from '../kernel';
import { agentsDocument } from './agents-report-document';
import type { AgentsReport } from './agents-report-read-model';
import { agingDocument } from './aging-report-document';
import type { AgingReport } from './aging-report-read-model';
import { clearingDocument } from './clearing-report-document';
import type { ClearingReport } from './clearing-report-read-model';
import { dailyReportBody, dailyReportTitle } from './daily-report-html';
import type { DailyReport } from './daily-report-read-model';
import { documentBody, partsToHtml } from './document-html';
import { feesDocument } from './fees-report-document';
import type { FeesReport } from './fees-report-read-model';
import { payoutsDocument } from './payouts-report-document';
import type { PayoutsReport } from './payouts-report-read-model';
import type { ReportDocument, ReportPeriod } from './report-document';

/** A report of one kind, with its figures. */
export type AnyReport =
  | { readonly kind: 'aging'; readonly report: AgingReport }
  | { readonly kind: 'clearing'; readonly report: ClearingReport }
  | { readonly kind: 'agents'; readonly report: AgentsReport }
  | { readonly kind: 'payouts'; readonly report: PayoutsReport }
  | { readonly kind: 'fees'; readonly report: FeesReport };

export function toDocument(any: AnyReport): ReportDocument {
  switch (any.kind) {
    case 'aging':
      return agingDocument(any.report);
    case 'clearing':
      return clearingDocument(any.report);
    case 'agents':
      return agentsDocument(any.report);
    case 'payouts':
      return payoutsDocument(any.report);
    case 'fees':
      return feesDocument(any.report);
  }
}

/** All reports of one snapshot. */
export interface WholeReport extends ReportPeriod {
  readonly daily: DailyReport;
  readonly aging: AgingReport;
  readonly clearing: ClearingReport;
  readonly payouts: PayoutsReport;
  readonly fees: FeesReport;
  /** Whether every part with a proof is proven. */
  readonly proven: boolean;
}

/** Renders one self-contained page with every part. */
export function wholeReportToHtml(whole: WholeReport, calendar: BusinessCalendar): string {
  const { daily, aging, clearing, payouts, fees } = whole;
  const documents = [agingDocument(aging), clearingDocument(clearing), payoutsDocument(payouts), feesDocument(fees)];
  return partsToHtml(`Report, ${whole.from} to ${whole.to}`, [
    { key: 'daily', title: dailyReportTitle(daily), body: dailyReportBody(daily, calendar, 'h3') },
    ...documents.map((document) => ({
      key: document.key,
      title: document.title,
      body: documentBody(document, calendar, 'h3'),
    })),
  ]);
}
