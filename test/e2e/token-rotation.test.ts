import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { KEY_ALGORITHMS } from '../../src/service-tokens';
import { describeOnOneDatabase } from '../support/db';
import { FAULT_LENGTH, recordFault } from '../support/faults';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { Journal, replyOf } from './support/journal';
import { until } from './support/until';

// Goal: keys are rotated while the gateway calls, and no call fails. Method: a real server, sixteen clients that call
// without a pause, and the command line, which rotates and mints meanwhile; a new token is used immediately.

const LIMIT_MS = 120_000 * FAULT_LENGTH;
const CLIENTS = 16;
const AGENTS = ['AG-1', 'AG-2', 'AG-3'];
/** Calls with each new token before the next rotation. */
const CALLS_PER_TOKEN = 60;

interface Minted {
  readonly token: string;
  readonly kid: string;
}

describeOnOneDatabase('rotating keys', (harness) => {
  test(
    'S3: rotation under load fails no request',
    async () => {
      const millime = new Installation(harness.url);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const service = await millime.serve({ role: 'http' });
      const first = await millime.json<Minted>(['token', 'mint']);
      // Half of the clients go to every new token at once; the others stay with theirs as long as it is good.
      let newest = first.token;
      const journal = new Journal();
      const refused: string[] = [];
      let answered = 0;
      let longestMs = 0;
      let isOver = false;

      const client = async (number: number): Promise<void> => {
        for (let turn = 0; !isOver; turn += 1) {
          const token = number % 2 === 0 ? newest : first.token;
          const agentId = AGENTS[turn % AGENTS.length] as string;
          const check = await call(service.baseUrl, { method: 'GET', path: checkPath(agentId), token });
          const confirm = { transactionId: `T-${number}-${turn}`, agentId, amount: 1_000 };
          const sent = await call(service.baseUrl, { method: 'POST', path: '/service/confirm', token, body: confirm });
          journal.attempts.push({ ...confirm, reply: replyOf(sent), tookMs: sent.tookMs });
          for (const { status, tookMs } of [check, sent]) {
            if (status === 200) answered += 1;
            else refused.push(`client ${number}, turn ${turn}: ${status}`);
            longestMs = Math.max(longestMs, tookMs);
          }
        }
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));

      const kids: string[] = [first.kid];
      try {
        for (let round = 0; round < FAULT_LENGTH; round += 1) {
          for (const alg of ['EdDSA', 'ES256', 'RS256', 'HS256'] as const) {
            const rotation = await millime.json<{ kid: string; verifyOnly: string[] }>([
              'token',
              'rotate',
              '--alg',
              alg,
            ]);
            expect(rotation.verifyOnly).toEqual([...kids].reverse());
            kids.push(rotation.kid);
            const minted = await millime.json<Minted>(['token', 'mint', '--alg', alg]);
            expect(minted.kid).toBe(rotation.kid);
            newest = minted.token;
            const before = answered;
            await until(`calls with the token for ${alg}`, () => answered + refused.length >= before + CALLS_PER_TOKEN);
          }
        }
      } finally {
        isOver = true;
        await clients;
      }

      recordFault({
        fault: 'S3',
        what: 'keys are rotated through all algorithms under load',
        database: harness.dialect,
        rounds: KEY_ALGORITHMS.length * FAULT_LENGTH,
        acknowledged: answered,
        lost: refused.length,
        doubled: 0,
        longestMs,
      });
      expect(refused).toEqual([]);
      expect(journal.attempts).toHaveLength(journal.count('0'));
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      expect(service.output).not.toContain('service_tokens.refused');
    },
    LIMIT_MS,
  );

  test(
    'concurrent rotations all succeed, and tokens of each key are accepted',
    async () => {
      const millime = new Installation(harness.url);
      const first = await millime.json<Minted>(['token', 'mint']);
      const rotate = async (): Promise<string> => (await millime.json<{ kid: string }>(['token', 'rotate'])).kid;
      const kids = await Promise.all([rotate(), rotate(), rotate()]);
      const file = JSON.parse(readFileSync(millime.env['SERVICE_JWT_KEYS_FILE'] as string, 'utf8')) as {
        keys: { kid: string; status: string }[];
      };
      expect(new Set(file.keys.map(({ kid }) => kid))).toEqual(new Set([...kids, first.kid]));
      expect(file.keys.map(({ status }) => status)).toEqual(['active', 'verify_only', 'verify_only', 'verify_only']);
      const last = await millime.json<Minted>(['token', 'mint']);
      const { baseUrl } = await millime.serve({ role: 'http' });
      for (const { token } of [first, last]) {
        expect((await call(baseUrl, { method: 'GET', path: checkPath('unknown'), token })).status).toBe(200);
      }
    },
    LIMIT_MS,
  );

  test(
    'serve, the daily job and doctor warn of the last token’s expiry',
    async () => {
      const millime = new Installation(harness.url, { clock: '2026-03-02T06:59:00+01:00' });
      const { expiresAt } = await millime.json<{ expiresAt: string }>(['token', 'mint', '--ttl', '8d']);
      const service = await millime.serve();
      const told = (): number => service.output.split('"service_tokens.expiring"').length - 1;
      expect(await millime.json(['doctor'])).toMatchObject({ ok: true, tokenExpiresAt: expiresAt, warnings: [] });
      expect(told()).toBe(0);

      millime.setClock('2026-03-03T07:00:01+01:00');
      await until('the warning of the morning', () => told() > 0);
      expect(await millime.json(['doctor'])).toMatchObject({
        ok: true,
        tokenExpiresAt: expiresAt,
        warnings: [expect.stringContaining(expiresAt)],
      });
      const other = await millime.serve({ role: 'http' });
      expect(other.output).toContain('"service_tokens.expiring"');
    },
    LIMIT_MS,
  );
});
