import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app';
import { compose, type Millime } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { answerRequests, createHttpServer } from '../../../src/http';
import { OPERATOR, SCOPES } from '../../../src/identity';
import { counted } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import type { BenchServer } from '../bench-server';
import { createMariaDb, numberOf, type ServiceDatabase } from '../service/service-database';
import { API_CASES, type ApiCase } from './api-cases';
import { type BooksSize, fillBooks } from './fill-books';

/** A measured request: the median time, and the rows that the database read. */
export interface MeasuredCase {
  readonly name: string;
  readonly ms: number;
  readonly rowsRead: number;
  readonly rowsAnswered: number;
  readonly rowsMax: number;
}

const REPEATS = 7;
const ROWS_READ =
  "select sum(variable_value) from information_schema.global_status where variable_name like 'handler_read%'";

/** Fills a database, then asks every list of the API and counts the rows that MariaDB reads for it. */
export async function benchApi(
  server: BenchServer,
  size: BooksSize,
  report: (text: string) => void,
): Promise<MeasuredCase[]> {
  const database = await createMariaDb(server, `millime_bench_api_${process.pid}`);
  const millime = compose(loadConfig({ DATABASE_URL: database.url, API_REQUESTS_PER_MINUTE: '9999999' }), silentLogger);
  try {
    await millime.migrate();
    report(`filling ${counted(size.agents, 'agent')} and ${counted(size.payments, 'payment')}`);
    await fillBooks(millime, database, size);
    return await onServer(millime, async (get) => {
      const measured: MeasuredCase[] = [];
      for (const each of API_CASES) {
        measured.push(await measure(each, get, database));
        report(`${each.name}: ${counted(measured.at(-1)?.rowsRead ?? 0, 'row')}`);
      }
      return measured;
    });
  } finally {
    await millime.close();
    await database.rows(`drop database \`millime_bench_api_${process.pid}\``);
    database.close();
  }
}

type Get = (each: ApiCase) => Promise<unknown>;

async function onServer<T>(millime: Millime, work: (get: Get) => Promise<T>): Promise<T> {
  const { text = '' } = await millime.identity.createKey({
    name: 'bench',
    scopes: SCOPES,
    actor: OPERATOR,
    dryRun: false,
  });
  const server = createHttpServer({ logger: silentLogger });
  answerRequests(server, createApp(millime));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await work(async ({ path, body }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json', Connection: 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const content = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${content}`);
      return JSON.parse(content) as unknown;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function measure(each: ApiCase, get: Get, database: ServiceDatabase): Promise<MeasuredCase> {
  const { name, rowsMax } = each;
  const answer = (await get(each)) as { data?: readonly unknown[]; agents?: readonly unknown[] };
  // The counter counts its own reading, always by the same number.
  const [first, second] = [await numberOf(database, ROWS_READ), await numberOf(database, ROWS_READ)];
  await get(each);
  const rowsRead = (await numberOf(database, ROWS_READ)) - second - (second - first);
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const startedAt = performance.now();
    await get(each);
    times.push(performance.now() - startedAt);
  }
  const ms = times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0;
  return { name, ms, rowsRead, rowsAnswered: (answer.data ?? answer.agents ?? [answer]).length, rowsMax };
}
