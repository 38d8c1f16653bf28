import { rejected, type WebhookRejection } from './webhook-rejection';

/** The two values of a payment webhook of version 1, still percent-encoded. */
export interface PaymentQuery {
  readonly kind: 'query';
  readonly paymentId: string;
  readonly success: string;
}

/** Node's own limit for a whole request head. */
const TARGET_LENGTH_MAX = 16_384;

// The characters that RFC 9112 allows in a request target. Node also passes on non-ASCII bytes and a fragment, which no
// client sends.
const TARGET = /^[\u0021\u0022\u0024-\u007e]+$/;

/**
 * Reads the raw values from a request target (interface section 6.2, open point 104). Ignores other parameters. A
 * percent-encoded name counts as the name it encodes: a later reader of the query would decode it and could see a
 * second value.
 */
export function readPaymentQuery(target: string): PaymentQuery | WebhookRejection {
  if (target.length > TARGET_LENGTH_MAX || !TARGET.test(target)) return rejected('bad_target');
  const parameters = queryOf(target).split('&').map(splitParameter);
  const valuesOf = (wanted: string): readonly string[] =>
    parameters.filter(({ name }) => name === wanted).map(({ value }) => value);

  const [paymentId, ...otherIds] = valuesOf('payment_id');
  const [success, ...otherSuccesses] = valuesOf('success');
  if (otherIds.length > 0 || otherSuccesses.length > 0) return rejected('repeated_parameter');
  if (paymentId === undefined || success === undefined) return rejected('missing_parameter');
  if (paymentId === '' || success === '') return rejected('missing_parameter');
  return { kind: 'query', paymentId, success };
}

/** Decodes percent-encoding only: a `+` stays a `+`. Returns undefined when the text is not valid percent-encoding. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a lone percent sign, or bytes that are not UTF-8
  }
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}

function splitParameter(parameter: string): { readonly name: string; readonly value: string } {
  const at = parameter.indexOf('=');
  const rawName = at === -1 ? parameter : parameter.slice(0, at);
  return { name: asciiDecode(rawName), value: at === -1 ? '' : parameter.slice(at + 1) };
}

/**
 * Decodes the ASCII names of the parameters. Unlike percentDecode it throws no exceptions, which unsigned queries could
 * make costly.
 */
function asciiDecode(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
