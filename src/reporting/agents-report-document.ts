import type { AgentsReport } from './agents-report-read-model';
import { periodFacts, periodTitle, type ReportDocument, tableOf } from './report-document';

const AGENTS_SHOWN_MAX = 200;

export function agentsDocument(report: AgentsReport): ReportDocument {
  const { agents, totals, proven } = report;
  return {
    key: 'agents',
    title: periodTitle('Agents', report),
    facts: [
      ...periodFacts(report),
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
      tableOf(agents, {
        key: 'agents',
        title: 'By agent',
        rowsShownMax: AGENTS_SHOWN_MAX,
        fields: [
          { key: 'agentId', label: 'agent', cell: ({ agentId }) => agentId },
          { key: 'fullName', label: 'name', mayBeCut: true, cell: ({ fullName }) => fullName },
          { key: 'openingDueMillimes', label: 'due before', cell: ({ opening }) => above(opening) },
          {
            key: 'openingCreditMillimes',
            label: 'credit before',
            wideOnly: true,
            cell: ({ opening }) => above(-opening),
          },
          { key: 'assessedMillimes', label: 'assessed', wideOnly: true, cell: ({ assessed }) => assessed },
          { key: 'cancelledMillimes', label: 'cancelled', wideOnly: true, cell: ({ cancelled }) => cancelled },
          { key: 'paidMillimes', label: 'paid', cell: ({ paid }) => paid },
          { key: 'refundedMillimes', label: 'refunded', wideOnly: true, cell: ({ refunded }) => refunded },
          { key: 'otherMillimes', label: 'other', wideOnly: true, cell: ({ other }) => other },
          { key: 'closingDueMillimes', label: 'due after', cell: ({ closing }) => above(closing) },
          { key: 'closingCreditMillimes', label: 'credit after', cell: ({ closing }) => above(-closing) },
        ],
      }),
    ],
  };
}

function above(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
