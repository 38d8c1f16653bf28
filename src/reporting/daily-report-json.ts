import { formatInstant, totalToJson } from '../kernel';
import type { ChannelDay } from './channel-days-read-model';
import type { DailyReport, ReportCredit } from './daily-report-read-model';
import type { DayState } from './day-state-read-model';
import { asOfText } from './ledger-date';

/** Returns the whole report as data; amounts in millimes. */
export function dailyReportToJson(report: DailyReport): Readonly<Record<string, unknown>> {
  return {
    through: report.through,
    bankCoveredThrough: report.bankCoveredThrough ?? null,
    asOf: asOfText(report.through),
    knownAt: formatInstant(report.knownAt),
    agents: agentsToJson(report),
    // The name is older than the cut-off of its figures.
    agentsNow: agentsToJson(report),
    confirmed: totals(report.confirmed),
    confirmedToday: totals(report.confirmedToday),
    matched: totals(report.matched),
    forcedMillimes: totalToJson(report.forced),
    paidAheadMillimes: totalToJson(report.paidAhead),
    onTheWay: {
      ...totals(report.onTheWay),
      byDay: report.onTheWay.byDay.map((day) => ({ day: day.day, ...totals(day) })),
    },
    channels: report.channels.map(channelToJson),
    proven: report.proven,
    day: dayStateToJson(report.day),
    credits: report.credits.map(creditToJson),
    breaks: report.breaks.map(({ breakClass, ended, ...totalsOf }) => ({
      class: breakClass,
      ...totals(totalsOf),
      ended: ended.map(({ id, amount, end }) => ({
        breakId: id,
        amountMillimes: amount === undefined ? null : totalToJson(amount),
        ...end,
        bookedOn: end.bookedOn ?? null,
      })),
    })),
  };
}

function dayStateToJson(day: DayState): unknown {
  switch (day.kind) {
    case 'open':
      return { state: 'open', seal: null, sealedAt: null, sealedBy: null };
    case 'closed':
      return { state: 'closed', seal: day.seal, sealedAt: formatInstant(day.sealedAt), sealedBy: day.sealedBy };
    case 'reopened':
      return { state: 'reopened', seal: day.seal, sealedAt: null, sealedBy: null };
  }
}

function agentsToJson({ agents }: DailyReport): object {
  return {
    open: agents.open,
    owing: agents.owing,
    dueMillimes: totalToJson(agents.due),
    inCredit: agents.inCredit,
    creditMillimes: totalToJson(agents.credit),
  };
}

function channelToJson(day: ChannelDay): unknown {
  return {
    channel: day.channel,
    openingMillimes: totalToJson(day.opening),
    succeeded: totals(day.succeeded),
    refunded: totals(day.refunded),
    feesMillimes: totalToJson(day.fees),
    tvaMillimes: totalToJson(day.tva),
    paidOutMillimes: totalToJson(day.paidOut),
    returnedMillimes: totalToJson(day.returned),
    writtenOffMillimes: totalToJson(day.writtenOff),
    correctedMillimes: totalToJson(day.corrected),
    closingMillimes: totalToJson(day.closing),
    parts: day.parts.map(({ label, items, amount }) => ({
      part: label,
      items: items ?? null,
      amountMillimes: totalToJson(amount),
    })),
    seal:
      day.seal === undefined
        ? null
        : {
            closingMillimes: totalToJson(day.seal.recorded),
            recordedLaterMillimes: totalToJson(day.seal.recordedLater),
            datedLaterMillimes: totalToJson(day.seal.datedLater),
          },
    proven: day.proven,
  };
}

function creditToJson(credit: ReportCredit): unknown {
  return {
    lineId: credit.lineId,
    bookingDate: credit.bookingDate,
    counterparty: credit.counterparty,
    remittance: credit.remittance,
    amountMillimes: credit.amount,
    matched: credit.matched,
    returned: credit.returned,
    evidence: credit.evidence ?? null,
    itemCount: credit.itemCount,
    payments: credit.payments.map(({ transactionId, agentId, fullName, amount, receivedAt }) => ({
      transactionId,
      agentId,
      fullName,
      amountMillimes: amount,
      receivedAt: formatInstant(receivedAt),
    })),
  };
}

function totals({ count, amount }: { readonly count: number; readonly amount: bigint }): object {
  return { count, amountMillimes: totalToJson(amount) };
}
