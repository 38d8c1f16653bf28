import { monotonicClock } from '../kernel';
import { beforeDeadline } from './deadline';
import { classifyDatabaseError, HostLeftError, StatementDeadlineError } from './errors';
import { healthAfter, type HostHealth } from './judge-connection';
import type { Row } from './raw';
import { readServerHealth, type ServerQuery } from './server-health';

// In two parts: a process that was busy itself for the first part reads an answer that has come meanwhile.
const DEADLINE_PARTS_MS = [900, 300] as const;

/** The part of a driver's connection that a probe uses. */
export interface ProbeConnection {
  query(sql: string, values: readonly string[], callback: (error: Error | null, rows: unknown) => void): void;
  on(event: 'error', listener: () => void): unknown;
  readonly stream: { unref(): void; destroy(error: Error): void };
}

/** Runs statements on a connection that is no part of a pool. */
export function queryOn(connection: ProbeConnection): ServerQuery {
  return (sql, values) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      connection.query(sql, values, (error, rows) => {
        if (error !== null) reject(error);
        else resolve(rows as readonly Row[]);
      });
    });
}

/** Asks one host for its health, over a connection of its own that stays open. */
export class HostProbe {
  readonly #open: () => ProbeConnection;
  #connection: ProbeConnection | undefined;

  /** `open` starts a connection; statements wait until it is established. */
  constructor(open: () => ProbeConnection) {
    this.#open = open;
  }

  /** Returns the health of the host within about a second. Never rejects. */
  async check(): Promise<HostHealth> {
    const isNew = this.#connection === undefined;
    const failure = await this.#attempt();
    if (!(failure instanceof ProbeFailure)) return failure;
    // A server may end an old connection; only a new one shows whether the server is lost.
    if (isNew || classifyDatabaseError(failure.error) !== 'lost' || isDeadline(failure.error)) {
      return healthAfter(failure.error);
    }
    const again = await this.#attempt();
    return again instanceof ProbeFailure ? healthAfter(again.error) : again;
  }

  close(): void {
    // Its statement fails with this error; a normal close would leave it unanswered.
    this.#connection?.stream.destroy(new HostLeftError('the probe ended'));
    this.#connection = undefined;
  }

  async #attempt(): Promise<HostHealth | ProbeFailure> {
    try {
      const connection = (this.#connection ??= this.#opened());
      return await inTwoParts(readServerHealth(queryOn(connection)));
    } catch (error) {
      this.close();
      return new ProbeFailure(error);
    }
  }

  #opened(): ProbeConnection {
    const connection = this.#open();
    connection.on('error', () => undefined); // the next statement fails and reports it
    connection.stream.unref();
    return connection;
  }
}

class ProbeFailure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

async function inTwoParts<T>(coming: Promise<T>): Promise<T> {
  const [first, second] = DEADLINE_PARTS_MS;
  try {
    return await beforeDeadline(coming, monotonicClock.now() + first);
  } catch (error) {
    if (!isDeadline(error)) throw error;
    return beforeDeadline(coming, monotonicClock.now() + second);
  }
}

function isDeadline(error: unknown): boolean {
  return error instanceof StatementDeadlineError;
}
