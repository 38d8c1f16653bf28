import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../kernel';

/** Crockford's alphabet, without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 28;
const GROUP = /.{4}/g;

/** Returns a code of 140 random bits, in groups that a person can type. */
export function freshCode(): string {
  const code = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return (code.match(GROUP) ?? []).join('-');
}

/** Returns the stored digest of a code, as typed in either case, with or without dashes and spaces. */
export function codeDigest(typed: string): string {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return sha256Hex(plain);
}

/** Compares two digests in constant time. */
export function isSameDigest(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
