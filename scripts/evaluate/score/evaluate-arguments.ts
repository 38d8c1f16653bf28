import { parseArgs } from 'node:util';

export interface EvaluateArguments {
  readonly seeds: number;
  readonly firstSeed: number;
  /** Undefined: all. */
  readonly scenarios: readonly string[] | undefined;
  readonly size: number;
  readonly jobs: number;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly shuffles: number;
  readonly explain:
    { readonly scenario: string; readonly seed: number; readonly lineId: string | undefined } | undefined;
  /** The limit for `explain`. */
  readonly maxError: number;
  readonly help: boolean;
}

const SEEDS_DEFAULT = '3';
const SEEDS_MAX = 1_000;
const SEED_MAX = 4_294_967_295;
const JOBS_DEFAULT = '2';
const JOBS_MAX = 64;
const SHUFFLES_MAX = 1_000;
const SIZE_MAX = 1_000;
const MAX_ERROR_DEFAULT = '0.001';

/** Reads the arguments. Returns a text with the fault if they are invalid. `known`: the existing scenarios. */
export function readEvaluateArguments(args: readonly string[], known: readonly string[]): EvaluateArguments | string {
  let values: ReturnType<typeof parsedOptions>['values'];
  try {
    ({ values } = parsedOptions(args));
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split(/[\n.]/)[0] ?? '';
  }
  const seeds = wholeNumber(values.seeds ?? SEEDS_DEFAULT, 1, SEEDS_MAX);
  const firstSeed = wholeNumber(values['first-seed'] ?? '1', 0, SEED_MAX - SEEDS_MAX);
  const jobs = wholeNumber(values.jobs ?? JOBS_DEFAULT, 1, JOBS_MAX);
  const shuffles = wholeNumber(values.shuffles ?? '0', 0, SHUFFLES_MAX);
  const size = Number(values.size ?? '1');
  const maxError = Number(values['max-error'] ?? MAX_ERROR_DEFAULT);
  const scenarios = values.scenarios?.split(',');
  const unknown = scenarios?.find((name) => !known.includes(name));
  const explain = values.explain === undefined ? undefined : readExplain(values.explain, known);
  if (seeds === undefined) return `--seeds must be a whole number from 1 to ${SEEDS_MAX}`;
  if (firstSeed === undefined) return `--first-seed must be a whole number from 0 to ${SEED_MAX - SEEDS_MAX}`;
  if (jobs === undefined) return `--jobs must be a whole number from 1 to ${JOBS_MAX}`;
  if (shuffles === undefined) return `--shuffles must be a whole number from 0 to ${SHUFFLES_MAX}`;
  if (!(size > 0 && size <= SIZE_MAX)) return `--size must be a number above 0 and up to ${SIZE_MAX}`;
  if (!(maxError > 0 && maxError < 1)) return '--max-error must be a number above 0 and below 1';
  if (unknown !== undefined) return `--scenarios: there is no ${JSON.stringify(unknown)}, but ${known.join(', ')}`;
  if (typeof explain === 'string') return explain;
  const { json, markdown, help = false } = values;
  return { seeds, firstSeed, scenarios, size, jobs, json, markdown, shuffles, explain, maxError, help };
}

/** Reads `scenario:seed` or `scenario:seed:line`. */
function readExplain(text: string, known: readonly string[]): NonNullable<EvaluateArguments['explain']> | string {
  const [scenario = '', seedText = '', ...rest] = text.split(':');
  const seed = wholeNumber(seedText, 0, SEED_MAX);
  if (!known.includes(scenario) || seed === undefined) return '--explain must be scenario:seed or scenario:seed:line';
  return { scenario, seed, lineId: rest.length === 0 ? undefined : rest.join(':') };
}

function parsedOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      'first-seed': { type: 'string' },
      scenarios: { type: 'string' },
      size: { type: 'string' },
      jobs: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      shuffles: { type: 'string' },
      explain: { type: 'string' },
      'max-error': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,10}$/.test(text) && value >= least && value <= most ? value : undefined;
}
