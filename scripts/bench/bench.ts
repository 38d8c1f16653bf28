// npm run bench -- [statements] [--megabytes 100] [--currency EUR|TND] [--url DATABASE_URL]
// npm run bench -- match [--items 1000000] [--credits 1000]
// npm run bench -- reconcile [--items 100000] [--credits 30] [--url DATABASE_URL]
// npm run bench -- service [--database mariadb|sqlite|both] [--agents 100000] [--seconds 5] [--rounds 3]
//   [--postings 0,1000000,10000000] [--only <parts>] [--profile]
// npm run bench -- scaling [--agents 100000] [--seconds 5] [--rounds 3] [--postings 1000000]
// npm run bench -- api [--agents 100000] [--payments 1000000] [--url DATABASE_URL]
// npm run bench -- pages [--agents 100000] [--payments 1000000] [--url DATABASE_URL]
// Progress goes to stderr, the table to stdout; the exit code is 1 when an import failed, 2 for bad arguments.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { apiTable } from './api/api-table';
import { benchApi } from './api/bench-api';
import { type BenchArguments, readBenchArguments } from './bench-arguments';
import { benchMatch, matchTable } from './bench-match';
import { benchReconcile, reconcileTable } from './bench-reconcile';
import { benchServer } from './bench-server';
import { benchStatements } from './import-statement';
import { makeCamt053 } from './make-camt053';
import { benchNewPages, benchPages } from './pages/bench-pages';
import { isAbove, pageTable } from './pages/page-table';
import { roundTable } from './round-table';
import { benchScaling } from './service/bench-scaling';
import { benchService } from './service/bench-service';

const ROOT = join(__dirname, '..', '..');
const PAGE_REPEATS = 21;
const BYTES_PER_MEGABYTE = 1_000_000;
const HELP = `npm run bench -- [statements] [options]
  imports a large camt.053 into MariaDB, and inserts the same rows plainly, in turns
  --megabytes <n>   how large the file is, from 1 to 1000 (100)
  --currency <code> EUR, or TND, whose lines are also posted (EUR)
  --url <url>       a server on which databases may be made and dropped; without it a private one is started
npm run bench -- camt053 --output <file> [--megabytes <n>] [--currency <code>] [--seed <n>]
  only writes such a file
npm run bench -- match [--items <n>] [--credits <n>]
  explains bank credits from files (1000000 items, 1000 credits)
npm run bench -- reconcile [--items <n>] [--credits <n>] [--url <url>]
  explains bank credits on MariaDB, and inserts the rows that this wrote once more, plainly (100000 items, 30 credits)
npm run bench -- api [--agents <n>] [--payments <n>] [--url <url>]
  asks every list of the HTTP API on MariaDB and counts the rows that it reads (100000 agents, 1000000 payments)
npm run bench -- pages [--agents <n>] [--payments <n>] [--url <url>]
  asks for every page of the console and counts the rows that MariaDB reads (100000 agents, 1000000 payments)
  --url <url>       the database of mysql:// or sqlite:, filled if it is empty, and kept; without it a new one
npm run bench -- service [options]
  measures checks and confirms under load from wrk, and compares them with a plain Express app
  --database <kind>  mariadb, sqlite or both (both)
  --agents <n>       the number of agents (100000)
  --seconds <n>      the length of a measurement (5)
  --rounds <n>       measurements of each case, in turns; figures are medians (3)
  --postings <list>  sizes of books, separated by commas (0,1000000,10000000)
  --only <parts>     some of calls, processes, logging, books, statements and profile (all except profile)
  --profile          only the share of CPU time by part of the program
npm run bench -- scaling [--agents <n>] [--seconds <n>] [--rounds <n>] [--postings <n>]
  measures the same calls with one to three processes, on one server and on a cluster of three nodes, and a new index
  --postings <n>     the size of both books (1000000)`;

// After an interrupt, exit removes the folder and the server of the run.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

void main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

async function main(args: readonly string[]): Promise<number> {
  const given = readBenchArguments(args);
  if (typeof given === 'string') {
    console.error(`bench: ${given}`);
    return 2;
  }
  switch (given.command) {
    case 'help':
      console.log(HELP);
      return 0;
    case 'camt053':
      return writeFile(given);
    case 'statements':
      return statements(given);
    case 'match':
      return match(given);
    case 'reconcile':
      return reconcile(given);
    case 'service':
      return service(given);
    case 'scaling':
      return scaling(given);
    case 'api':
      return api(given);
    case 'pages':
      return pages(given);
  }
}

async function api({ agents, payments, url }: BenchArguments): Promise<number> {
  const server = await benchServer(url, ['--innodb-buffer-pool-size=2G']);
  try {
    const measured = await benchApi(server, { agents, payments }, (text) => console.error(text));
    console.log(apiTable(measured));
    return measured.every(({ rowsRead, rowsMax }) => rowsRead <= rowsMax) ? 0 : 1;
  } finally {
    await server.remove();
  }
}

async function pages({ agents, payments, url }: BenchArguments): Promise<number> {
  const options = { size: { agents, payments }, repeats: PAGE_REPEATS, report: tell };
  const measured = await (url === undefined ? benchNewPages(options) : benchPages(url, options));
  console.log(pageTable(measured));
  return measured.some(isAbove) ? 1 : 0;
}

async function writeFile({ output = '', megabytes, currency, seed }: BenchArguments): Promise<number> {
  const { entries } = await makeCamt053(output, { bytes: megabytes * BYTES_PER_MEGABYTE, currency, seed });
  console.log(`${output}: ${entries} entries`);
  return 0;
}

async function statements({ megabytes, currency, url }: BenchArguments): Promise<number> {
  if (!build()) return 1;
  const rounds = await benchStatements({ megabytes, currency, url }, tell);
  if (rounds === undefined) return 1;
  console.log(roundTable(rounds));
  return 0;
}

async function match({ items, credits }: BenchArguments): Promise<number> {
  if (!build()) return 1;
  const round = await benchMatch({ items, credits }, tell);
  if (round === undefined) return 1;
  console.log(matchTable(round));
  return 0;
}

async function reconcile({ items, credits, url }: BenchArguments): Promise<number> {
  if (!build()) return 1;
  const rounds = await benchReconcile({ items, credits, url }, tell);
  if (rounds === undefined) return 1;
  console.log(reconcileTable(rounds));
  return 0;
}

async function scaling({ service: options }: BenchArguments): Promise<number> {
  if (options === undefined || !build()) return 1;
  console.log(await benchScaling(options, tell));
  return 0;
}

async function service({ service: options }: BenchArguments): Promise<number> {
  if (options === undefined || !build()) return 1;
  await benchService(options, tell, (text) => console.log(text));
  return 0;
}

function build(): boolean {
  return spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0;
}

function tell(text: string): void {
  console.error(`bench: ${text}`);
}
