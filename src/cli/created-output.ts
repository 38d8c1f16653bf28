import { type BusinessCalendar, shownText } from '../kernel';
import type { CreateOutcome } from '../payments';
import { creationJson, creationReason } from '../shapes/payments';
import { type CliIo, EXIT, type ExitCode } from './command';
import { paymentLine } from './payment-output';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

export const UNKNOWN_OUTCOME =
  'outcome unknown: do not repeat the command; Millime checks the status until it is known';

/** The words for the outcomes of a creation at the gateway. */
export const CREATION_WORDS = {
  created: 'created',
  existing: 'exists already; nothing was created',
  refused: 'refused; nothing was created',
  checked: 'Would create it; nothing was sent or stored (dry run)',
} as const;
const WORDS = {
  ...CREATION_WORDS,
  unknown: UNKNOWN_OUTCOME,
} as const satisfies Record<CreateOutcome['kind'], string>;

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
  if (outcome.kind === 'checked') return io.line(WORDS.checked);
  io.line(paymentLine(outcome.payment));
  const reason = creationReason(outcome, (instant) => calendar.formatLocal(instant));
  io.line(WORDS[outcome.kind] + (reason === undefined ? '' : `: ${shownText(reason)}`));
  const { link, requestState, kind } = outcome.payment;
  if (link !== undefined) return io.line(shownText(link));
  // Terminals and wallets have no link. A session that a webhook identified has a link, but its answer was lost.
  const isLost = outcome.kind === 'existing' && requestState === 'made' && kind !== 'pos' && kind !== 'wallet';
  if (isLost) io.line('link unknown: the answer that held it was lost');
}
