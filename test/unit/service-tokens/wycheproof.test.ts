import { createSecretKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/logging';
import { KEY_ALGORITHMS } from '../../../src/service-tokens';
import { decodeKeyFile } from '../../../src/service-tokens/key-file-codec';
import { parseCompact } from '../../../src/service-tokens/parse-compact';
import { type KeySet, KnownSignatures } from '../../../src/service-tokens/testing';
import { verifyCompact } from '../../../src/service-tokens/verify-compact';
import { verifyToken } from '../../../src/service-tokens/verify-token';
import { fixedClock } from '../../support/fakes';
import { AUDIENCE, ISSUER, keySource, NOW } from './signed-token';

// Goal: every publicly known forgery is refused. Method: all Wycheproof vectors against the verifier, set to each
// group's key as a key file would contain it.

type Jwk = Readonly<Record<string, unknown>>;

interface Vector {
  readonly tcId: number;
  readonly comment: string;
  readonly jws: unknown;
  readonly result: 'valid' | 'invalid';
}

interface Vectors {
  readonly numberOfTests: number;
  readonly testGroups: readonly { private: Jwk; public?: Jwk; tests: readonly Vector[] }[];
}

const FILE = join(__dirname, '../../../../shared/samples/jwt/json_web_signature_test.json');
const INVALID_COUNT = 355;
// Marked valid although characters outside the alphabet were put in; refusing them is as right.
const LENIENT_VALID = [372, 373];
// Valid as a signature over nothing at all, which is no token.
const EMPTY_PAYLOAD = [259];
// Marked invalid for padding that the file lost on the way: they are, byte for byte, the valid vector 357 of the same
// group, so no check of form, algorithm, kid or signature can tell them apart. Their payload is no JSON object, which
// is what refuses them.
const SAME_AS_VALID = [367, 370];
// Groups whose key says that it is for encryption, or nothing at all: such a key is not taken into a key file.
const UNUSABLE_KEY = [353, 354, 355, 356];

if (!existsSync(FILE)) {
  process.stdout.write('Wycheproof vectors are skipped: ../shared/samples/jwt is not beside this repository\n');
  test.skip('The Wycheproof vectors', () => undefined);
} else {
  const { numberOfTests, testGroups } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;
  const cases = testGroups.flatMap((group) => {
    const keys = keysOf(group.public ?? group.private);
    return group.tests.map((vector) => ({ ...vector, alg: group.private['alg'], text: asText(vector.jws), keys }));
  });
  const ours = cases.filter(({ keys }) => keys !== undefined);
  const others = cases.filter(({ keys }) => keys === undefined);

  describe('the Wycheproof vectors', () => {
    test('are complete', () => {
      expect(cases).toHaveLength(numberOfTests);
      expect(cases.filter(({ result }) => result === 'invalid')).toHaveLength(INVALID_COUNT);
      expect(new Set(ours.map(({ alg }) => alg))).toEqual(new Set(['HS256', 'ES256', 'RS256']));
    });

    test('use keys that a key file rejects if their algorithm is unsupported', () => {
      const keyless = others.filter(({ alg }) => KEY_ALGORITHMS.some((known) => known === alg) || alg === undefined);
      expect(keyless.map(({ tcId }) => tcId)).toEqual(UNUSABLE_KEY);
    });

    test('mark two texts invalid that they also mark valid, and no more', () => {
      const valid = new Set(cases.filter(({ result }) => result === 'valid').map(({ text }) => text));
      const both = ours.filter(({ result, text }) => result === 'invalid' && valid.has(text));
      expect(both.map(({ tcId }) => tcId)).toEqual(SAME_AS_VALID);
    });

    test.each(ours)('$tcId $comment of $alg: the signature is $result', async ({ tcId, keys, text, result }) => {
      const parsed = parseCompact(text);
      const verdict = parsed.ok && keys !== undefined ? await verifyCompact(parsed, keys) : parsed;
      const isStricter = LENIENT_VALID.includes(tcId) || EMPTY_PAYLOAD.includes(tcId);
      expect(verdict.ok).toBe((result === 'valid' && !isStricter) || SAME_AS_VALID.includes(tcId));
    });

    test('are refused by the verifier if invalid, all 355 of them', async () => {
      const refused: number[] = [];
      for (const { tcId, keys, text, result } of cases) {
        const source = keySource(keys ?? { byKid: new Map(), withoutKid: [] });
        const token = await verifyToken(
          {
            clock: fixedClock(NOW),
            logger: silentLogger,
            expected: { issuer: ISSUER, audience: AUDIENCE },
            issuers: new Map([[ISSUER, source]]),
            revocations: { has: async () => false, expire() {} },
            signatures: new KnownSignatures(),
          },
          `Bearer ${text}`,
        );
        if (result === 'invalid' && token === undefined) refused.push(tcId);
      }
      expect(refused).toHaveLength(INVALID_COUNT);
    });
  });
}

/** The group's key as our own key file gives it, or undefined when the file refuses it. */
function keysOf(jwk: Jwk): KeySet | undefined {
  const content = decodeKeyFile(JSON.stringify({ keys: [{ ...jwk, status: 'verify_only' }] }));
  if (!content.ok) return /is easy to guess/.test(content.fault) ? keysOfBytes(jwk) : undefined;
  // Without a kid too: what a token leaves out must not be what saves us.
  return { byKid: new Map(content.keys.map((key) => [key.kid, key])), withoutKid: content.keys };
}

/** The bytes 0, 1, 2, … of one group: a key file refuses them, and their vectors still hold. */
function keysOfBytes({ kid, k }: Jwk): KeySet {
  const key = { kid: String(kid), alg: 'HS256', verifies: createSecretKey(String(k), 'base64url') } as const;
  return { byKid: new Map([[key.kid, key]]), withoutKid: [key] };
}

function asText(jws: unknown): string {
  return typeof jws === 'string' ? jws : JSON.stringify(jws);
}
