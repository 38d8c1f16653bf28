import { describe, expect, test } from '@jest/globals';
import { openSealedKeys, sealKeys } from '../../../src/backups/sealed-keys';

const TEXT = '{"keys":[{"kid":"1","k":"geheim"}]}\n';
const DIGEST = 'a'.repeat(64);

describe('sealed keys', () => {
  test('open with their passphrase beside their database only', async () => {
    const sealed = await sealKeys(TEXT, 'passphrase one', DIGEST);
    expect(sealed).not.toContain('geheim');
    expect(await openSealedKeys(sealed, 'passphrase one', DIGEST)).toBe(TEXT);
    expect(await openSealedKeys(sealed, 'passphrase two', DIGEST)).toBeUndefined();
    expect(await openSealedKeys(sealed, 'passphrase one', 'b'.repeat(64))).toBeUndefined();
  });

  test('differ each time and refuse a changed text', async () => {
    const [one, two] = await Promise.all([sealKeys(TEXT, 'p', DIGEST), sealKeys(TEXT, 'p', DIGEST)]);
    expect(one).not.toBe(two);
    const content = JSON.parse(one) as { sealed: string; kdf: { N: number } };
    const bytes = Buffer.from(content.sealed, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    const changed = (change: object): string => JSON.stringify({ ...content, ...change });
    expect(await openSealedKeys(changed({ sealed: bytes.toString('base64') }), 'p', DIGEST)).toBeUndefined();
    // A foreign file cannot ask for more memory than Millime uses itself.
    expect(await openSealedKeys(changed({ kdf: { ...content.kdf, N: 2 ** 30 } }), 'p', DIGEST)).toBeUndefined();
    expect(await openSealedKeys('{}', 'p', DIGEST)).toBeUndefined();
  });
});
