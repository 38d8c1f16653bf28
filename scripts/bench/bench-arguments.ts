import { parseArgs } from 'node:util';
import type { BenchCurrency } from './make-camt053';

export interface BenchArguments {
  readonly command: 'statements' | 'camt053' | 'help';
  readonly megabytes: number;
  readonly currency: BenchCurrency;
  readonly url: string | undefined;
  readonly seed: number;
  /** The file that `camt053` writes. */
  readonly output: string | undefined;
}

const MEGABYTES_DEFAULT = 100;
const MEGABYTES_MAX = 1_000;
const SEED_MAX = 999_999;

/** Reads the arguments; a text says in one line what is wrong with them. */
export function readBenchArguments(args: readonly string[]): BenchArguments | string {
  let parsed: ReturnType<typeof parsedOptions>;
  try {
    parsed = parsedOptions(args);
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split(/[\n.]/)[0] ?? '';
  }
  const { values, positionals } = parsed;
  const [command = 'statements', ...more] = values.help === true ? ['help'] : positionals;
  if ((command !== 'statements' && command !== 'camt053' && command !== 'help') || more.length > 0) {
    return `there is no benchmark ${JSON.stringify([command, ...more].join(' '))}`;
  }
  const { currency = 'EUR', url, output } = values;
  const megabytes = wholeNumber(values.megabytes ?? String(MEGABYTES_DEFAULT), MEGABYTES_MAX);
  const seed = wholeNumber(values.seed ?? '1', SEED_MAX);
  if (currency !== 'EUR' && currency !== 'TND') return '--currency must be EUR or TND';
  if (megabytes === undefined) return `--megabytes must be a whole number from 1 to ${MEGABYTES_MAX}`;
  if (seed === undefined) return `--seed must be a whole number from 1 to ${SEED_MAX}`;
  if (command === 'camt053' && output === undefined) return 'camt053 needs --output <file>';
  return { command, megabytes, currency, url, seed, output };
}

function parsedOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      megabytes: { type: 'string' },
      currency: { type: 'string' },
      url: { type: 'string' },
      seed: { type: 'string' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,6}$/.test(text) && value >= 1 && value <= most ? value : undefined;
}
