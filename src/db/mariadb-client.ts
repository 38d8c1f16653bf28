import type { Knex } from 'knex';
import MySql2Client from 'knex/lib/dialects/mysql2/index.js';
import { AppError, monotonicClock } from '../kernel';
import { beforeDeadline } from './deadline';
import { StatementDeadlineError } from './errors';
import type { RawConnection } from './raw';

/** How long a host that refused a connection is skipped while another one can be tried. */
const HOST_DOWN_MS = 1_500;

/** The deadline of a statement outside any transaction (a single read). */
const STATEMENT_DEADLINE_MS = 5_000;

const deadlines = new WeakMap<object, number>();

/** Sets the instant of the monotonic clock after which statements on `connection` are aborted. */
export function setStatementDeadline(connection: object, deadlineAt: number | undefined): void {
  if (deadlineAt === undefined) deadlines.delete(connection);
  else deadlines.set(connection, deadlineAt);
}

/** Destroys a connection immediately, so that a late answer on it never reaches the next transaction. */
export function destroyConnection(connection: object, reason: unknown): void {
  const raw = connection as RawConnection;
  raw.__knex__disposed = reason;
  raw.destroy?.();
}

/**
 * knex's mysql2 client with two additions. Every statement, including COMMIT, has a deadline after which its connection
 * is destroyed. The hosts of a cluster are tried in order, so that all processes write to the same one.
 */
export class MariaDbClient extends MySql2Client {
  readonly #downUntil = new Map<string, number>();
  readonly #hosts: readonly { host: string; port: number }[];
  readonly #password: unknown;

  constructor(config: Knex.Config) {
    super(config);
    // mysql2 accepts only one host, and warns about settings that it does not know.
    const { hosts, ...settings } = this.connectionSettings;
    this.#hosts = hosts as { host: string; port: number }[];
    // knex hides the password when settings are copied or printed. This class does too, but must not lose the password.
    this.#password = this.connectionSettings['password'];
    this.connectionSettings = settings;
  }

  protected override async _query(connection: object, query: { sql: string }): Promise<unknown> {
    const deadlineAt = deadlines.get(connection) ?? monotonicClock.now() + STATEMENT_DEADLINE_MS;
    try {
      return await beforeDeadline(super._query(connection, query), deadlineAt);
    } catch (error) {
      if (error instanceof StatementDeadlineError) destroyConnection(connection, error);
      throw error;
    }
  }

  override async acquireRawConnection(): Promise<object> {
    let failure: unknown = new AppError('unavailable', 'every database host is marked down');
    for (const { host, port } of this.#inOrder(this.#hosts)) {
      try {
        this.connectionSettings = Object.defineProperty({ ...this.connectionSettings, host, port }, 'password', {
          value: this.#password,
        });
        return await super.acquireRawConnection();
      } catch (error) {
        failure = error;
        this.#downUntil.set(`${host}:${port}`, monotonicClock.now() + HOST_DOWN_MS);
      }
    }
    throw failure;
  }

  /** Returns the hosts that answered last time first, each group in the configured order. */
  #inOrder(hosts: readonly { host: string; port: number }[]): { host: string; port: number }[] {
    const now = monotonicClock.now();
    const isDown = ({ host, port }: { host: string; port: number }): boolean =>
      (this.#downUntil.get(`${host}:${port}`) ?? 0) > now;
    return [...hosts.filter((host) => !isDown(host)), ...hosts.filter(isDown)];
  }

  // A normal close waits for the server's answer, which an unreachable server never sends.
  override async destroyRawConnection(connection: object): Promise<void> {
    if ((connection as RawConnection).__knex__disposed !== undefined) {
      (connection as RawConnection).destroy?.();
      return;
    }
    await super.destroyRawConnection(connection);
  }
}
