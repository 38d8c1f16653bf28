import { rejected, type WebhookRejection } from './webhook-rejection';

/** A well-formed signature header. Nothing in it is proven yet. */
export interface ParsedSignature {
  readonly kind: 'parsed';
  /** The digits of `t` as they were written and signed. */
  readonly timestampText: string;
  /** The digests of all `v1`, each of 32 bytes. */
  readonly digests: readonly Buffer[];
}

/** Enough for every key during a rotation; more would only cost work. */
const SIGNATURES_MAX = 10;

const PART = /^([A-Za-z0-9_]+)=(.*)$/;
const SHA256_HEX = /^[0-9a-fA-F]{64}$/;

// Seconds from 1973 to the year 5138; milliseconds have 13 digits. Only digits are accepted: in `123junk` a lenient
// parser and a strict one would read different times.
const TIMESTAMP = /^\d{9,11}$/;

/**
 * Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>…]` of interface section 6.1. Tolerates spaces after a comma and ignores
 * parts with an unknown name (open points 101 and 103).
 */
export function parseSignature(header: string): ParsedSignature | WebhookRejection {
  const timestamps: string[] = [];
  const digests: Buffer[] = [];
  for (const [index, part] of header.split(',').entries()) {
    const [, name, value] = PART.exec(index === 0 ? part : part.replace(/^ +/, '')) ?? [];
    if (name === undefined || value === undefined) return rejected('malformed_signature');
    if (name === 't') timestamps.push(value);
    if (name !== 'v1') continue;
    if (!SHA256_HEX.test(value)) return rejected('malformed_signature');
    if (digests.length === SIGNATURES_MAX) return rejected('too_many_signatures');
    digests.push(Buffer.from(value, 'hex'));
  }
  const [timestampText, ...others] = timestamps;
  if (others.length > 0) return rejected('duplicate_timestamp');
  if (timestampText === undefined || !TIMESTAMP.test(timestampText)) return rejected('bad_timestamp');
  if (digests.length === 0) return rejected('no_v1');
  return { kind: 'parsed', timestampText, digests };
}
