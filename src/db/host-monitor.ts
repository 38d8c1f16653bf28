import { type Clock, monotonicClock } from '../kernel';
import { chooseHost, type HostRecord, RETURN_AFTER_MS } from './choose-host';
import type { HostHealth } from './judge-connection';

/** The pause between two probes of a host. */
const PROBE_EVERY_MS = 500;

/** What a monitor needs of the hosts; they are named by their position in the order of preference. */
export interface MonitoredHosts {
  readonly count: number;
  /** Returns the health of a host, within about a second. Never rejects. */
  probe(host: number): Promise<HostHealth>;
  /** Ends every connection to a host, with the statements that run on them. */
  endConnections(host: number): void;
  /** Called after connections begin to go to another host, or to none. */
  changed(from: number | undefined, to: number | undefined): void;
}

export interface MonitorOptions {
  readonly everyMs?: number;
  readonly returnAfterMs?: number;
  readonly clock?: Clock;
}

/**
 * Probes every host of a cluster in the background and chooses the one to which this process connects
 * (`choose-host.ts`). Connections to a host that is lost, or silent while another one is better, are ended, so that no
 * statement waits there until its deadline. Its timers do not keep a process running.
 */
export class HostMonitor {
  readonly #hosts: MonitoredHosts;
  readonly #everyMs: number;
  readonly #returnAfterMs: number;
  readonly #clock: Clock;
  readonly #records: HostRecord[];
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #writer: number | undefined;
  #begun: Promise<void> | undefined;
  #stopped = false;

  constructor(hosts: MonitoredHosts, options: MonitorOptions = {}) {
    this.#hosts = hosts;
    this.#everyMs = options.everyMs ?? PROBE_EVERY_MS;
    this.#returnAfterMs = options.returnAfterMs ?? RETURN_AFTER_MS;
    this.#clock = options.clock ?? monotonicClock;
    this.#records = Array.from({ length: hosts.count }, () => ({ health: undefined }));
  }

  /** The host to which connections go now; undefined if every host is lost. */
  get writer(): number | undefined {
    return this.#writer;
  }

  /** Starts the probes at the first call. Resolves when the preferred host is well, or every host has been probed. */
  begin(): Promise<void> {
    this.#begun ??= new Promise((resolve) => {
      const probed = this.#records.map(async (_, host) => {
        await this.#watch(host);
        if (this.#records[0]?.health === 'well') resolve();
      });
      void Promise.all(probed).then(() => resolve());
    });
    return this.#begun;
  }

  /** Applies what a connection has shown of its host, before the next probe. */
  report(host: number, health: HostHealth): void {
    if (this.#stopped) return;
    this.#note(host, health);
  }

  /** Ends the probes. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** Probes a host, now and again after each pause. Resolves after the first probe. */
  async #watch(host: number): Promise<void> {
    const health = await this.#hosts.probe(host);
    if (this.#stopped) return;
    this.#note(host, health);
    this.#timers.set(host, setTimeout(() => void this.#watch(host), this.#everyMs).unref());
  }

  #note(host: number, health: HostHealth): void {
    const before = this.#records[host];
    this.#records[host] = { health, wellSince: health === 'well' ? this.#wellSince(before) : undefined };
    const from = this.#writer;
    this.#writer = chooseHost(this.#records, from, this.#clock.now(), this.#returnAfterMs);
    this.#records.forEach((record, position) => {
      const isLeft = record.health === 'silent' && position !== this.#writer;
      if (record.health === 'lost' || isLeft) this.#hosts.endConnections(position);
    });
    if (this.#writer !== from) this.#hosts.changed(from, this.#writer);
  }

  #wellSince(before: HostRecord | undefined): number {
    if (before?.health === undefined) return Number.NEGATIVE_INFINITY;
    return before.wellSince ?? this.#clock.now();
  }
}
