import type { DatabaseKind } from './service-database';

/** The parts of the benchmark. Each can run alone. */
const PARTS = ['calls', 'processes', 'logging', 'books', 'statements', 'profile'] as const;
export type ServicePart = (typeof PARTS)[number];

export interface ServiceArguments {
  readonly databases: readonly DatabaseKind[];
  readonly agents: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The sizes of books, smallest first, without 0: books without postings are always measured. */
  readonly postings: readonly number[];
  readonly parts: readonly ServicePart[];
}

/** The options of `service`, as `parseArgs` reads them. */
export const SERVICE_OPTIONS = {
  database: { type: 'string', default: 'both' },
  agents: { type: 'string', default: '100000' },
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
  postings: { type: 'string', default: '0,1000000,10000000' },
  only: { type: 'string' },
  profile: { type: 'boolean', default: false },
} as const;

type ServiceValues = Readonly<Record<'database' | 'agents' | 'seconds' | 'rounds' | 'postings', string>> & {
  readonly only?: string | undefined;
  readonly profile: boolean;
};

const DATABASES: Readonly<Record<string, readonly DatabaseKind[]>> = {
  mariadb: ['mariadb'],
  sqlite: ['sqlite'],
  both: ['mariadb', 'sqlite'],
};
const AGENTS_MAX = 9_999_999;
const SECONDS_MAX = 600;
const ROUNDS_MAX = 99;
const POSTINGS_MAX = 99_999_999;

/** Reads the values of the options. Returns a text with the fault if one is invalid. */
export function readServiceArguments(values: ServiceValues): ServiceArguments | string {
  const databases = DATABASES[values.database];
  const [agents, seconds, rounds] = [Number(values.agents), Number(values.seconds), Number(values.rounds)];
  const sizes = values.postings.split(',').map(Number);
  const parts = (values.only ?? (values.profile ? 'profile' : PARTS.slice(0, -1).join(','))).split(',');
  if (databases === undefined) return '--database must be mariadb, sqlite or both';
  if (!isWhole(agents, 1, AGENTS_MAX)) return `--agents must be a whole number from 1 to ${AGENTS_MAX}`;
  if (!isWhole(seconds, 1, SECONDS_MAX)) return `--seconds must be a whole number from 1 to ${SECONDS_MAX}`;
  if (!isWhole(rounds, 1, ROUNDS_MAX)) return `--rounds must be a whole number from 1 to ${ROUNDS_MAX}`;
  if (!sizes.every((size) => isWhole(size, 0, POSTINGS_MAX))) {
    return `--postings must be whole numbers from 0 to ${POSTINGS_MAX}, separated by commas`;
  }
  if (!parts.every(isPart)) return `--only must be some of ${PARTS.join(', ')}, separated by commas`;
  const postings = [...new Set(sizes)].filter((size) => size > 0).sort((a, b) => a - b);
  return { databases, agents, seconds, rounds, postings, parts };
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function isPart(text: string): text is ServicePart {
  return PARTS.some((part) => part === text);
}
