import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

// A ULID has 128 bits in 26 characters of five bits, so it starts with 0 to 7.
const KEY_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const KEY_TEXT = /^mlm_([0-9A-Z]{26})_([A-Za-z0-9_-]{43})$/;

/** The two parts of a key: its id, and the secret that authenticates its holder. */
export interface KeyText {
  readonly keyId: string;
  readonly secret: Buffer;
}

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

export function freshSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/**
 * Formats the text of a key for its owner: `mlm_<id>_<secret>`. Secret scanners recognize leaked keys by the prefix.
 */
export function formatKeyText({ keyId, secret }: KeyText): string {
  return `mlm_${keyId}_${secret.toString('base64url')}`;
}

/** Reads the text of a key in its only form; undefined for any other text. */
export function parseKeyText(text: string): KeyText | undefined {
  const [, keyId, encoded] = KEY_TEXT.exec(text) ?? [];
  if (keyId === undefined || encoded === undefined || !isKeyId(keyId)) return undefined;
  const secret = Buffer.from(encoded, 'base64url');
  // The last character has unused bits, so several texts could encode the same secret.
  return secret.toString('base64url') === encoded ? { keyId, secret } : undefined;
}

/** Returns the stored digest of a secret. The secret is random and long, so one fast digest is enough. */
export function secretDigest(secret: Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest();
}
