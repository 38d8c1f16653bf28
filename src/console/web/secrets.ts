import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a secret of 256 random bits. */
export function freshSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares two texts in a time that tells nothing about them. */
export function constantTimeEqual(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
