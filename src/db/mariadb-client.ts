import type { Knex } from 'knex';
import MySql2Client from 'knex/lib/dialects/mysql2/index.js';
import { monotonicClock } from '../kernel';
import { beforeDeadline } from './deadline';
import { HostLeftError, NoHostError, StatementDeadlineError, UnreadableAnswerError } from './errors';
import { HostMonitor } from './host-monitor';
import { HostProbe, type ProbeConnection, queryOn } from './host-probe';
import { healthAfter, type HostHealth } from './judge-connection';
import type { RawConnection } from './raw';
import type { Row } from './raw';
import type { ServerQuery } from './server-health';

/** The deadline of a statement outside any transaction (a single read). */
const STATEMENT_DEADLINE_MS = 5_000;
/** How long a host may take that is asked beside the pool. */
const ASK_DEADLINE_MS = 1_200;

interface Host {
  readonly host: string;
  readonly port: number;
}

const BEGIN = 'START TRANSACTION';

/** A statement of knex. Its driver adds the response. */
interface Query {
  readonly sql: string;
  response?: readonly [results: unknown, fields: unknown];
}

const deadlines = new WeakMap<object, number>();

/** Sets the instant of the monotonic clock after which statements on `connection` are aborted. */
export function setStatementDeadline(connection: object, deadlineAt: number | undefined): void {
  if (deadlineAt === undefined) deadlines.delete(connection);
  else deadlines.set(connection, deadlineAt);
}

const notBegun = new WeakSet<object>();

/** Makes the transaction of a connection begin with its next statement; BEGIN then takes no round trip of its own. */
export function beginWithNext(connection: object, isWanted: boolean): void {
  if (isWanted) notBegun.add(connection);
  else notBegun.delete(connection);
}

/** Destroys a connection immediately, so that a late answer on it never reaches the next transaction. */
export function destroyConnection(connection: object, reason: unknown): void {
  const raw = connection as RawConnection;
  raw.__knex__disposed = reason;
  raw.destroy?.();
}

/** Ends a connection whose host is left. Its running statement fails immediately with HostLeftError. */
function cutConnection(connection: RawConnection): void {
  const reason = new HostLeftError('the host of this connection was left');
  connection.__knex__disposed ??= reason;
  connection.stream?.destroy(reason);
}

/** Whether mysql2 ended the connection because of this error, which it gives no code then. */
function isUnreadable(error: unknown, connection: object): boolean {
  const { _fatalError: fatal } = connection as { readonly _fatalError?: unknown };
  return fatal === error && (error as { readonly code?: unknown }).code === undefined;
}

/** Called after connections begin to go to another host of a cluster, or to none. */
export type HostChanged = (from: string | undefined, to: string | undefined) => void;

/** The settings that this client reads besides those of knex. */
export interface MariaDbClientConfig extends Knex.Config {
  readonly hostChanged?: HostChanged;
}

/**
 * knex's mysql2 client with two additions. Every statement, including COMMIT, has a deadline after which its connection
 * is destroyed. With several hosts all connections go to one of them, which a monitor chooses (`host-monitor.ts`).
 */
export class MariaDbClient extends MySql2Client {
  readonly #hosts: readonly Host[];
  readonly #settings: (host: Host) => Record<string, unknown>;
  readonly #cluster: { readonly monitor: HostMonitor; readonly probes: readonly HostProbe[] } | undefined;
  readonly #hostOf = new WeakMap<object, number>();
  readonly #connections: readonly Set<RawConnection>[];

  constructor(config: MariaDbClientConfig) {
    super(config);
    // mysql2 accepts only one host, and warns about settings that it does not know.
    const { hosts, ...settings } = this.connectionSettings;
    this.#hosts = hosts as Host[];
    // knex hides the password when settings are copied or printed. This class does too, but must not lose the password.
    const password = this.connectionSettings['password'];
    this.#settings = ({ host, port }) =>
      Object.defineProperty({ ...settings, host, port }, 'password', { value: password });
    this.connectionSettings = settings;
    this.#connections = this.#hosts.map(() => new Set());
    this.#cluster = this.#hosts.length > 1 ? this.#watchHosts(config.hostChanged) : undefined;
  }

  /** Whether a transaction that a host could not serve may find another one. */
  get hasSeveralHosts(): boolean {
    return this.#cluster !== undefined;
  }

  /** Notes what a connection has shown of its host; the next connection goes to a better one if one exists. */
  reportHost(connection: object, health: HostHealth): void {
    const host = this.#hostOf.get(connection);
    if (host !== undefined) this.#cluster?.monitor.report(host, health);
  }

  /**
   * Asks every host over a connection of its own, outside the pool. The answer of one that fails, or does not answer within
   * about a second, is undefined. Never rejects.
   */
  async askEachHost<T>(
    ask: (query: ServerQuery, host: string) => Promise<T>,
  ): Promise<{ readonly host: string; readonly answer: T | undefined }[]> {
    const answers = this.#hosts.map(async (host) => {
      const connection = this.driver.createConnection(this.#settings(host)) as ProbeConnection;
      connection.on('error', () => undefined); // its statement fails and reports it
      try {
        const coming = ask(queryOn(connection), nameOf(host));
        return { host: nameOf(host), answer: await beforeDeadline(coming, monotonicClock.now() + ASK_DEADLINE_MS) };
      } catch {
        return { host: nameOf(host), answer: undefined };
      } finally {
        connection.stream.destroy(new HostLeftError('it was asked'));
      }
    });
    return Promise.all(answers);
  }

  protected override async _query(connection: object, query: Query): Promise<unknown> {
    if (notBegun.delete(connection)) await this.send(connection, { sql: BEGIN });
    return this.send(connection, query);
  }

  /**
   * Runs statements in their order, in one round trip, and returns the rows of the SELECTs among them. The first error
   * ends it. Several go as one compound statement (MariaDB 10.1.1), in which each has its own view, as it has alone.
   */
  async together(connection: object, statements: readonly string[]): Promise<readonly (readonly Row[])[]> {
    if (statements.length === 0) return [];
    const all = notBegun.delete(connection) ? [BEGIN, ...statements] : statements;
    const query: Query = { sql: all.length === 1 ? String(all[0]) : `begin not atomic\n${all.join(';\n')};\nend` };
    await this.send(connection, query);
    const [results] = query.response ?? [];
    if (!Array.isArray(results)) return [];
    return (all.length === 1 ? [results] : results.filter(Array.isArray)) as Row[][];
  }

  // Not a #method: knex copies a client for its own transactions, without such members.
  private async send(connection: object, query: Query): Promise<unknown> {
    const deadlineAt = deadlines.get(connection) ?? monotonicClock.now() + STATEMENT_DEADLINE_MS;
    try {
      return await beforeDeadline(super._query(connection, query), deadlineAt);
    } catch (error) {
      if (error instanceof StatementDeadlineError) destroyConnection(connection, error);
      if (isUnreadable(error, connection)) {
        throw new UnreadableAnswerError('the answer of the database cannot be read', { cause: error });
      }
      throw error;
    }
  }

  override async acquireRawConnection(): Promise<object> {
    if (this.#cluster === undefined) return this.#connectTo(0);
    const { monitor } = this.#cluster;
    await monitor.begin();
    let failure: unknown = new NoHostError('no host of the database can serve');
    const tried = new Set<number>();
    for (;;) {
      const host = monitor.writer;
      if (host === undefined || tried.has(host)) throw failure;
      tried.add(host);
      try {
        const connection = await this.#connectTo(host);
        if (monitor.writer === host) return connection;
        tried.delete(host); // it was left meanwhile, and did not fail
        await this.destroyRawConnection(connection);
      } catch (error) {
        failure = error;
        monitor.report(host, healthAfter(error));
      }
    }
  }

  /** Refuses connections to a host that was left; the pool then destroys them. */
  override async validateConnection(connection: object): Promise<boolean> {
    if (!(await super.validateConnection(connection))) return false;
    return this.#cluster === undefined || this.#hostOf.get(connection) === this.#cluster.monitor.writer;
  }

  // A normal close waits for the server's answer, which an unreachable server never sends.
  override async destroyRawConnection(connection: object): Promise<void> {
    const host = this.#hostOf.get(connection);
    if (host !== undefined) this.#connections[host]?.delete(connection);
    if ((connection as RawConnection).__knex__disposed !== undefined) {
      (connection as RawConnection).destroy?.();
      return;
    }
    await super.destroyRawConnection(connection);
  }

  override async destroy(callback?: () => void): Promise<void> {
    this.#cluster?.monitor.stop();
    this.#cluster?.probes.forEach((probe) => probe.close());
    await super.destroy(callback);
  }

  async #connectTo(position: number): Promise<object> {
    this.connectionSettings = this.#settings(this.#hosts[position] as Host);
    const connection = await super.acquireRawConnection();
    this.#hostOf.set(connection, position);
    this.#connections[position]?.add(connection);
    return connection;
  }

  #watchHosts(changed: HostChanged = () => undefined) {
    const nameAt = (position: number | undefined): string | undefined => {
      const host = position === undefined ? undefined : this.#hosts[position];
      return host === undefined ? undefined : nameOf(host);
    };
    const probes = this.#hosts.map(
      (host) => new HostProbe(() => this.driver.createConnection(this.#settings(host)) as ProbeConnection),
    );
    const monitor = new HostMonitor({
      count: this.#hosts.length,
      probe: (position) => (probes[position] as HostProbe).check(),
      endConnections: (position) => this.#connections[position]?.forEach(cutConnection),
      changed: (from, to) => changed(nameAt(from), nameAt(to)),
    });
    return { monitor, probes };
  }
}

function nameOf({ host, port }: Host): string {
  return `${host}:${port}`;
}
