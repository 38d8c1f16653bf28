import type { AgentsReport } from './agents-report-read-model';
import { periodTitle, type ReportDocument } from './report-document';

const AGENTS_SHOWN_MAX = 200;

export function agentsDocument(report: AgentsReport): ReportDocument {
  const { agents, totals, proven } = report;
  return {
    key: 'agents',
    title: periodTitle('Agents', report),
    facts: [
      { key: 'from', label: 'from', value: report.from },
      { key: 'to', label: 'to', value: report.to },
      { key: 'agentCount', label: 'agents', value: agents.length },
      { key: 'openingDueMillimes', label: 'due before', value: totals.openingDue },
      { key: 'openingCreditMillimes', label: 'credit before', value: totals.openingCredit },
      { key: 'assessedMillimes', label: 'assessed', value: totals.assessed },
      { key: 'cancelledMillimes', label: 'cancelled', value: totals.cancelled },
      { key: 'paidMillimes', label: 'paid through the gateway', value: totals.paid },
      { key: 'refundedMillimes', label: 'refunded', value: totals.refunded },
      { key: 'otherMillimes', label: 'other postings', value: totals.other },
      { key: 'closingDueMillimes', label: 'due after', value: totals.closingDue },
      { key: 'closingCreditMillimes', label: 'credit after', value: totals.closingCredit },
    ],
    proven,
    tables: [
      {
        key: 'agents',
        title: 'By agent',
        columns: [
          { key: 'agentId', label: 'agent' },
          { key: 'fullName', label: 'name', mayBeCut: true },
          { key: 'openingDueMillimes', label: 'due before' },
          { key: 'openingCreditMillimes', label: 'credit before', wideOnly: true },
          { key: 'assessedMillimes', label: 'assessed', wideOnly: true },
          { key: 'cancelledMillimes', label: 'cancelled', wideOnly: true },
          { key: 'paidMillimes', label: 'paid' },
          { key: 'refundedMillimes', label: 'refunded', wideOnly: true },
          { key: 'otherMillimes', label: 'other', wideOnly: true },
          { key: 'closingDueMillimes', label: 'due after' },
          { key: 'closingCreditMillimes', label: 'credit after' },
        ],
        rows: agents.map(({ agentId, fullName, opening, assessed, cancelled, paid, refunded, other, closing }) => [
          agentId,
          fullName,
          above(opening),
          above(-opening),
          assessed,
          cancelled,
          paid,
          refunded,
          other,
          above(closing),
          above(-closing),
        ]),
        rowsShownMax: AGENTS_SHOWN_MAX,
      },
    ],
  };
}

function above(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
