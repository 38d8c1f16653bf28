import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { describeOnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH, recordFault } from '../support/faults';
import type { ServerProcess } from '../support/server-process';
import { audit } from './support/audit';
import { type Answer, call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { type Confirm, confirmsFor, Journal, type Reply, replyOf } from './support/journal';
import { countRows } from './support/tables';
import { until } from './support/until';

// Goal: a rolling update during the day costs no caller an answer.
// Method: replicas on one database, keep-alive clients that call where `/readyz` is 200, as behind a balancer, and
// never retry; one replica after the other gets SIGTERM and restarts on its port.

const LIMIT_MS = 60_000 * (1 + FAULT_LENGTH);
const STOP_MAX_MS = 10_000;
const CLIENTS = 64;
const POLL_MS = 50;
/** A balancer must have looked before we stop listening: many times {@link POLL_MS}, since the machine may be busy. */
const DRAIN_DELAY_MS = '2000';
const AGENTS = Array.from({ length: 40 }, (_, index) => `AG-${index + 1}`);
/** One of so many calls is a check. */
const CHECK_EVERY = 4;

/** A place behind the balancer: a port, and the process that has it now. */
interface Replica {
  service: ServerProcess;
  readonly port: string;
  isReady: boolean;
}

/** Looks at `/readyz` of each replica until it is ended, on a connection of its own each time. */
function balancer(replicas: readonly Replica[]): { end(): Promise<void> } {
  let ended = false;
  const watch = async (replica: Replica): Promise<void> => {
    while (!ended) {
      const answer = await fetch(`${replica.service.baseUrl}/readyz`, { headers: { connection: 'close' } })
        .then(({ status }) => status === 200)
        .catch(() => false); // nobody listens: not ready
      replica.isReady = answer;
      await pause(POLL_MS);
    }
  };
  const watching = replicas.map(watch);
  return {
    async end() {
      ended = true;
      await Promise.all(watching);
    },
  };
}

/** What the clients noticed, besides the journal of their confirms. */
class Notes {
  readonly failures: string[] = [];
  /** Answers of a replica that was draining when the call was sent. */
  whileDraining = 0;
  checks = 0;
}

const isStopping = ({ service }: Replica): boolean => service.output.includes('server.stopping');

describeOnMariaDb('a rolling restart', () => {
  test(
    `F21: three replicas, restarted one after the other under ${CLIENTS} keep-alive clients, fail no request`,
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url, { env: { DRAIN_DELAY_MS } });
      const opening = await millime.seedAgents(AGENTS, 1_000_000_000);
      const token = await millime.token();
      const started = await Promise.all([1, 2, 3].map(() => millime.serve()));
      const replicas = started.map((service): Replica => ({
        service,
        port: new URL(service.baseUrl).port,
        isReady: true,
      }));
      const watching = balancer(replicas);
      const journal = new Journal();
      const notes = new Notes();
      let isOver = false;
      let sent = 0;

      const callOnce = async (replica: Replica, confirm: Confirm | undefined, agentId: string): Promise<void> => {
        const wasStopping = isStopping(replica);
        const startedAt = performance.now();
        let reply: Reply = 'none';
        try {
          const answer = await call(
            replica.service.baseUrl,
            confirm === undefined
              ? { method: 'GET', path: checkPath(agentId), token }
              : { method: 'POST', path: '/service/confirm', token, body: confirm },
          );
          if (confirm !== undefined) reply = replyOf(answer);
          if (answer.status !== 200) {
            const said = `${answer.status} ${JSON.stringify(answer.body)}`;
            notes.failures.push(`answered ${said} after ${Math.round(answer.tookMs)} ms`);
          }
          if (wasStopping) noteDraining(answer);
        } catch (error) {
          notes.failures.push(`${String(error)}${wasStopping ? ', draining when it was sent' : ''}`);
        }
        if (confirm === undefined) notes.checks += 1;
        else journal.attempts.push({ ...confirm, reply, tookMs: performance.now() - startedAt });
      };
      const noteDraining = ({ headers }: Answer): void => {
        notes.whileDraining += 1;
        if (headers.connection !== 'close') notes.failures.push('draining, and the connection was kept');
      };
      const client = async (number: number): Promise<void> => {
        for (let turn = number; !isOver; turn += 1) {
          const ready = replicas.filter((replica) => replica.isReady);
          const replica = ready[turn % ready.length];
          if (replica === undefined) {
            notes.failures.push('no replica was ready');
            return;
          }
          const agentId = AGENTS[turn % AGENTS.length] as string;
          sent += 1;
          const confirm = { transactionId: `T-${sent}`, agentId, amount: 1_000 + (sent % 997) };
          await callOnce(replica, sent % CHECK_EVERY === 0 ? undefined : confirm, agentId);
        }
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
      await until('some answers', () => journal.count('0') > CLIENTS);

      let longestStopMs = 0;
      for (let round = 1; round <= FAULT_LENGTH; round += 1) {
        for (const replica of replicas) {
          const startedAt = performance.now();
          const stopped = replica.service.stop();
          await until('the replica drains', () => isStopping(replica));
          // Whether a client comes by now is chance: a call of our own is answered while it drains, for certain.
          await callOnce(replica, undefined, AGENTS[0] as string);
          expect(await stopped).toEqual({ code: 0, signal: null });
          longestStopMs = Math.max(longestStopMs, performance.now() - startedAt);
          expect(replica.service.output).not.toMatch(/"level":"error"|db\.cut/);
          replica.service = await millime.serve({ env: { PORT: replica.port } });
          await until('the replica is back', () => replica.isReady);
        }
      }
      isOver = true;
      await clients;
      await watching.end();

      const faults = await audit(millime, journal, { opening, settled: true });
      recordFault({
        fault: 'F21',
        what: 'rolling restart of three replicas, 64 keep-alive clients; longest is the longest stop',
        database: 'mariadb',
        rounds: FAULT_LENGTH,
        acknowledged: journal.count('0'),
        lost: notes.failures.length,
        doubled: faults.filter((fault) => fault.includes('times')).length,
        longestMs: Math.round(longestStopMs),
      });
      expect(notes.failures).toEqual([]);
      expect(faults).toEqual([]);
      expect(journal.attempts).toHaveLength(journal.count('0'));
      expect(notes.checks).toBeGreaterThan(0);
      expect(notes.whileDraining).toBeGreaterThan(0);
      expect(longestStopMs).toBeLessThan(STOP_MAX_MS);
    },
    LIMIT_MS,
  );
});

test(
  'F21: a single server, stopped under clients that ignore Connection: close, answers every accepted request and stops within 10 s',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    const opening = await millime.seedAgents(AGENTS, 1_000_000_000);
    const token = await millime.token();
    const service = await millime.serve();
    const journal = new Journal();
    const refusals: string[] = [];
    let sent = 0;
    /** Goes on until the service is gone. */
    const client = async (): Promise<void> => {
      while (refusals.length < 16 * CLIENTS) {
        sent += 1;
        const [confirm] = confirmsFor([AGENTS[sent % AGENTS.length] as string], 1, `T${sent}`);
        if (confirm === undefined) return;
        const startedAt = performance.now();
        let reply: Reply = 'none';
        try {
          reply = replyOf(
            await call(service.baseUrl, { method: 'POST', path: '/service/confirm', token, body: confirm }),
          );
        } catch (error) {
          refusals.push((error as NodeJS.ErrnoException).code ?? String(error));
        }
        journal.attempts.push({ ...confirm, reply, tookMs: performance.now() - startedAt });
        if (reply === 'none') return;
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, client));
    await until('some answers', () => journal.count('0') > 50);

    const startedAt = performance.now();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    const stopMs = performance.now() - startedAt;
    await clients;
    const faults = await audit(millime, journal, { opening, settled: false });
    // Whatever was stored was also answered: callers without an answer were never let in.
    const unanswered = (await countRows(millime.url, 'agent_confirmations')) - journal.count('0');
    recordFault({
      fault: 'F21',
      what: 'one replica, stopped under 16 clients who look at nothing; longest is the stop',
      database: 'sqlite',
      rounds: 1,
      acknowledged: journal.count('0'),
      lost: unanswered,
      doubled: faults.filter((fault) => fault.includes('times')).length,
      longestMs: Math.round(stopMs),
    });
    expect(faults).toEqual([]);
    expect(unanswered).toBe(0);
    expect(journal.attempts).toHaveLength(journal.count('0', 'none'));
    expect(refusals).toHaveLength(16);
    expect(refusals.filter((code) => code !== 'ECONNREFUSED' && code !== 'ECONNRESET')).toEqual([]);
    expect(stopMs).toBeLessThan(STOP_MAX_MS);
  },
  LIMIT_MS,
);
