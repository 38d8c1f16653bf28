import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';
import { parse } from 'csv-parse/sync';

const PROGRAM = 'hledger';
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0;
if (!isInstalled && process.env['CI'] === 'true') throw new Error('CI=true, but there is no hledger: install hledger');
if (!isInstalled) process.stderr.write('hledger: not installed; the tests that ask it are skipped (install hledger)\n');

/** For tests that ask hledger, a program of other people's making. Reported as skipped where it is not installed. */
export const describeWithHledger: (name: string, define: () => void) => void = (name, define) =>
  isInstalled ? describe(name, define) : describe.skip(name, define);

export interface HledgerAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs hledger on a journal. */
export function hledger(journal: string, ...args: readonly string[]): HledgerAnswer {
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['-f', '-', ...args], {
    input: journal,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    // Where the locale is not UTF-8 hledger refuses what is not ASCII, and an export is ASCII.
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  return { code: status, stdout, stderr };
}

/** The balance of every account in millimes, as hledger computes it, under our own names. */
export function hledgerBalances(journal: string): Map<string, bigint> {
  const { code, stdout, stderr } = hledger(journal, 'balance', '--flat', '--empty', '--no-total', '-O', 'csv');
  if (code !== 0) throw new Error(`hledger balance ended with ${code}: ${stderr}`);
  const [, ...rows] = parse(stdout);
  return new Map(rows.map(([account = '', balance = '']) => [decodeAccount(account), parseTnd(balance)]));
}

/** The first colon is the one between kind and id; all others are encoded. */
function decodeAccount(account: string): string {
  return account.split(':').map(decodeURIComponent).join(':');
}

function parseTnd(text: string): bigint {
  if (text === '0') return 0n;
  if (!/^-?\d+\.\d{3} TND$/.test(text)) throw new Error(`not an amount with three decimals: ${text}`);
  return BigInt(text.replace('.', '').replace(' TND', ''));
}
