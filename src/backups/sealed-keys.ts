import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseStrictJson } from '../kernel';

const FORMAT = 'millime-sealed-keys';
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const SALT_BYTES = 16;
/** About 128 MiB and a third of a second: a passphrase of people must cost something to guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY_MAX = 256 * 1024 * 1024;

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));

// The limits bound the memory and the time that a foreign file can ask for.
const sealedSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.literal(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: bytes,
  }),
  cipher: z.strictObject({ name: z.literal(CIPHER), iv: bytes, tag: bytes }),
  sealed: bytes,
});

const deriveKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/**
 * Encrypts the text of the key file with a passphrase (scrypt and AES-256-GCM). `beside` is the digest of the database
 * in the same backup: the keys open only beside it.
 */
export async function sealKeys(text: string, passphrase: string, beside: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, await deriveKey(passphrase, salt, KEY_BYTES, costs()), iv);
  cipher.setAAD(associated(beside));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const base64 = (each: Uint8Array): string => Buffer.from(each).toString('base64');
  const content = {
    format: FORMAT,
    version: VERSION,
    kdf: { name: 'scrypt', ...COST, salt: base64(salt) },
    cipher: { name: CIPHER, iv: base64(iv), tag: base64(cipher.getAuthTag()) },
    sealed: base64(sealed),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Returns the text of the key file; undefined if the passphrase is wrong or the sealed text was changed. */
export async function openSealedKeys(text: string, passphrase: string, beside: string): Promise<string | undefined> {
  const json = parseStrictJson(text, { depthMax: 3 });
  const content = sealedSchema.safeParse(json.ok ? json.value : undefined);
  if (!content.success) return undefined;
  const { kdf, cipher, sealed } = content.data;
  if (cipher.iv.length !== IV_BYTES || cipher.tag.length !== 16) return undefined;
  const key = await deriveKey(passphrase, kdf.salt, KEY_BYTES, costs());
  const decipher = createDecipheriv(CIPHER, key, cipher.iv);
  decipher.setAAD(associated(beside));
  decipher.setAuthTag(cipher.tag);
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function costs(): object {
  return { ...COST, maxmem: MEMORY_MAX };
}

function associated(beside: string): Buffer {
  return Buffer.from(`${FORMAT}/${VERSION} ${beside}`, 'utf8');
}
