import { createHmac } from 'node:crypto';

/** A key that is used by mistake, and its description, which reveals no part of it. */
export interface MistakenKey {
  readonly name: string;
  readonly key: string;
}

/** Characters that copying a key from a file or a form adds, the likeliest first. */
const ADDED: readonly { readonly name: string; readonly to: (key: string) => string }[] = [
  { name: 'and a line break at its end', to: (key) => `${key}\n` },
  { name: 'and a line break (CR LF) at its end', to: (key) => `${key}\r\n` },
  { name: 'and a space at its end', to: (key) => `${key} ` },
  { name: 'and a space before it', to: (key) => ` ${key}` },
  { name: 'in quotation marks', to: (key) => `"${key}"` },
];

/** Returns the keys that senders commonly use in place of the private one. Pure; it returns a handful of texts. */
export function mistakenKeys(privateKeys: readonly string[], publicKey: string | undefined): readonly MistakenKey[] {
  const ours = privateKeys.map((key) => key.trim());
  const theirs = publicKey === undefined || publicKey.trim() === '' ? [] : [publicKey.trim()];
  return [
    ...ours.flatMap((key) => added('the private key', key)),
    ...theirs.flatMap((key) => [{ name: 'the public key', key }, ...added('the public key', key)]),
    ...theirs.flatMap((key) =>
      ours.map((own) => ({ name: 'both keys with a colon between them', key: `${key}:${own}` })),
    ),
  ];
}

function added(name: string, key: string): readonly MistakenKey[] {
  return ADDED.map((addition) => ({ name: `${name} ${addition.name}`, key: addition.to(key) }));
}

/** Returns the HMAC-SHA256 of interface section 6.1, in hexadecimal, with the key exactly as given. Pure. */
export function digestByExactly(key: string, timestampSecs: number, content: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${timestampSecs}.`).update(content).digest('hex');
}
