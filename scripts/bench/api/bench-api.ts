import { compose, type Millime } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { OPERATOR, SCOPES } from '../../../src/identity';
import { counted } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import type { BenchServer } from '../bench-server';
import { createMariaDb, type ServiceDatabase } from '../service/service-database';
import { API_CASES, type ApiCase } from './api-cases';
import { type BooksSize, fillBooks } from './fill-books';
import { onLocalServer } from './local-server';
import { atShare, rowsReadBy, timesOf } from './rows-read';

/** A measured request: the median time, and the rows that the database read. */
export interface MeasuredCase {
  readonly name: string;
  readonly ms: number;
  readonly rowsRead: number;
  readonly rowsAnswered: number;
  readonly rowsMax: number;
}

const REPEATS = 7;
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
  return onLocalServer(millime, (baseUrl) =>
    work(async ({ path, body }) => {
      const answer = await fetch(`${baseUrl}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json', Connection: 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const content = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${content}`);
      return JSON.parse(content) as unknown;
    }),
  );
}

async function measure(each: ApiCase, get: Get, database: ServiceDatabase): Promise<MeasuredCase> {
  const { name, rowsMax } = each;
  const answer = (await get(each)) as { data?: readonly unknown[]; agents?: readonly unknown[] };
  const rowsRead = (await rowsReadBy(database, () => get(each))) ?? Number.NaN;
  const ms = atShare(await timesOf(REPEATS, () => get(each)), 0.5);
  return { name, ms, rowsRead, rowsAnswered: (answer.data ?? answer.agents ?? [answer]).length, rowsMax };
}
