import { magicPayerOf } from '../core/magic-amounts';
import type { Simulation } from '../core/simulation';
import { codeOf, payQr } from './pay-qr';
import type { SimQrCode } from './qr-state';

/** The event in which the customer decides after seeing a code. */
export const QR_CUSTOMER = 'qr.customer';

const LATE_MS = 60_000;

/** Sends a customer, in `auto` mode or for the magic amount of a late one. */
export function sendQrCustomer(simulation: Simulation, { operationUuid, amountMillimes }: SimQrCode): void {
  const { mode, afterSecs } = simulation.settings.payer;
  const isLate = magicPayerOf(amountMillimes) === 'late_success';
  if (mode === 'manual' && !isLate) return;
  const waitMs = afterSecs * 1_000 + (isLate ? LATE_MS : 0);
  simulation.schedule(simulation.now() + waitMs, QR_CUSTOMER, { operationUuid });
}

/** Pays as the customer. A failed payment of a code leaves no trace, because the interface has no status for it. */
export function actAsQrCustomer(simulation: Simulation, operationUuid: string): void {
  const code = codeOf(simulation, operationUuid);
  if (code === undefined) return;
  const { random, settings } = simulation;
  // The customer's own random numbers, so that one customer does not influence the rest of a run.
  const own = random.fork(`qr-customer:${code.operationUuid}`);
  const abandons = own.chance(settings.payer.abandonPpm);
  const fails = own.chance(settings.payer.failurePpm);
  const isOther = own.chance(settings.payer.mobilePpm);
  if (paysByAmount(code.amountMillimes) ?? !(abandons || fails)) {
    payQr(simulation, operationUuid, { channel: isOther ? 'mpayment' : 'service' });
  }
}

/** Returns the decision of a magic amount; `undefined` when chance decides. */
function paysByAmount(amountMillimes: number): boolean | undefined {
  switch (magicPayerOf(amountMillimes)) {
    case 'fails':
    case 'abandons':
    case 'system_failure':
      return false;
    case 'late_success':
      return true;
    case 'renewals_fail':
    case undefined:
      return undefined;
  }
}
