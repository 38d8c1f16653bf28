import { type BusinessCalendar, shownText } from '../kernel';
import type { CreateOutcome } from '../payments';
import { creationJson, creationReason } from '../shapes/payments';
import { type CliIo, EXIT, type ExitCode } from './command';
import { colon, t } from './language';
import { paymentLine } from './payment-output';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

/** Returns the sentence for the outcome of a creation at the gateway. */
export function outcomeText(kind: CreateOutcome['kind']): string {
  return t(`cli:payments.${kind === 'unknown' ? 'unknownOutcome' : kind}`);
}

/** Prints the outcome of a creation at the gateway. Returns `fault` if the payment does not exist or may not exist. */
export function printCreated(
  outcome: CreateOutcome,
  io: CliIo,
  { json, calendar }: { readonly json: boolean; readonly calendar: Calendar },
): ExitCode {
  if (json) io.json(creationJson(outcome));
  else printOutcome(outcome, io, calendar);
  return outcome.kind === 'refused' || outcome.kind === 'unknown' ? EXIT.fault : EXIT.done;
}

function printOutcome(outcome: CreateOutcome, io: CliIo, calendar: Calendar): void {
  if (outcome.kind === 'checked') return io.line(outcomeText('checked'));
  io.line(paymentLine(outcome.payment));
  const reason = creationReason(outcome, (instant) => calendar.formatLocal(instant));
  io.line(colon(outcomeText(outcome.kind), reason === undefined ? undefined : shownText(reason)));
  const { link, requestState, kind } = outcome.payment;
  if (link !== undefined) return io.line(shownText(link));
  // Terminals and wallets have no link. A session that a webhook identified has a link, but its answer was lost.
  const isLost = outcome.kind === 'existing' && requestState === 'made' && kind !== 'pos' && kind !== 'wallet';
  if (isLost) io.line(t('cli:payments.linkLost'));
}
