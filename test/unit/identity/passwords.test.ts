import { scryptSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { codeDigest, freshCode } from '../../../src/identity/users/one-time-code';
import { createPasswordHasher, PASSWORD_COST } from '../../../src/identity/users/password-hash';
import { checkNewPassword } from '../../../src/identity/users/password-rule';

const CHEAP = 4;
const PASSWORD = 'vélo-citron-fenêtre';

describe('the hash of a password', () => {
  test('is a PHC string of scrypt with a salt of its own, which Node computes alike', async () => {
    const hasher = createPasswordHasher(CHEAP);
    const [one, two] = [await hasher.hash(PASSWORD), await hasher.hash(PASSWORD)];
    expect(one).not.toBe(two);
    const [, salt = '', hash] = /^\$scrypt\$ln=4,r=8,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/.exec(one) ?? [];
    const expected = scryptSync(PASSWORD.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, { N: 16, r: 8, p: 1 });
    expect(hash).toBe(expected.toString('base64').replace('=', ''));
  });

  test('costs 128 MiB by default, and is verified with the cost that it states', async () => {
    expect(PASSWORD_COST).toBe(17);
    const stored = await createPasswordHasher().hash(PASSWORD);
    expect(stored).toContain('$scrypt$ln=17,r=8,p=1$');
    expect(await createPasswordHasher(CHEAP).verify(PASSWORD, stored)).toBe(true);
  });

  test('verifies the password alone, in each composition of its characters', async () => {
    const hasher = createPasswordHasher(CHEAP);
    const stored = await hasher.hash(PASSWORD.normalize('NFC'));
    expect(await hasher.verify(PASSWORD.normalize('NFD'), stored)).toBe(true);
    for (const other of ['', `${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(1)]) {
      expect(await hasher.verify(other, stored)).toBe(false);
    }
  });

  test('verifies nothing without a stored password, nor a password of a megabyte', async () => {
    const hasher = createPasswordHasher(CHEAP);
    for (const password of ['', PASSWORD]) expect(await hasher.verify(password, undefined)).toBe(false);
    expect(await hasher.verify('x'.repeat(1_000_000), await hasher.hash(''))).toBe(false);
  });

  test('takes as long for a user who does not exist', async () => {
    const hasher = createPasswordHasher(14);
    const stored = await hasher.hash(PASSWORD);
    const timed = async (hash: string | undefined): Promise<number> => {
      const began = performance.now();
      await hasher.verify('another password', hash);
      return performance.now() - began;
    };
    // The fastest of several runs: other work on the machine only adds time.
    const fastest = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 5; round += 1) {
      fastest.known = Math.min(fastest.known, await timed(stored));
      fastest.unknown = Math.min(fastest.unknown, await timed(undefined));
    }
    expect(fastest.unknown / fastest.known).toBeGreaterThan(0.5);
    expect(fastest.unknown / fastest.known).toBeLessThan(2);
  });

  test('is computed for two concurrently while sixteen wait, and refused to others', async () => {
    const hasher = createPasswordHasher(CHEAP);
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash(PASSWORD)));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(12);
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: 'unavailable', problem: { code: 'passwords_busy' } });
    }
    await expect(hasher.hash(PASSWORD)).resolves.toContain('$scrypt$');
  });
});

describe('a new password', () => {
  const check = (password: string): void => checkNewPassword(password, ['salma', 'Salma Ben Ali']);

  test.each([
    PASSWORD,
    'le chat dort sur la table',
    'كلمة سر طويلة جدا هنا',
    'Tr0ub4dor&3xyz',
    'salma aime le thé vert',
    '🐢🦊🐝🦉🐙🦀🐌🐞🦋🐬🐳🦑',
    'é'.normalize('NFD') + 'abkdwpsmqzt',
  ])('may be %j', (password) => expect(() => check(password)).not.toThrow());

  test.each([
    ['eleven charac', 'must have 12 to 128 characters', 'abkdwpsmqzt'],
    ['129 characters', 'must have 12 to 128 characters', 'abkdwpsmqz'.repeat(13).slice(0, 129)],
    ['half of a character', 'must have 12 to 128 characters', 'abkdwpsmqztr\ud800'],
    ['a repeated text', 'repeats a short text', 'abcabcabcabc'],
    ['a sequence', 'is a sequence', 'abcdefghijklm'],
    ['known words', 'consists of known words', 'Motdepasse-Gateway'],
    ['a common one', 'is a common one', 'JetAime-12345'],
    ['a common one with accents', 'is a common one', 'Ésperance-1919'],
    ['the names', 'consists of the name of the user', 'SalmaBenAli2'],
    ['the sign-in name', 'consists of the name of the user', 'salma.salma.1'],
  ])('cannot be %s', (_what, fault, password) => {
    expect(() => check(password)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringMatching(`^password: ${fault}`) as unknown }),
    );
  });

  test('is never repeated by an error', () => {
    expect(() => check('Motdepasse-2026')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('Motdepasse') as unknown }),
    );
  });
});

describe('a one-time code', () => {
  test('has 28 characters of 32, in groups, and is new each time', () => {
    const codes = Array.from({ length: 100 }, freshCode);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(100);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
  });

  test('is the same in lower case, without dashes, and with letters that look like its digits', () => {
    const digest = codeDigest('01AB-CD1E');
    for (const typed of ['01abcd1e', ' 01AB CD1E ', 'oiab-cdle', 'OLAB-CDIE']) expect(codeDigest(typed)).toBe(digest);
    expect(codeDigest('01AB-CD1F')).not.toBe(digest);
  });
});
