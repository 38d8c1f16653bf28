import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '../../src/kernel';
import { describeWithOwnMariaDb, parsedUrl } from '../support/db';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../support/faults';
import { MariaDbServer } from '../support/mariadb-server';
import { median } from '../support/median';
import { type ProcessState, processState } from '../support/process-state';
import { randomFrom } from '../support/random';
import type { ServerProcess } from '../support/server-process';
import { TcpProxy } from '../support/tcp-proxy';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { canariesIn } from './support/canary';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { type Confirm, Journal, keepConfirming } from './support/journal';
import { changeRows, selectRows } from './support/tables';

// Goal: a service that runs for long beside a database that fails now and then keeps the memory, the handles and the
// connections that it had, and loses and doubles nothing.
// Method: two processes with every role under confirms and checks; the database is killed, stands still, or loses its
// connections or its network for some seconds. After each fault, once calls are answered again, the kernel is asked what
// the processes hold. The first third of these samples is the warm-up.

const DURATION_MS = sized({ short: 20 * SECOND_MS, full: 10 * MINUTE_MS * FAULT_LENGTH });
const PROCESSES = 2;
const CLIENTS = 16;
/** Between two calls of one caller. */
const PAUSE_MS = 40;
const FAULT_MS = 1_500;
const WELL_MS = sized({ short: 500, full: 8_000 });
const LIMIT_MS = DURATION_MS + 5 * MINUTE_MS;
/** Growth that is none: what a sample may have by chance. */
const MEMORY_GROWTH_MAX = 0.1;
const HANDLES_GROWTH_MAX = 4;
const CANARIES = { agent: 'canaryAgent-0815', phone: '+216 20 0', fullName: 'Agent 1,' };
const AGENTS = Array.from({ length: 60 }, (_, index) => `${CANARIES.agent}-${index + 1}`);

interface Sample extends ProcessState {
  /** Of both processes, as the database counts them. */
  readonly connections: number;
}

describeWithOwnMariaDb('a long run with faults', () => {
  const tally = tallyFault({ fault: 'F27', what: 'long run with faults', database: 'mariadb' });

  test(
    'F27: keeps its memory, handles and connections, and loses and doubles nothing',
    async () => {
      const mariadb = await MariaDbServer.create();
      try {
        await mariadb.start();
        await soak(mariadb);
      } finally {
        await mariadb.remove();
      }
    },
    LIMIT_MS,
  );

  async function soak(mariadb: MariaDbServer): Promise<void> {
    const url = mariadb.url('soak');
    await changeRows(mariadb.url('mysql'), 'create database soak');
    const server = parsedUrl(url);
    if (server.kind !== 'mariadb') throw new Error('not a MariaDB database');
    const proxy = await TcpProxy.start(server.hosts[0]!);
    const millime = new Installation(url);
    expect(await millime.cli('migrate')).toMatchObject({ code: 0 });
    const opening = await millime.seedAgents(AGENTS, 1_000_000_000);
    const token = await millime.token();
    const env = { DATABASE_URL: proxy.through(url), LOG_LEVEL: 'debug' };
    const services = await Promise.all(Array.from({ length: PROCESSES }, () => millime.serve({ env })));
    const journal = new Journal();
    const baseUrl = (client: number): string => (services[client % services.length] as ServerProcess).baseUrl;
    const check = async (client: number, { agentId }: Confirm): Promise<void> => {
      const asked = { method: 'GET', path: checkPath(agentId), token } as const;
      await call(baseUrl(client), asked).catch(() => undefined); // it may be cut
    };
    const load = { agentIds: AGENTS, clients: CLIENTS, pauseMs: PAUSE_MS, answered: check };
    const running = keepConfirming({ ...load, baseUrl, token, journal });
    const samples = await playFaults(mariadb, proxy, services, () => running.served());
    await running.stop();

    const third = Math.ceil(samples.length / 3);
    const [before, after] = [samples.slice(third, 2 * third), samples.slice(-third)].map(heldIn);
    const said = (name: keyof Sample): string => `${Math.round(before![name])} to ${Math.round(after![name])}`;
    tally.note(`${Math.round(DURATION_MS / SECOND_MS)} s`);
    tally.note(`memory ${said('residentMegabytes')} MB`);
    tally.note(`handles ${said('openHandles')}, connections to the database ${said('connections')}`);
    tally.count('faults', samples.length - 1);
    await tally.add(millime, journal);
    expect(journal.unexpected).toEqual([]);
    expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    expect(after!.openHandles - before!.openHandles).toBeLessThanOrEqual(HANDLES_GROWTH_MAX);
    expect(after!.connections - before!.connections).toBeLessThanOrEqual(HANDLES_GROWTH_MAX);
    // A run of seconds says nothing about memory.
    const growth = after!.residentMegabytes / before!.residentMegabytes - 1;
    expect(sized({ short: 0, full: growth })).toBeLessThan(MEMORY_GROWTH_MAX);
    const output = services.map((service) => service.output).join('\n');
    expect(output).not.toMatch(/unhandledRejection|uncaughtException/i);
    const metrics = await Promise.all(services.map(({ baseUrl }) => fetch(`${baseUrl}/metrics`).then((a) => a.text())));
    expect(canariesIn([output, ...metrics].join('\n'), { ...CANARIES, token })).toEqual([]);
    await proxy.close();
  }

  async function playFaults(
    mariadb: MariaDbServer,
    proxy: TcpProxy,
    services: readonly ServerProcess[],
    isServed: () => Promise<unknown>,
  ): Promise<Sample[]> {
    const random = randomFrom(FAULT_SEED);
    const faults: readonly (() => Promise<void>)[] = [
      async () => {
        await mariadb.kill9();
        await pause(FAULT_MS);
        await mariadb.start();
      },
      async () => {
        await mariadb.sigstop();
        await pause(FAULT_MS);
        mariadb.sigcont();
      },
      async () => {
        proxy.silence();
        await pause(FAULT_MS);
        proxy.speak();
      },
      () => Promise.resolve(proxy.cutAll()),
    ];
    const samples = [await sampleOf(mariadb, services)];
    const endsAt = performance.now() + DURATION_MS;
    while (performance.now() < endsAt || samples.length <= 2 * faults.length) {
      await isServed();
      await pause(WELL_MS);
      samples.push(await sampleOf(mariadb, services));
      // Each fault once, then by chance.
      await (faults[samples.length - 2] ?? random.oneOf(faults))();
    }
    await isServed();
    return samples;
  }

  async function sampleOf(mariadb: MariaDbServer, services: readonly ServerProcess[]): Promise<Sample> {
    const held = services.map(({ pid }) => processState(pid));
    const total = (name: keyof ProcessState): number => held.reduce((sum, each) => sum + each[name], 0);
    const rows = await selectRows(mariadb.url('mysql'), "show global status like 'Threads_connected'");
    return {
      ...{ residentMegabytes: total('residentMegabytes'), openHandles: total('openHandles') },
      connections: Number(rows[0]?.['Value']),
    };
  }
});

/** Calls in flight hold sockets for a moment, so of handles and connections the fewest of several samples are held. */
function heldIn(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample): number[] => samples.map((sample) => sample[name]);
  const [openHandles, connections] = [of('openHandles'), of('connections')].map((values) => Math.min(...values));
  return { residentMegabytes: median(of('residentMegabytes')), openHandles: openHandles!, connections: connections! };
}
