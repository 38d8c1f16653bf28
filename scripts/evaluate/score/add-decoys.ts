import { addMillimes, millimes, sha256Hex } from '../../../src/kernel';
import type { BankLine } from '../../../src/payout-inference';
import type { TrueLine, WorldFiles } from '../world';

/** One decoy for about this number of payouts, so that a file stays mostly true. */
const PAYOUTS_FOR_EACH_DECOY = 4;
const DECOYS_MAX = 50;
/**
 * The difference is a whole number of dinars: the last digits, which would reveal a chance hit, stay those of a real
 * credit.
 */
const STEP_MILLIMES = 1_000;
const STEPS_MAX = 20;
const HEX_DIGITS_READ = 8;

export interface FilesWithDecoys {
  readonly files: WorldFiles;
  readonly decoyLineIds: ReadonlySet<string>;
}

/**
 * Adds invented credits that look like real ones: same days, counterparty and text, another amount. The hash of the
 * seed and the line distributes them over the payouts, so the same world always gets the same decoys.
 */
export function addDecoys(files: WorldFiles, trueLines: readonly TrueLine[], seed: number): FilesWithDecoys {
  const payouts = new Set(trueLines.filter(({ kind }) => kind === 'payout').map(({ lineId }) => lineId));
  const taken = new Set(files.lines.map(({ amount }) => amount));
  const models = files.lines
    .filter(({ lineId, amount }) => payouts.has(lineId) && amount > 0)
    .map((line) => ({ line, hash: sha256Hex(`${seed}:${line.lineId}`) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const wanted = Math.min(DECOYS_MAX, Math.ceil(models.length / PAYOUTS_FOR_EACH_DECOY));
  const decoys = models
    .slice(0, wanted)
    .map(({ line, hash }) => decoyOf(line, Number.parseInt(hash.slice(0, HEX_DIGITS_READ), 16)))
    // A decoy with the amount of a real credit would be a second line of a real payout, not an invented one.
    .filter(({ amount }) => amount > 0 && !taken.has(amount));
  return {
    files: { ...files, lines: [...files.lines, ...decoys] },
    decoyLineIds: new Set(decoys.map(({ lineId }) => lineId)),
  };
}

function decoyOf(line: BankLine, chance: number): BankLine {
  const steps = 1 + (Math.floor(chance / 2) % STEPS_MAX);
  const sign = chance % 2 === 0 ? 1 : -1;
  return {
    ...line,
    lineId: `${line.lineId}-${(chance % 1_000).toString().padStart(3, '0')}`,
    amount: addMillimes(line.amount, millimes(sign * steps * STEP_MILLIMES)),
  };
}
