import { magicPayerOf } from '../core/magic-amounts';
import type { Simulation } from '../core/simulation';
import { codeOf, payQr } from './pay-qr';
import type { SimQrCode } from './qr-state';

/** The customer who was shown a code decides. */
export const QR_CUSTOMER = 'qr.customer';

const LATE_MS = 60_000;

/** Sends a customer: in `auto`, or when the amount stands for a late one. */
export function sendQrCustomer(simulation: Simulation, { operationUuid, amountMillimes }: SimQrCode): void {
  const { mode, afterSecs } = simulation.settings.payer;
  const isLate = magicPayerOf(amountMillimes) === 'late_success';
  if (mode === 'manual' && !isLate) return;
  const waitMs = afterSecs * 1_000 + (isLate ? LATE_MS : 0);
  simulation.schedule(simulation.now() + waitMs, QR_CUSTOMER, { operationUuid });
}

/** A payment of a code that fails leaves no trace: the interface has no status for it. */
export function actAsQrCustomer(simulation: Simulation, operationUuid: string): void {
  const code = codeOf(simulation, operationUuid);
  if (code === undefined) return;
  const { random, settings } = simulation;
  // A chance of its own: what one customer does moves nothing else of a run.
  const own = random.fork(`qr-customer:${code.operationUuid}`);
  const abandons = own.chance(settings.payer.abandonPpm);
  const fails = own.chance(settings.payer.failurePpm);
  const isOther = own.chance(settings.payer.mobilePpm);
  if (paysByAmount(code.amountMillimes) ?? !(abandons || fails)) {
    payQr(simulation, operationUuid, { channel: isOther ? 'mpayment' : 'service' });
  }
}

/** Returns what the amount decides; `undefined` when chance decides. */
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
