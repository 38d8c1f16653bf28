import { isJsonObject, ownValue, parseMillimes, parseStrictJson } from '../../kernel';

/** The answer to Check Agent (interface section 4.6); `amount` is a number of millimes as text. */
export type CheckBody =
  | { readonly code: '0'; readonly desc: string; readonly amount: string }
  | { readonly code: '1'; readonly desc: ''; readonly amount: string };

export type ConfirmCode = '0' | '1' | '2' | '3';

/** The answer to Confirm Payment (interface section 4.6). */
export interface ConfirmBody {
  readonly code: ConfirmCode;
}

/** The body of an answer in the form of section 4.6, or the reason why it does not have this form. */
export type ReadBody<Body> =
  { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly reason: string };

const DEPTH_MAX = 4;

// A byte order mark is not JSON, so the decoder must report it and not drop it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the answer to Check Agent strictly. The reason names the field and its expected form, never a person's name.
 */
export function readCheckBody(bytes: Uint8Array): ReadBody<CheckBody> {
  const read = readFields(bytes, ['code', 'desc', 'amount']);
  if (!read.ok) return read;
  const { code = '', desc = '', amount = '' } = read.body;
  if (code === '1') {
    // The interface does not state the amount of an invalid agent (open point 84).
    return desc === '' ? { ok: true, body: { code, desc, amount } } : wrong('desc of an invalid agent is not empty');
  }
  if (code !== '0') return wrong(`code is ${JSON.stringify(code)}, not "0" or "1"`);
  if (desc.trim() === '') return wrong('desc of a valid agent is empty');
  const due = parseMillimes(amount);
  if (due === undefined || due < 0) {
    return wrong(`amount is ${JSON.stringify(amount)}, not a whole number of millimes from 0 up`);
  }
  return { ok: true, body: { code, desc, amount } };
}

/** Reads the answer to Confirm Payment strictly. */
export function readConfirmBody(bytes: Uint8Array): ReadBody<ConfirmBody> {
  const read = readFields(bytes, ['code']);
  if (!read.ok) return read;
  const { code = '' } = read.body;
  if (!isConfirmCode(code)) return wrong(`code is ${JSON.stringify(code)}, not "0", "1", "2" or "3"`);
  return { ok: true, body: { code } };
}

/** Finds the code in the bytes of a deliberately truncated answer, if they contain it. */
export function codeInBytes(bytes: Uint8Array): string | undefined {
  return /"code"\s*:\s*"([0-3])"/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
}

function isConfirmCode(code: string): code is ConfirmCode {
  return code === '0' || code === '1' || code === '2' || code === '3';
}

/** Reads an object with exactly these fields, all of them strings. */
function readFields(bytes: Uint8Array, names: readonly string[]): ReadBody<Readonly<Record<string, string>>> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return wrong('the body is not UTF-8');
  }
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok) return wrong(json.fault === 'duplicate_key' ? 'the body names a field twice' : 'the body is not JSON');
  if (!isJsonObject(json.value)) return wrong('the body is not a JSON object');
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = ownValue(json.value, name);
    if (typeof value !== 'string') return wrong(`${name} is ${typeOf(value)}, not a string`);
    fields[name] = value;
  }
  const other = Object.keys(json.value).find((name) => !names.includes(name));
  if (other !== undefined) return wrong(`${JSON.stringify(other)} is no field of this answer`);
  return { ok: true, body: fields };
}

function wrong(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
