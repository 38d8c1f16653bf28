// npm run bench -- [statements] [--megabytes 100] [--currency EUR|TND] [--url DATABASE_URL]
// Progress goes to stderr, the table to stdout; the exit code is 1 when an import failed, 2 for bad arguments.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readBenchArguments, type BenchArguments } from './bench-arguments';
import { benchStatements } from './import-statement';
import { makeCamt053 } from './make-camt053';
import { roundTable } from './round-table';

const ROOT = join(__dirname, '..', '..');
const BYTES_PER_MEGABYTE = 1_000_000;
const HELP = `npm run bench -- [statements] [options]
  imports a large camt.053 into MariaDB, and inserts the same rows plainly, in turns
  --megabytes <n>   how large the file is, from 1 to 1000 (100)
  --currency <code> EUR, or TND, whose lines are also posted (EUR)
  --url <url>       a server on which databases may be made and dropped; without it a private one is started
npm run bench -- camt053 --output <file> [--megabytes <n>] [--currency <code>] [--seed <n>]
  only writes such a file`;

// What was begun must end when a person interrupts: the folder and the server of the run go with it.
process.once('SIGINT', () => process.exit(130));

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
  }
}

async function writeFile({ output = '', megabytes, currency, seed }: BenchArguments): Promise<number> {
  const { entries } = await makeCamt053(output, { bytes: megabytes * BYTES_PER_MEGABYTE, currency, seed });
  console.log(`${output}: ${entries} entries`);
  return 0;
}

async function statements({ megabytes, currency, url }: BenchArguments): Promise<number> {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) return 1;
  const rounds = await benchStatements({ megabytes, currency, url }, (text) => console.error(`bench: ${text}`));
  if (rounds === undefined) return 1;
  console.log(roundTable(rounds));
  return 0;
}
