import { agentsDocument } from './agents-report-document';
import type { AgentsReport } from './agents-report-read-model';
import { agingDocument } from './aging-report-document';
import type { AgingReport } from './aging-report-read-model';
import { clearingDocument } from './clearing-report-document';
import type { ClearingReport } from './clearing-report-read-model';
import { feesDocument } from './fees-report-document';
import type { FeesReport } from './fees-report-read-model';
import { payoutsDocument } from './payouts-report-document';
import type { PayoutsReport } from './payouts-report-read-model';
import type { ReportDocument } from './report-document';

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
