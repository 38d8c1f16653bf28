import { EXIT, type CliIo, type ExitCode } from './command';
import type { CreateOutcome } from '../payments';
import { paymentJson, paymentLine } from './payment-output';
import { shownText } from './shown-text';

const WORDS = {
  created: 'made',
  existing: 'is there already; nothing new was made',
  refused: 'not made',
  unknown: 'nobody knows whether the gateway has it: do not ask for it again, it will be looked for',
} as const satisfies Record<Exclude<CreateOutcome['kind'], 'checked'>, string>;

/** Prints the outcome of a creation at the gateway. Returns `fault` for a payment that does not exist or may not. */
export function printCreated(outcome: CreateOutcome, io: CliIo, options: { readonly json: boolean }): ExitCode {
  if (options.json) io.json(createdJson(outcome));
  else printOutcome(outcome, io);
  return outcome.kind === 'refused' || outcome.kind === 'unknown' ? EXIT.fault : EXIT.done;
}

function createdJson(outcome: CreateOutcome): unknown {
  return {
    kind: outcome.kind,
    dryRun: outcome.kind === 'checked',
    payment: outcome.kind === 'checked' ? null : paymentJson(outcome.payment),
    reason: 'reason' in outcome ? outcome.reason : null,
  };
}

function printOutcome(outcome: CreateOutcome, io: CliIo): void {
  if (outcome.kind === 'checked') return io.line('it can be asked for; nothing was sent or stored (dry run)');
  io.line(paymentLine(outcome.payment));
  io.line(WORDS[outcome.kind] + ('reason' in outcome ? `: ${shownText(outcome.reason)}` : ''));
  const { link, requestState, kind } = outcome.payment;
  if (link !== undefined) return io.line(shownText(link));
  // A terminal and a wallet have none; a session that a webhook told of has one, which nobody was given.
  const isLost = outcome.kind === 'existing' && requestState === 'made' && kind !== 'pos' && kind !== 'wallet';
  if (isLost) io.line('its link is not known: the answer that had it was lost');
}
