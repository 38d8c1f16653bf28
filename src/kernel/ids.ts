import { hash, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

const RANDOM_BYTES = 4096;
const BYTE_VALUES = 256;

/** Creates Millime's ids: ULIDs, 26 characters that sort by their time of creation. */
export type NewId = () => string;

// Marked as pure, so that a bundler can remove the package from a bundle that creates no ids.
export const newId: NewId = /* @__PURE__ */ monotonicFactory(/* @__PURE__ */ randomFractions());

/** Returns random bytes as fractions of 1, drawn many at a time: one system call per byte would dominate the cost of an id. */
function randomFractions(): () => number {
  const bytes = new Uint8Array(RANDOM_BYTES);
  let next = bytes.length;
  return () => {
    if (next === bytes.length) {
      randomFillSync(bytes);
      next = 0;
    }
    const byte = bytes[next] ?? 0;
    next += 1;
    return byte / BYTE_VALUES;
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text has the form of a uuid, of any version and in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** Returns one digest of several values. Moving text from one value to its neighbor changes the digest. */
export function fingerprintOf(...parts: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(parts));
}
