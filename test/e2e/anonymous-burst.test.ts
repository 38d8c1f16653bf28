import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { FAULT_LENGTH, recordFault, sized } from '../support/faults';
import { audit } from './support/audit';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

// Goal: F30, strangers who pipeline requests on hundreds of idle connections delay no confirm noticeably.
// Method: callers confirm without a pause, alone and then during the bursts. The longest answers of both are compared
// within the run, because the machine sets the pace of both.

const CONNECTIONS = 500;
const PIPELINED = 90;
const TARGETS = ['/healthz', '/readyz', '/nowhere'];
const BURSTS = sized({ short: TARGETS.length, full: TARGETS.length * FAULT_LENGTH });
const CALLERS = 4;
const CONFIRMS = 150;
/** The goal of the design; before it, the ratio was above 300. */
const RATIO_MAX = 10;
/** Below it, the longest answer says more about the machine's other work than about the bursts. */
const CALM_MS_MIN = 25;
const LIMIT_MS = 60_000 * BURSTS;
const AGENTS = Array.from({ length: CALLERS }, (_, index) => `AG-${index + 1}`);

const strangers: Socket[] = [];
afterEach(() => strangers.splice(0).forEach((socket) => socket.destroy()));

async function openStrangers(port: number): Promise<{ readonly closed: () => number; send(target: string): void }> {
  let closed = 0;
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = connect(port, '127.0.0.1');
    strangers.push(socket);
    sockets.push(socket);
    socket.on('error', () => undefined).once('close', () => (closed += 1));
    socket.resume();
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  return {
    closed: () => closed,
    send(target) {
      const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED);
      for (const socket of sockets) socket.write(bytes);
    },
  };
}

describeOnEachDialect('a burst of pipelined requests from strangers', (dialect) => {
  test(
    'F30: delays no confirm more than ten times, and loses none',
    async () => {
      const millime = new Installation((await freshDatabase(dialect)).url);
      const opening = await millime.seedAgents(AGENTS, 1_000_000);
      const token = await millime.token();
      const { baseUrl } = await millime.serve({ role: 'http' });
      const port = Number(new URL(baseUrl).port);
      const journal = new Journal();
      const confirm = async (prefix: string): Promise<number> => {
        const before = journal.attempts.length;
        const confirms = confirmsFor(AGENTS, CONFIRMS, prefix);
        await sendConfirms({ confirms, clients: CALLERS, baseUrl: () => baseUrl, token, journal });
        return Math.max(...journal.attempts.slice(before).map(({ tookMs }) => tookMs));
      };
      await confirm('WARM');
      const calmMs = Math.max(await confirm('CALM'), CALM_MS_MIN);

      let busyMs = 0;
      for (let burst = 1; burst <= BURSTS; burst += 1) {
        const { closed, send } = await openStrangers(port);
        const confirming = confirm(`BURST-${burst}`);
        await pause(20); // into the middle of the confirms
        send(TARGETS[burst % TARGETS.length]!);
        busyMs = Math.max(busyMs, await confirming);
        await until('every stranger is closed', () => closed() === CONNECTIONS);
      }

      expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
      recordFault({
        fault: 'F30',
        what: `${CONNECTIONS} strangers pipeline ${PIPELINED} requests, calm ${Math.round(calmMs)} ms`,
        database: dialect,
        rounds: BURSTS,
        acknowledged: journal.count('0'),
        lost: 0,
        doubled: 0,
        longestMs: Math.round(busyMs),
      });
      expect(busyMs / calmMs).toBeLessThan(RATIO_MAX);
    },
    LIMIT_MS,
  );
});
