import type { WorldFiles } from '../world';

/**
 * Copies the files field by field, as the input of the engine. A field that a generator left on an item by accident,
 * such as the true instant of its availability, is dropped.
 */
export function filesOnly(files: WorldFiles): WorldFiles {
  return {
    items: files.items.map(({ itemId, channel, amount, succeededAt, refundOf, availableAfter, availableUntil }) => ({
      itemId,
      channel,
      amount,
      succeededAt,
      ...(refundOf === undefined ? {} : { refundOf }),
      ...(availableAfter === undefined ? {} : { availableAfter }),
      ...(availableUntil === undefined ? {} : { availableUntil }),
    })),
    observations: files.observations.map(({ itemId, observedAt, status, settlementStatus }) => ({
      itemId,
      observedAt,
      status,
      settlementStatus,
    })),
    lines: files.lines.map(({ lineId, bookingDate, valueDate, amount, counterparty, remittance }) => ({
      lineId,
      bookingDate,
      valueDate,
      amount,
      counterparty,
      remittance,
    })),
    fees: files.fees?.map(({ channel, ratePpm, fixedMillimes, tvaPpm, rounding, basis, from }) => ({
      channel,
      ratePpm,
      fixedMillimes,
      tvaPpm,
      rounding,
      basis,
      ...(from === undefined ? {} : { from }),
    })),
    holidays: [...files.holidays],
  };
}
