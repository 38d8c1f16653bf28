import type { IncomingWebhook } from './webhooks';

const CR = 0x0d;
const LF = 0x0a;

const REQUEST_LINE = /^([A-Za-z]+)\s+(\S+)(?:\s+HTTP\/[\d.]+)?\s*$/;
const ADDRESS_LINE = /^((?:https?:\/)?\/\S*)\s*$/i;
const HEADER_LINE = /^([^\s:]+):(.*)$/s;

/** A request as a person copied it from a log or a tool. */
export interface PastedRequest extends IncomingWebhook {
  /** The value of its Content-Length; undefined when it is missing or unreadable. */
  readonly bodyBytes: number | undefined;
}

/**
 * Reads a request line or only an address, headers, an empty line and the body, with either kind of line end. The body
 * is read as bytes; bytes beyond its Content-Length come from pasting and not from the sender. Undefined if the first
 * line is neither. Pure.
 */
export function parsePastedRequest(pasted: Uint8Array): PastedRequest | undefined {
  const bytes = withoutLeadingLines(Buffer.from(pasted));
  const { head, rest } = splitAtEmptyLine(bytes);
  const [first = '', ...lines] = head.toString('latin1').split(/\r?\n/);
  const [, method, target] = REQUEST_LINE.exec(first) ?? [];
  const address = target ?? ADDRESS_LINE.exec(first)?.[1];
  if (address === undefined) return undefined;

  const headers = headersOf(lines);
  const bodyBytes = lengthOf(headers);
  const rawBody = bodyBytes === undefined ? rest : rest.subarray(0, bodyBytes);
  return {
    family: /\/subscription\/?(\?|$)/.test(address) ? 'subscription' : 'payment',
    method: method?.toUpperCase() ?? (rest.length > 0 ? 'POST' : 'GET'),
    target: address,
    headers,
    rawBody,
    bodyBytes,
  };
}

function withoutLeadingLines(bytes: Buffer): Buffer {
  let from = 0;
  while (bytes[from] === CR || bytes[from] === LF) from += 1;
  return bytes.subarray(from);
}

function splitAtEmptyLine(bytes: Buffer): { readonly head: Buffer; readonly rest: Buffer } {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return { head: bytes.subarray(0, at), rest: bytes.subarray(next + 1) };
  }
  return { head: bytes, rest: Buffer.alloc(0) };
}

function headersOf(lines: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.trim()]);
  }
  return Object.fromEntries(headers);
}

function lengthOf(headers: Readonly<Record<string, readonly string[]>>): number | undefined {
  const [text, ...others] = headers['content-length'] ?? [];
  return text !== undefined && others.length === 0 && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
