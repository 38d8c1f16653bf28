import { parseArgs } from 'node:util';
import type { BenchCurrency } from './make-camt053';
import { readServiceArguments, SERVICE_OPTIONS, type ServiceArguments } from './service/service-arguments';

export interface BenchArguments {
  readonly command: 'statements' | 'camt053' | 'match' | 'reconcile' | 'service' | 'scaling' | 'api' | 'pages' | 'help';
  readonly megabytes: number;
  readonly currency: BenchCurrency;
  readonly url: string | undefined;
  readonly seed: number;
  /** The file that `camt053` writes. */
  readonly output: string | undefined;
  /** The number of items that `match` gets, or that are open for `reconcile`. */
  readonly items: number;
  readonly credits: number;
  /** The numbers of agents and payments of `api` and `pages`. */
  readonly agents: number;
  readonly payments: number;
  /** The options of `service` and `scaling`; undefined for the others. */
  readonly service?: ServiceArguments;
}

const MEGABYTES_DEFAULT = 100;
const MEGABYTES_MAX = 1_000;
const SEED_MAX = 999_999;
const ITEMS_DEFAULT = 1_000_000;
/** The measurement of `reconcile` covers a month of days. */
const RECONCILED_ITEMS_DEFAULT = 100_000;
const RECONCILED_CREDITS_DEFAULT = 30;
const ITEMS_MAX = 3_000_000;
const CREDITS_DEFAULT = 1_000;
/** One credit a day, and the known holidays end at some year. */
const CREDITS_MAX = 1_000;
const AGENTS_MAX = 1_000_000;
const PAYMENTS_DEFAULT = 1_000_000;

/** Reads the arguments. Returns a text with the fault if they are invalid. */
export function readBenchArguments(args: readonly string[]): BenchArguments | string {
  let parsed: ReturnType<typeof parsedOptions>;
  try {
    parsed = parsedOptions(args);
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split(/[\n.]/)[0] ?? '';
  }
  const { values, positionals } = parsed;
  const [command = 'statements', ...more] = values.help === true ? ['help'] : positionals;
  if (!isCommand(command) || more.length > 0) {
    return `there is no benchmark ${JSON.stringify([command, ...more].join(' '))}`;
  }
  const { currency = 'EUR', url, output } = values;
  const megabytes = wholeNumber(values.megabytes ?? String(MEGABYTES_DEFAULT), MEGABYTES_MAX);
  const seed = wholeNumber(values.seed ?? '1', SEED_MAX);
  const [itemsDefault, creditsDefault] =
    command === 'reconcile' ? [RECONCILED_ITEMS_DEFAULT, RECONCILED_CREDITS_DEFAULT] : [ITEMS_DEFAULT, CREDITS_DEFAULT];
  const items = wholeNumber(values.items ?? String(itemsDefault), ITEMS_MAX);
  const credits = wholeNumber(values.credits ?? String(creditsDefault), CREDITS_MAX);
  const agents = wholeNumber(values.agents, AGENTS_MAX);
  const payments = wholeNumber(values.payments ?? String(PAYMENTS_DEFAULT), ITEMS_MAX);
  if (agents === undefined) return `--agents must be a whole number from 1 to ${AGENTS_MAX}`;
  if (payments === undefined) return `--payments must be a whole number from 1 to ${ITEMS_MAX}`;
  if (currency !== 'EUR' && currency !== 'TND') return '--currency must be EUR or TND';
  if (megabytes === undefined) return `--megabytes must be a whole number from 1 to ${MEGABYTES_MAX}`;
  if (seed === undefined) return `--seed must be a whole number from 1 to ${SEED_MAX}`;
  if (items === undefined) return `--items must be a whole number from 1 to ${ITEMS_MAX}`;
  if (credits === undefined) return `--credits must be a whole number from 1 to ${CREDITS_MAX}`;
  if (command === 'camt053' && output === undefined) return 'camt053 needs --output <file>';
  const given: BenchArguments = { command, megabytes, currency, url, seed, output, items, credits, agents, payments };
  if (command !== 'service' && command !== 'scaling') return given;
  const service = readServiceArguments(values);
  return typeof service === 'string' ? service : { ...given, service };
}

function isCommand(text: string): text is BenchArguments['command'] {
  return ['statements', 'camt053', 'match', 'reconcile', 'service', 'scaling', 'api', 'pages', 'help'].includes(text);
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
      items: { type: 'string' },
      credits: { type: 'string' },
      payments: { type: 'string' },
      ...SERVICE_OPTIONS,
      help: { type: 'boolean' },
    },
  });
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,7}$/.test(text) && value >= 1 && value <= most ? value : undefined;
}
