import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeOnMariaDb, freshDatabase, parsedUrl } from '../support/db';
import { FAULT_LENGTH, sized } from '../support/faults';
import { TcpProxy } from '../support/tcp-proxy';
import { audit } from './support/audit';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { countRows, selectRows } from './support/tables';

// Goal: after a lost COMMIT answer, the service finds the outcome: `0` exactly if this attempt was stored, never `3`
// for its own write, and nothing twice.
// Method: a proxy between MariaDB and the service, of up to four processes with several callers each, that drops them.

/** In each of the three ways: a thousand altogether from a length of 4 on. */
const CUTS = sized({ short: 20, full: FAULT_LENGTH === 1 ? 40 : 100 * FAULT_LENGTH });
const CLIENTS = 32;
const LIMIT_MS = 60_000 + 60_000 * FAULT_LENGTH;
const AGENTS = Array.from({ length: 40 }, (_, index) => `AG-${index + 1}`);

describeOnMariaDb('a COMMIT whose answer is lost', () => {
  const tally = tallyFault({ fault: 'F7', what: 'the answer to a COMMIT is lost', database: 'mariadb' });
  let millime: Installation;
  let proxy: TcpProxy;
  let opening: Map<string, number>;

  beforeEach(async () => {
    const { url } = await freshDatabase('mariadb');
    millime = new Installation(url);
    opening = await millime.seedAgents(AGENTS, 10_000_000);
    const server = parsedUrl(url);
    if (server.kind !== 'mariadb') throw new Error('not a MariaDB database');
    proxy = await TcpProxy.start(server.hosts[0]!);
  });

  afterEach(() => proxy.close());

  /** Starts the processes. Returns where each caller sends. */
  const throughProxy = async (count: number): Promise<(client: number) => string> => {
    const env = { DATABASE_URL: proxy.through(millime.url) };
    const services = await Promise.all(Array.from({ length: count }, () => millime.serve({ role: 'http', env })));
    return (client) => services[client % services.length]!.baseUrl;
  };

  test.each<[string, (commit: number) => 'pass' | 'cut_after' | 'cut_before']>([
    ['came too late for it', (commit) => (commit % 2 === 1 ? 'cut_after' : 'pass')],
    ['was lost together with the COMMIT itself', (commit) => (commit % 2 === 1 ? 'cut_before' : 'pass')],
    ['may mean either', (commit) => (['cut_after', 'cut_before', 'pass'] as const)[commit % 3] ?? 'pass'],
  ])(
    'F7: answers 0 to each first call and stores it once if the answer %s',
    async (_name, fate) => {
      const token = await millime.token();
      const baseUrl = await throughProxy(4);
      const journal = new Journal();
      const load = { clients: CLIENTS, baseUrl, token, journal };
      proxy.onCommit(fate);
      let sent = 0;
      while (proxy.cuts < CUTS && sent < CUTS * 4) {
        await sendConfirms({ ...load, confirms: confirmsFor(AGENTS, CLIENTS * 4, `T${sent}`) });
        sent += CLIENTS * 4;
      }
      await tally.add(millime, journal);
      tally.count('cuts', proxy.cuts);
      expect(proxy.cuts).toBeGreaterThanOrEqual(CUTS);
      proxy.onCommit(() => 'pass');

      expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
      expect(journal.attempts).toHaveLength(sent);
      expect(await countRows(millime.url, 'confirm_refusals')).toBe(0);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F7: answers one 0 and one 3 to two callers with the same id, whichever COMMIT loses its answer',
    async () => {
      const token = await millime.token();
      const baseUrl = await throughProxy(2);
      const journal = new Journal();
      const confirms = confirmsFor(AGENTS, 60, 'PAIR');
      proxy.onCommit((commit) => (['cut_after', 'pass', 'cut_before', 'pass'] as const)[commit % 4] ?? 'pass');
      await sendConfirms({
        confirms: confirms.flatMap((confirm) => [confirm, confirm]),
        clients: 8,
        baseUrl,
        token,
        journal,
      });
      await tally.add(millime, journal);
      expect(proxy.cuts).toBeGreaterThan(confirms.length / 2);
      expect([journal.count('0'), journal.count('3')]).toEqual([confirms.length, confirms.length]);
      const counted = await selectRows(millime.url, 'select kind, times from confirm_refusals');
      expect(counted.map((row) => [row['kind'], Number(row['times'])])).toEqual(confirms.map(() => ['identical', 1]));
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F7: records a refused call once, however often its COMMIT loses its answer',
    async () => {
      const token = await millime.token();
      const baseUrl = await throughProxy(1);
      const journal = new Journal();
      proxy.onCommit((commit) => (commit % 3 === 0 ? 'pass' : 'cut_after'));
      const confirms = confirmsFor(['unknown'], 20, 'REFUSED');
      await sendConfirms({ confirms, clients: 1, baseUrl, token, journal });
      expect(proxy.cuts).toBeGreaterThanOrEqual(confirms.length);
      expect(journal.count('1')).toBe(confirms.length);
      const counted = await selectRows(millime.url, 'select times from confirm_refusals');
      expect(counted.map((row) => Number(row['times']))).toEqual(confirms.map(() => 1));
      expect(await countRows(millime.url, 'recon_breaks')).toBe(confirms.length);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'F7: counts a refused call once per sending',
    async () => {
      const token = await millime.token();
      const baseUrl = await throughProxy(1);
      const journal = new Journal();
      const confirms = confirmsFor(['unknown'], 20, 'RESENT');
      const load = { confirms, clients: 1, baseUrl, token, journal };
      await sendConfirms(load);
      proxy.onCommit((commit) => (commit % 3 === 0 ? 'pass' : 'cut_after'));
      await sendConfirms(load);
      await sendConfirms(load);
      expect(proxy.cuts).toBeGreaterThanOrEqual(confirms.length);
      expect(journal.count('1')).toBe(3 * confirms.length);
      const counted = await selectRows(millime.url, 'select times from confirm_refusals');
      expect(counted.map((row) => Number(row['times']))).toEqual(confirms.map(() => 3));
      expect(await countRows(millime.url, 'recon_breaks')).toBe(confirms.length);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );
});
