import type { Millime } from '../compose';
import { AppError } from '../kernel';
import type { PaymentKind } from '../payments';
import { EXIT, type CliIo, type ExitCode } from './command';
import { paymentJson, paymentLine } from './payment-output';
import { paymentWords } from './payment-words';
import { shownText } from './shown-text';
import { formatWait } from './format-wait';

interface VerifyCommand {
  /** Our tracking id, the gateway's id, or a reference. */
  readonly id: string;
  /** Only a payment of this kind. */
  readonly kind?: PaymentKind;
  readonly json: boolean;
}

/**
 * Asks the gateway about one payment now, and shows what it is after that. A fault when the gateway may not be asked yet
 * or did not answer: what is shown is then what we knew.
 */
export async function verifyNow(millime: Millime, io: CliIo, { id, kind, json }: VerifyCommand): Promise<ExitCode> {
  const { payments, calendar } = millime;
  const before = await payments.show(id);
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
  const explanation = paymentWords(details, calendar);
  if (json) {
    io.json({
      kind: outcome.kind,
      payment: paymentJson(details.payment),
      explanation,
      retryAfterMs: late?.retryAfterMs ?? null,
      reason: late?.reason ?? null,
    });
  } else {
    io.line(paymentLine(details.payment));
    io.line(`  ${explanation}`);
    if (late !== undefined) {
      const everything = late.everybody ? ', about no other payment either' : '';
      io.line(`not looked at: ${shownText(late.reason)}; ask again in ${formatWait(late.retryAfterMs)}${everything}`);
    }
    if (outcome.kind === 'nothing_to_ask') io.line('there is nothing to ask the gateway about');
  }
  return late === undefined ? EXIT.done : EXIT.fault;
}
