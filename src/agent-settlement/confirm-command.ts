import { fingerprintOf, type Instant, isJsonObject, isOutsideId, type Millimes, millimes, ownValue } from '../kernel';

/** The caller: the subject and the id of the request's token. */
export interface Caller {
  readonly subject: string;
  readonly jti: string;
}

/** One decoded call of Confirm Payment (interface section 4.6). A field that cannot be used is undefined. */
export interface ConfirmCommand {
  /** Created once per request and the same in every try, so that Millime recognizes the row after a lost COMMIT. */
  readonly attemptId: string;
  readonly transactionId: string | undefined;
  readonly agentId: string | undefined;
  readonly amount: Millimes | undefined;
  /** The digest of the decoded triple; equal for two calls with the same content. */
  readonly fingerprint: string;
  /** The triple as short text, for people. */
  readonly said: Readonly<Record<'transactionId' | 'agentId' | 'amount', string>>;
  readonly rawBody: string;
  readonly receivedAt: Instant;
  readonly caller: Caller;
  /** Whether Millime answered 503 to this transactionId before: the money may have moved earlier than now. */
  readonly followedUnavailable: boolean;
}

const SAID_CHARACTERS_MAX = 300;
/** No JSON text is equal to it. */
const MISSING = 'missing';

/**
 * Decodes the body of a confirm. Reads only the named own fields. Returns undefined if the body is not a JSON object:
 * then the request is malformed and gets no business answer.
 */
export function decodeConfirm(
  body: unknown,
  context: Pick<ConfirmCommand, 'attemptId' | 'rawBody' | 'receivedAt' | 'caller'>,
): Omit<ConfirmCommand, 'followedUnavailable'> | undefined {
  if (!isJsonObject(body)) return undefined;
  const transactionId = ownValue(body, 'transactionId');
  const agentId = ownValue(body, 'agentId');
  const amount = ownValue(body, 'amount');
  const texts = [valueText(transactionId), valueText(agentId), valueText(amount)] as const;
  return {
    transactionId: usableTransactionId(body),
    agentId: isOutsideId(agentId) ? agentId : undefined,
    amount: isPayableAmount(amount) ? millimes(amount) : undefined,
    fingerprint: fingerprintOf(...texts),
    said: { transactionId: shortened(texts[0]), agentId: shortened(texts[1]), amount: shortened(texts[2]) },
    ...context, // last, because an object that begins with others takes many times as long to create
  };
}

/** Returns the id that the body of a confirm names; undefined when it is missing or unusable. */
export function usableTransactionId(body: unknown): string | undefined {
  const transactionId = isJsonObject(body) ? ownValue(body, 'transactionId') : undefined;
  return isOutsideId(transactionId) ? transactionId : undefined;
}

/** Returns why a confirm has no usable transaction id, for the log; undefined if it has one. */
export function transactionIdFault({
  transactionId,
  said,
}: Pick<ConfirmCommand, 'transactionId' | 'said'>): string | undefined {
  if (transactionId !== undefined) return undefined;
  return said.transactionId === MISSING ? 'missing transactionId' : 'unusable transactionId';
}

/**
 * Returns whether a value is an integer above 0 that a number holds exactly. `1e3` and `1.0` are integers in JSON; the
 * text "1000" is not.
 */
function isPayableAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** Returns a distinct text for each value. JSON alone would write a missing field, `1e400` and `null` alike. */
function valueText(value: unknown): string {
  if (value === undefined) return MISSING;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length <= SAID_CHARACTERS_MAX ? text : `${text.slice(0, SAID_CHARACTERS_MAX)}…`;
}
