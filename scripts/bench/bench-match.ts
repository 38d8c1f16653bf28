import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { businessCalendar, counted, WorkingDays } from '../../src/kernel';
import { DEFAULT_ERROR_MAX, inferPayouts, type InputFile, readMatchFiles } from '../../src/payout-inference';
import { makeMatchFiles, type MatchFilePaths } from './make-match-files';
import { measuredCommand } from './measured-command';

const SEED = 1;
const TIME_ZONE = 'Africa/Tunis';
/** `millime match` exits with this code if it found breaks, which is no failure. */
const BREAKS_FOUND = 3;
const MS_PER_SECOND = 1_000;
const BYTES_PER_MEGABYTE = 1_000_000;

export interface MatchBenchOptions {
  readonly items: number;
  readonly credits: number;
}

/** Times of one set of files. */
export interface MatchRound {
  readonly items: number;
  readonly resolved: number;
  readonly credits: number;
  /** From the files to the facts, in this process. */
  readonly readMs: number;
  /** From the facts to the explanations, in this process. */
  readonly engineMs: number;
  /** `millime match` as its own process, from its start to the written file. */
  readonly commandMs: number;
  readonly peakBytes: number;
}

/**
 * Creates files, and matches them in this process and with the compiled program. Returns undefined if the program
 * failed.
 */
export async function benchMatch(
  options: MatchBenchOptions,
  tell: (text: string) => void,
): Promise<MatchRound | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'millime-bench-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder); // after an interrupt nothing below runs
  try {
    tell(`making ${counted(options.items, 'item')} and ${counted(options.credits, 'credit')}`);
    const paths = makeMatchFiles(folder, { ...options, seed: SEED });
    tell('the whole command');
    const { items, observations, statement } = paths;
    const command = await measuredCommand(
      ['match', '--items', items, '--observations', observations, '--statement', statement, '--out', 'result.json'],
      { databaseUrl: 'sqlite:none.sqlite3', folder, accepted: [0, BREAKS_FOUND] },
    );
    if (command.peakBytes === undefined) return undefined;
    tell('the engine alone');
    return { ...options, ...engineRound(paths), commandMs: command.tookMs, peakBytes: command.peakBytes };
  } finally {
    removeFolder();
  }
}

export function matchTable(round: MatchRound): string {
  const line = (name: string, ms: number): string => {
    const perSecond = Math.round((round.items * MS_PER_SECOND) / ms);
    return `${name.padEnd(14)} ${(ms / MS_PER_SECOND).toFixed(1).padStart(6)} s ${String(perSecond).padStart(9)} a second`;
  };
  return [
    line('reading alone', round.readMs),
    line('engine alone', round.engineMs),
    line('whole command', round.commandMs),
    `peak memory    ${Math.round(round.peakBytes / BYTES_PER_MEGABYTE)} MB`,
    `resolved       ${round.resolved} of ${counted(round.credits, 'credit')}`,
  ].join('\n');
}

function engineRound(paths: MatchFilePaths): Pick<MatchRound, 'readMs' | 'engineMs' | 'resolved'> {
  const startedAt = performance.now();
  const { items, observations, observedItems, lines } = readMatchFiles({
    items: inputFile(paths.items),
    observations: inputFile(paths.observations),
    statement: inputFile(paths.statement),
    fees: undefined,
    holidays: undefined,
  });
  const readAt = performance.now();
  const { credits } = inferPayouts({
    items,
    observations,
    observedItems,
    lines,
    fees: undefined,
    calendar: businessCalendar(TIME_ZONE),
    workingDays: new WorkingDays([]),
    maxError: DEFAULT_ERROR_MAX,
  });
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved').length;
  return { readMs: readAt - startedAt, engineMs: performance.now() - readAt, resolved };
}

function inputFile(path: string): InputFile {
  return { name: path, bytes: readFileSync(path) };
}
