// Goal: a CSV export whose meaning is known is read with exactly that meaning, or refused, or a person is asked.
// Method: random exports with the truth beside them, each with no, one or several oddities, checked as an import with a
// proposed profile checks them. FAULT_FULL=1 reads 20,000 and prints what became of each oddity; FAULT_SEED makes others.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../../src/identity';
import { businessCalendar } from '../../../../src/kernel';
import { bankFileOfBytes } from '../../../../src/statements';
import { exponentOf } from '../../../../src/statements/reading/currencies';
import { checkImport, unitsWithScale } from '../../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../../fixtures/statements/statement-bytes';
import { fixedClock } from '../../../support/fakes';
import { FAULT_SEED, sized } from '../../../support/faults';
import { readStatements } from '../../../support/read-events';
import { type RandomExport, randomExport, type Truth, truthOf } from './random-exports';

const FILES = sized({ short: 500, full: 20_000 });
const SHOWN_MAX = 3;
const FILE_LIMIT_MS = 100;

const DEPS = {
  get database(): never {
    throw new Error('the check uses no database');
  },
  clock: fixedClock('2026-07-01T09:00:00+01:00'),
  calendar: businessCalendar('Africa/Tunis'),
  profiles: () => [],
  profilesFile: SHIPPED_PROFILES_FILE,
};

type Result =
  | { readonly kind: 'read'; readonly truth: Truth; readonly verdicts: string }
  | { readonly kind: 'asked' | 'refused'; readonly why: string };

/** Reads a file as `millime statements import --profile proposed` does. The only call of this test into the module. */
async function read({ bytes, options }: RandomExport): Promise<Result> {
  const file = bankFileOfBytes('bank.csv', bytes);
  const request = { ...options, file, profile: 'proposed', actor: OPERATOR, withoutDatabase: 'none is needed' };
  const { refusals, scanned } = await checkImport(DEPS, request);
  if (scanned === undefined || refusals.length > 0) {
    const isAsked = refusals.some(({ problem: { code } }) => code.endsWith('_undecided'));
    const why = refusals.map(({ message, details }) => [message, ...details].join(' ')).join('\n');
    return { kind: isAsked ? 'asked' : 'refused', why };
  }
  const lines = readStatements(scanned.reading.createReader(), bytes).flatMap(({ lines: own }, at) => {
    const { account = '', currency } = scanned.statements[at]?.parsed ?? {};
    return own
      .filter(({ status }) => status === 'booked')
      .map((line) => {
        const code = line.currency ?? currency ?? '';
        const minor = unitsWithScale(line.amount, exponentOf(code) ?? 0);
        return { account, currency: code, day: line.bookingDate, minor };
      });
  });
  const verdicts = scanned.statements.map(({ proof }) => proof.verdict).join(', ');
  return { kind: 'read', truth: truthOf(lines), verdicts };
}

const OUTCOMES = ['right', 'asked', 'refused', 'wrong'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface Tried {
  readonly seed: number;
  readonly file: RandomExport;
  readonly result: Result;
  readonly outcome: Outcome;
}

async function tried(seed: number): Promise<Tried> {
  const file = randomExport(FAULT_SEED, seed);
  const result = await read(file);
  if (result.kind !== 'read') return { seed, file, result, outcome: result.kind };
  return { seed, file, result, outcome: isSame(result.truth, file.truth) ? 'right' : 'wrong' };
}

function isSame(one: Truth, other: Truth): boolean {
  const entries = (truth: Truth): string => JSON.stringify(Object.entries(truth).sort(([a], [b]) => (a < b ? -1 : 1)));
  return entries(one) === entries(other);
}

function shown({ seed, file, result }: Tried): string {
  return [
    `seed ${FAULT_SEED}/${seed}: ${file.oddities.join(' + ') || 'ordinary'}, given ${JSON.stringify(file.options)}`,
    file.text,
    `the truth: ${JSON.stringify(file.truth, null, 1)}`,
    result.kind === 'read'
      ? `read (${result.verdicts}): ${JSON.stringify(result.truth, null, 1)}`
      : `${result.kind}: ${result.why}`,
  ].join('\n');
}

/** The first files, so that a failure can be read, and what all of them have in common. */
function faults(found: readonly Tried[]): string[] {
  if (found.length === 0) return [];
  return [...found.slice(0, SHOWN_MAX).map(shown), `${found.length} files:\n${tableOf(found)}`];
}

/** The number of files of each outcome, by oddity; a file with several is in a row of its own. */
function tableOf(all: readonly Tried[]): string {
  const rows = new Map<string, Record<Outcome, number>>();
  for (const { file, outcome } of all) {
    const [name = 'ordinary', ...others] = file.oddities;
    const key = others.length > 0 ? 'several oddities' : name;
    const row = rows.get(key) ?? { right: 0, asked: 0, refused: 0, wrong: 0 };
    row[outcome] += 1;
    rows.set(key, row);
  }
  const line = (cells: readonly unknown[]): string => cells.map((cell) => String(cell).padStart(8)).join('');
  return [
    line(OUTCOMES),
    ...[...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, row]) => `${line(OUTCOMES.map((each) => row[each]))}  ${name}`),
  ].join('\n');
}

describe('a random export', () => {
  const all: Tried[] = [];

  beforeAll(async () => {
    for (let seed = 0; seed < FILES; seed += 1) all.push(await tried(seed));
    if (FILES > 500) process.stdout.write(`${tableOf(all)}\n`);
  }, FILES * FILE_LIMIT_MS);

  test('is read as it is meant, or refused, or a person is asked', () => {
    expect(faults(all.filter(({ outcome }) => outcome === 'wrong'))).toEqual([]);
  });

  test('is read without a question if it is plain', () => {
    const plain = all.filter(({ file }) => file.isPlain);
    expect(plain.length).toBeGreaterThan(FILES / 5);
    expect(faults(plain.filter(({ outcome }) => outcome !== 'right'))).toEqual([]);
  });
});
