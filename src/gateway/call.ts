import { businessCalendar, monotonicClock } from '../kernel';
import type { ClientSettings } from './client-options';
import { copyInput } from './codec/copy-input';
import { FieldFaults } from './codec/field-faults';
import { credentialFor } from './credentials';
import { GatewayError } from './gateway-error';
import { judgeAnswer, type Judged } from './judge-answer';
import type { Operation } from './operation';
import { createSend } from './transport/send';
import type { WireAnswer, WireRequest } from './transport/wire';

const TRIES_MAX = 3;
const BACKOFF_FIRST_MS = 200;

/** Waits this number of milliseconds before a call is sent again. */
export type Pause = (ms: number) => Promise<unknown>;

export interface CallOptions {
  /** The remaining time of the call that this one is a part of, in milliseconds. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * Called and awaited before each request, with the remaining milliseconds; throws when the budget is spent. If it
   * throws before a retry, only the retry is dropped, and the call fails with the error of the try before.
   */
  readonly beforeEachRequest?: (timeoutMs: number) => Promise<void>;
}

export interface Caller {
  /**
   * Copies and checks the input, sends it within the deadline as often as the operation's class allows, and judges the
   * answer.
   */
  run<Input, Result>(operation: Operation<Input, Result>, input: Input, options?: CallOptions): Promise<Result>;
  /** Throws the errors that `run` would throw before it sends anything. */
  check<Input, Result>(operation: Operation<Input, Result>, input: Input): void;
  /** Removes the operation's credential from a text of the gateway, so that an error may contain the text. */
  hide<Input, Result>(operation: Operation<Input, Result>, input: Input, text: string): string;
}

/** Creates the sender of all operations. Only this function sees the credentials and decides whether to send again. */
export function createCaller(settings: ClientSettings, pause: Pause): Caller {
  const send = createSend(settings.baseUrl, settings.clock);
  const calendar = businessCalendar(settings.timeZone);

  const run: Caller['run'] = async (operation, given, options = {}) => {
    const input = copyInput(operation.name, given);
    const request = requestOf(operation, input);
    const { authorization, hide } = credentialFor(settings, operation, input);
    const startedAt = monotonicClock.now();
    const { timeoutMs = settings.timeoutMs } = options;
    const left = (): number => timeoutMs - (monotonicClock.now() - startedAt);

    let failure: GatewayError | undefined;
    let isTryLost = false;
    for (let tries = 1; ; tries += 1) {
      try {
        await options.beforeEachRequest?.(left());
      } catch (error) {
        throw failure ?? error;
      }
      const answer = await send(request, authorization, left());
      const judged = judgeAnswer(operation, input, answer, { calendar, hide });
      log(settings, operation.name, answer, judged, { tries, durationMs: monotonicClock.now() - startedAt });
      if (judged.ok) return judged.result;
      const pauseMs = BACKOFF_FIRST_MS * 2 ** (tries - 1) * (0.5 + Math.random());
      const error = isTryLost ? Object.assign(judged.error, { afterLostTry: true } as const) : judged.error;
      if (tries >= TRIES_MAX || pauseMs >= left() || !maySendAgain(operation, answer, judged.isPassing)) throw error;
      failure = error;
      isTryLost ||= answer.kind === 'answered' || answer.fault !== 'not_sent';
      await pause(pauseMs);
    }
  };

  const check: Caller['check'] = (operation, given) => {
    const input = copyInput(operation.name, given);
    requestOf(operation, input);
    credentialFor(settings, operation, input);
  };

  const hide: Caller['hide'] = (operation, input, text) => credentialFor(settings, operation, input).hide(text);

  return { run, check, hide };
}

function maySendAgain(
  { safety, retries = true }: Operation<never, unknown>,
  answer: WireAnswer,
  isPassing: boolean,
): boolean {
  if (!retries || safety === 'D') return false;
  if (safety === 'C') return answer.kind === 'failed' && answer.fault === 'not_sent';
  return isPassing;
}

function requestOf<Input>({ name, request }: Operation<Input, unknown>, input: Input): WireRequest {
  try {
    return request(input);
  } catch (error) {
    if (!(error instanceof FieldFaults)) throw error;
    throw new GatewayError('validation', error.message, { operation: name, fields: error.fields });
  }
}

function log<Result>(
  { logger }: ClientSettings,
  operation: string,
  answer: WireAnswer,
  judged: Judged<Result>,
  { tries, durationMs }: { readonly tries: number; readonly durationMs: number },
): void {
  const reason = answer.kind === 'failed' && answer.reason !== undefined ? { reason: answer.reason } : {};
  const fields = { operation, status: answer.status, ...reason, tries, durationMs: Math.round(durationMs) };
  if (judged.ok) logger.debug('gateway call', { event: 'gateway.answered', ...fields });
  else logger.warn('gateway call failed', { event: 'gateway.failed', ...fields, code: judged.error.code });
}
