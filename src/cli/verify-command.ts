import type { Millime } from '../compose';
import { AppError, shownText } from '../kernel';
import type { PaymentKind } from '../payments';
import { paymentJson } from '../shapes/payments';
import { lateJson } from '../shapes/status-checks';
import { type CliIo, EXIT, type ExitCode } from './command';
import { formatWait } from './format-wait';
import { fullId } from './full-id';
import { inEnglish, t } from './language';
import { paymentLine } from './payment-output';
import { paymentWords } from './payment-words';

interface VerifyCommand {
  /** Millime's tracking id, the gateway's id, or a reference. */
  readonly id: string;
  /** Selects only a payment of this kind. */
  readonly kind?: PaymentKind;
  readonly json: boolean;
}

/**
 * Checks the status of one payment now and prints the payment. Returns `fault` if the gateway may not be asked yet or
 * did not answer; then the printed state is the last known one.
 */
export async function verifyNow(millime: Millime, io: CliIo, { id, kind, json }: VerifyCommand): Promise<ExitCode> {
  const { payments, calendar } = millime;
  const before = await payments.show(await fullId(millime, id, 'payment'));
  if (kind !== undefined && before.payment.kind !== kind) {
    throw new AppError('bad_input', {
      field: '<id>',
      expected: `a payment of the kind ${kind}`,
      got: before.payment.kind,
    });
  }
  const outcome = await payments.checkStatus(before.payment.trackingId);
  const details = await payments.show(before.payment.trackingId);
  const late = outcome.kind === 'later' ? outcome : undefined;
  if (json) {
    io.json({
      kind: outcome.kind,
      payment: paymentJson(details.payment),
      explanation: inEnglish(() => paymentWords(details, calendar)),
      ...lateJson(outcome),
    });
  } else {
    io.line(paymentLine(details.payment));
    io.line(`  ${paymentWords(details, calendar)}`);
    if (late !== undefined) {
      const scope = late.affectsAll ? `; ${t('cli:status.affectsAll')}` : '';
      const values = { reason: shownText(late.reason), wait: formatWait(late.retryAfterMs) };
      io.line(t('cli:status.notChecked', values) + scope);
    }
    if (outcome.kind === 'nothing_to_ask') io.line(t('cli:status.nothing'));
  }
  return late === undefined ? EXIT.done : EXIT.fault;
}
