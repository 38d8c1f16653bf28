import { paymentQueryContent } from '../gateway';
import type { PastedRequest } from './pasted-request';

/** Content that may have been signed in place of the received content, and what changed it in transit. */
export interface AlternativeContent {
  readonly cause: string;
  readonly content: string | Uint8Array;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Returns all other contents that may explain a signature, the likeliest first. Pure; it returns a handful of texts.
 */
export function alternativeContents(request: PastedRequest): readonly AlternativeContent[] {
  return request.method === 'GET' ? otherQueries(request.target) : otherBodies(request.rawBody ?? new Uint8Array());
}

/** Returns the content that the interface signs for this request; undefined for a query that lacks a value. Pure. */
export function ownContent({ method, target, rawBody }: PastedRequest): string | Uint8Array | undefined {
  if (method !== 'GET') return rawBody ?? new Uint8Array();
  const query = target.slice(target.indexOf('?') + 1);
  const paymentId = rawValue(query, 'payment_id');
  const success = rawValue(query, 'success');
  return paymentId === undefined || success === undefined ? undefined : paymentQueryContent({ paymentId, success });
}

function otherBodies(bytes: Uint8Array): readonly AlternativeContent[] {
  const body = Buffer.from(bytes);
  const text = body.toString('utf8');
  const ended = text.replace(/(?<![\r\n])[\r\n]+$/, '');
  const lines = [ended, `${ended}\n`, `${ended}\r\n`, text.replace(/\r\n/g, '\n'), text.replace(/\r?\n/g, '\r\n')];
  const marks = [text.replace(BYTE_ORDER_MARK, ''), `${BYTE_ORDER_MARK}${text}`];
  return [
    ...lines.map((content) => ({ cause: 'changed_newlines', content })),
    ...otherJson(text).map((content) => ({ cause: 'parsed_body', content })),
    ...marks.map((content) => ({ cause: 'changed_encoding', content })),
    { cause: 'changed_encoding', content: Buffer.from(text, 'latin1') },
    { cause: 'changed_encoding', content: Buffer.from(body.toString('latin1'), 'utf8') },
    { cause: 'body_not_signed', content: '' },
  ];
}

/**
 * Returns the same value in other programs' notation. The original order of keys and the form of numbers such as `1.0`
 * are lost.
 */
function otherJson(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const compact = JSON.stringify(value);
  const forms = [compact, spaced(compact), JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)];
  const escaped = forms.flatMap((form) => [form, form.replace(/\//g, '\\/')]);
  const all = escaped.flatMap((form) => [form, asciiOnly(form)]);
  return all.flatMap((form) => [form, `${form}\n`]);
}

/** Adds a space after each comma and colon outside of strings. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part === ',' || part === ':' ? `${part} ` : part));
}

function asciiOnly(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function otherQueries(target: string): readonly AlternativeContent[] {
  const query = target.slice(target.indexOf('?') + 1);
  const paymentId = rawValue(query, 'payment_id');
  const success = rawValue(query, 'success');
  if (paymentId === undefined || success === undefined) return [];
  const written = success.toLowerCase() === 'true' ? ['True', 'true', 'TRUE'] : ['False', 'false', 'FALSE'];
  const opposite = success.toLowerCase() === 'true' ? ['False', 'false'] : ['True', 'true'];
  const ids = otherIds(paymentId);
  const contents = (cause: string, names: readonly string[], values: readonly string[]): AlternativeContent[] =>
    names.flatMap((name) => values.map((value) => ({ cause, content: `payment_id=${name}&success=${value}` })));
  return [
    ...contents('lower_case_success', [paymentId], written),
    ...contents('percent_encoding', ids, [success, ...written]),
    { cause: 'parameter_order', content: `success=${success}&payment_id=${paymentId}` },
    { cause: 'whole_query', content: query },
    ...contents('changed_success', [paymentId, ...ids], opposite),
  ];
}

function otherIds(raw: string): readonly string[] {
  const ids = [raw.replace(/\+/g, '%20'), raw.replace(/\+/g, '%2B'), raw.replace(/%20/g, '+')];
  const hexes = [(hex: string) => hex.toLowerCase(), (hex: string) => hex.toUpperCase()];
  ids.push(...hexes.map((inCase) => raw.replace(/%[0-9a-f]{2}/gi, inCase)));
  try {
    const decoded = decodeURIComponent(raw);
    const encoded = encodeURIComponent(decoded);
    ids.push(decoded, encoded, encoded.replace(/%20/g, '+'), encoded.replace(/%2B/g, '+'));
  } catch {
    // The value is not valid percent-encoding, so it has no other form.
  }
  return ids;
}

function rawValue(query: string, name: string): string | undefined {
  const parameter = query.split('&').find((part) => part.startsWith(`${name}=`));
  return parameter?.slice(name.length + 1);
}
