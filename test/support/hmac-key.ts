import { createHash } from 'node:crypto';

/** The same 32 bytes for the same name, which no check of weak keys takes for typed ones. */
export function hmacKey(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
