import { expect } from '@jest/globals';
import type { Connection } from 'mysql2/promise';
import { MINUTE_MS } from '../../../src/kernel';
import { parsedUrl, rawConnection } from '../../support/db';
import { recordFault } from '../../support/faults';
import { TcpProxy } from '../../support/tcp-proxy';
import { SchedulerReplica } from './scheduler-replica';
import { changeRows, type Row } from './tables';
import { until } from './until';

/** What happens to the replica that has begun a window. */
export type LeaderFault = 'none' | 'killed' | 'killed after writing' | 'stopped' | 'cut off';

export interface WindowsToPlay {
  /** Where each replica finds the database: the same server, or nodes of one cluster. One host each. */
  readonly urls: readonly string[];
  /** The fault of each window, in their order. */
  readonly faults: readonly LeaderFault[];
  /** What the row of the table says. */
  readonly what: string;
}

const LEASE_MS = 2_000;
/** For a busy machine: what is promised is a tick of 50 ms after the lease. */
const TAKEOVER_SLACK_MS = 20_000;
const STARTED = Date.parse('2026-03-02T08:00:00+01:00');
const LIMIT_MS = 60_000;

/** The place of one replica: the process that has it now, and its way to the database. */
interface Place {
  replica: SchedulerReplica;
  readonly proxy: TcpProxy;
  readonly url: string;
}

/**
 * Replicas with one job. The test starts every step of a window: one replica begins it, and is killed before or after
 * its write, stopped for twice its lease, or cut off from its database. Another one must take over by the database's
 * clock, and what the first one writes later must be refused.
 */
export class ThreeSchedulers {
  readonly #toPlay: WindowsToPlay;
  readonly #url: string;
  readonly #places: Place[] = [];
  /** One for all questions of the test: there are many thousands. */
  #connection: Connection | undefined;
  #started = 0;
  #longestMs = 0;

  constructor(toPlay: WindowsToPlay) {
    this.#toPlay = toPlay;
    this.#url = toPlay.urls[0] ?? '';
  }

  /** Plays all windows, records the row, and requires that each window had its effect once. */
  async play(): Promise<void> {
    const { urls, faults } = this.#toPlay;
    // A window may be there twice: that is what must not happen.
    await changeRows(
      this.#url,
      'create table effects (id bigint auto_increment primary key, window_at bigint not null, replica varchar(20) not null)',
    );
    this.#connection = await rawConnection(this.#url);
    for (const url of urls) {
      const server = parsedUrl(url);
      if (server.kind !== 'mariadb') throw new Error('replicas need a server');
      const proxy = await TcpProxy.start(server.hosts[0]!);
      const place = { proxy, url: proxy.through(url) };
      this.#places.push({ ...place, replica: await this.#start(place.url, STARTED) });
    }
    for (const [index, fault] of faults.entries()) await this.#playWindow(this.#windowAt(index), fault);
    await this.#requireEachOnce();
  }

  async end(): Promise<void> {
    this.#connection?.destroy();
    await Promise.all(this.#places.map(({ replica }) => replica.kill9()));
    await Promise.all(this.#places.map(({ proxy }) => proxy.close()));
  }

  #windowAt(index: number): number {
    return STARTED + (index + 1) * MINUTE_MS;
  }

  #start(url: string, now: number): Promise<SchedulerReplica> {
    this.#started += 1;
    return SchedulerReplica.start(url, `replica-${this.#started}`, now, LEASE_MS);
  }

  async #playWindow(window: number, fault: LeaderFault): Promise<void> {
    for (const { replica } of this.#places) replica.setClock(window);
    const leader = await this.#begunBy(window, this.#places);
    if (fault === 'stopped') await this.#stopDuring(window, leader);
    else if (fault === 'cut off') await this.#cutOffDuring(window, leader);
    else if (fault === 'killed') await this.#killDuring(window, leader);
    else {
      this.#tellAll(`write ${window}`);
      await until('its effect', () => this.#places.some(({ replica }) => replica.says(`wrote ${window}`)), LIMIT_MS);
      if (fault === 'killed after writing') await this.#killDuring(window, leader);
      else this.#tellAll(`end ${window}`);
    }
    await this.#untilDone(window);
  }

  async #killDuring(window: number, leader: Place): Promise<void> {
    await leader.replica.kill9();
    await this.#takenOver(window, leader);
    leader.replica = await this.#start(leader.url, window);
  }

  async #stopDuring(window: number, leader: Place): Promise<void> {
    await leader.replica.pause();
    const stoppedAt = await this.#now();
    await this.#takenOver(window, leader);
    await until('twice the lease', async () => (await this.#now()) > stoppedAt + 2 * LEASE_MS, LIMIT_MS);
    await this.#requireNoEffectOf(leader, window, () => leader.replica.goOn());
    expect(leader.replica.says(`refused ${window}`)).toBe(true);
  }

  async #cutOffDuring(window: number, leader: Place): Promise<void> {
    leader.proxy.silence();
    await this.#takenOver(window, leader);
    await this.#requireNoEffectOf(leader, window, () => leader.proxy.speak());
  }

  /** Another replica begins, writes and ends the window: not before the lease has ended, and soon after it. */
  async #takenOver(window: number, from: Place): Promise<void> {
    const leaseUntil = Number((await this.#runOf(window))['lease_until']);
    await this.#begunBy(
      window,
      this.#places.filter((place) => place !== from),
    );
    const taken = await until('its take-over is stored', async () => {
      const run = await this.#runOf(window);
      return Number(run['fencing']) > 1 && run;
    });
    const waitedMs = Number(taken['started_at']) - leaseUntil;
    expect(waitedMs).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThan(TAKEOVER_SLACK_MS);
    this.#longestMs = Math.max(this.#longestMs, waitedMs);
    this.#tellAll(`write ${window}`);
    this.#tellAll(`end ${window}`);
    await this.#untilDone(window);
  }

  /** The leader that comes back tries to write, and neither writes nor changes how the window ended. */
  async #requireNoEffectOf({ replica }: Place, window: number, comesBack: () => void): Promise<void> {
    const ended = await this.#runOf(window);
    comesBack();
    const saysHowItEnded = (line: string): boolean => line.endsWith(` ${window}`) && !line.startsWith('begun');
    await until('it has tried to write', () => replica.lines.some(saysHowItEnded), LIMIT_MS);
    expect(replica.lines.filter(saysHowItEnded)).not.toContain(`wrote ${window}`);
    expect(await this.#runOf(window)).toEqual(ended);
  }

  async #requireEachOnce(): Promise<void> {
    const { faults, what } = this.#toPlay;
    const windows = faults.map((_, index) => this.#windowAt(index));
    const effects = await this.#rows('select window_at from effects order by window_at');
    const written = effects.map((row) => Number(row['window_at']));
    const runs = await this.#rows("select window_at from job_runs where status = 'done' order by window_at");
    const count = (fault: LeaderFault): string => `${faults.filter((each) => each === fault).length} ${fault}`;
    recordFault({
      fault: 'F14',
      what: [what, count('killed'), count('killed after writing'), count('stopped'), count('cut off')].join(', '),
      database: 'mariadb',
      rounds: windows.length,
      acknowledged: windows.length,
      lost: windows.length - new Set(written).size,
      doubled: written.length - new Set(written).size,
      longestMs: this.#longestMs,
    });
    expect(written).toEqual(windows);
    expect(runs.map((row) => Number(row['window_at']))).toEqual(windows);
  }

  async #rows(sql: string): Promise<Row[]> {
    if (this.#connection === undefined) throw new Error('nothing is played yet');
    const [rows] = await this.#connection.query(sql);
    return rows as Row[];
  }

  #tellAll(word: string): void {
    for (const { replica } of this.#places) replica.tell(word);
  }

  #begunBy(window: number, among: readonly Place[]): Promise<Place> {
    return until(
      `window ${window} is begun`,
      () => among.find(({ replica }) => replica.says(`begun ${window}`)),
      LIMIT_MS,
    );
  }

  async #runOf(window: number): Promise<Row> {
    return (await this.#rows(`select * from job_runs where window_at = ${window}`))[0] ?? {};
  }

  #untilDone(window: number): Promise<boolean> {
    return until(`window ${window} is done`, async () => (await this.#runOf(window))['status'] === 'done', LIMIT_MS);
  }

  async #now(): Promise<number> {
    const [row] = await this.#rows('select cast(unix_timestamp(now(3)) * 1000 as unsigned) as now_ms');
    return Number(row?.['now_ms']);
  }
}

/** Faults in turn, `count` windows of them. */
export function faultsInTurn(turn: readonly LeaderFault[], count: number): LeaderFault[] {
  return Array.from({ length: count }, (_, index) => turn[index % turn.length] as LeaderFault);
}
