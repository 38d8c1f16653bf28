import { expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { FAULT_LENGTH } from '../support/faults';
import type { ServerProcess } from '../support/server-process';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { type Confirm, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: the log never costs an answer, whatever its reader does, and no caller can flood it.
// Method: a real server whose stdout is not read, or whose reader closes, under load; and a flood of bad tokens.

const LIMIT_MS = 60_000 + 60_000 * FAULT_LENGTH;
const STOP_MS = 10_000;
const CLIENTS = 16;
const AGENTS = ['AG-1', 'AG-2', 'AG-3'];
/** More than the two ends of a pipe hold, about 280 KiB; in a long run more than 1 MiB. */
const CONFIRMS = 650 * FAULT_LENGTH;
const CONFIRMS_CUT_OFF = 240 * FAULT_LENGTH;
/** After 600 a minute Millime answers 503. */
const UNKNOWN_MAX = 550;
const BAD_TOKENS = 480 * FAULT_LENGTH;

/** Confirms that log a lot and cost little: ids that JSON makes twice as long, most for agents that we do not know. */
function longConfirms(count: number, prefix: string): Confirm[] {
  return Array.from({ length: count }, (_, index) => ({
    transactionId: `${prefix}-${index}-${'"'.repeat(240)}`,
    agentId: index % 20 === 0 || index >= UNKNOWN_MAX ? (AGENTS[index % AGENTS.length] as string) : 'UNKNOWN',
    amount: 1_000,
  }));
}

async function endsWell(service: ServerProcess): Promise<void> {
  const startedAt = performance.now();
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
}

describeOnOneDatabase('the log of a server', (harness) => {
  const tally = tallyFault({ fault: 'F25', what: 'log pipe blocked or closed', database: harness.dialect });

  async function talkativeServer() {
    const millime = new Installation(harness.url, { env: { LOG_LEVEL: 'debug' } });
    const opening = await millime.seedAgents(AGENTS, 1_000_000_000);
    const token = await millime.token();
    return { millime, opening, token, service: await millime.serve({ role: 'http' }), journal: new Journal() };
  }

  test(
    'F25: answers every request and stops at SIGTERM while its log is not read',
    async () => {
      const { millime, opening, token, service, journal } = await talkativeServer();
      service.stopReading();
      await sendConfirms({
        confirms: longConfirms(CONFIRMS, 'T'),
        clients: CLIENTS,
        baseUrl: () => service.baseUrl,
        token,
        journal,
      });
      await endsWell(service);
      service.readOn();
      await until('the end of what was in the pipe', () => service.output.includes('"T-1-'));
      // Nothing more went in: the pipe was full indeed.
      expect(service.output).not.toContain('server.stopped');
      await tally.add(millime, journal);
      expect(journal.attempts).toHaveLength(journal.count('0', '1'));
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F25: answers every request and stops at SIGTERM after its log reader left under load',
    async () => {
      const { millime, opening, token, service, journal } = await talkativeServer();
      const confirms = longConfirms(CONFIRMS_CUT_OFF, 'T');
      const load = sendConfirms({ confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal });
      await until('some answers', () => journal.attempts.length > confirms.length / 4);
      service.closeOutput();
      await load;

      await tally.add(millime, journal);
      expect(journal.attempts).toHaveLength(journal.count('0', '1'));
      const check = await call(service.baseUrl, { method: 'GET', path: checkPath('AG-1'), token });
      expect(check.status).toBe(200);
      await endsWell(service);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F25: reports a flood of invalid tokens in a few lines: ten in ten seconds, thirty counted, and a summary',
    async () => {
      const millime = new Installation(harness.url);
      const service = await millime.serve({ role: 'http' });
      const path = checkPath('AG-1');
      const startedAt = performance.now();
      let refused = 0;
      const stranger = async (): Promise<void> => {
        for (let index = 0; index < BAD_TOKENS / CLIENTS; index += 1) {
          if ((await call(service.baseUrl, { method: 'GET', path, token: 'eyJ.bad.token' })).status === 403) {
            refused += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, stranger));
      const windows = Math.ceil((performance.now() - startedAt) / 10_000);
      expect(refused).toBe(BAD_TOKENS);

      await endsWell(service);
      await until('the last line', () => service.output.includes('server.stopped'));
      const lines = service.output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const told = lines.filter(({ event }) => event === 'service_tokens.refused').length;
      const leftOut = lines
        .filter(({ suppressedEvent }) => suppressedEvent === 'service_tokens.refused')
        .reduce((sum, { suppressed }) => sum + Number(suppressed), 0);
      expect(told).toBeLessThanOrEqual(10 * windows);
      // From the thirty-first of a minute on they are not even counted one by one; some were being looked at just then.
      const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
      expect(told + leftOut).toBeGreaterThanOrEqual(30);
      expect(told + leftOut).toBeLessThanOrEqual((30 + CLIENTS) * minutes);
      const limited = lines.filter(({ event }) => event === 'http.refusals_limited').length;
      expect(limited).toBeGreaterThanOrEqual(1);
      expect(limited).toBeLessThanOrEqual(minutes);
    },
    LIMIT_MS,
  );
});
