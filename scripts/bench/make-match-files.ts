// Items, observations and a bank statement of any size for benchmarks. The same plan creates the same files.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type BusinessDate, businessDate, formatInstant, parseInstant, WorkingDays } from '../../src/kernel';
import { type Random, randomFrom } from '../../test/support/random';

export interface MatchFilesPlan {
  readonly items: number;
  /** The number of payouts, one a day. */
  readonly credits: number;
  readonly seed: number;
}

export interface MatchFilePaths {
  readonly items: string;
  readonly observations: string;
  readonly statement: string;
}

/** Their money is available immediately, so each day is one simple sweep. */
const CHANNELS = ['agent', 'wallet', 'mpayment', 'pos', 'qr'] as const;
const AMOUNT_STEP_MILLIMES = 100;
const AMOUNT_STEPS_MAX = 2_000;
const FIRST_DAY = businessDate('2022-01-03');
/** The gateway pays everything that is available at this hour, in UTC. Business begins after it. */
const CUT_HOUR = 20;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;
const LOOK_AFTER_MS = 30_000;
/** The length of the text that is written to a file in one piece. */
const CHUNK_CHARACTERS = 1_048_576;

/** Writes the three files into a folder. The bank books each payout on the working day after its cut. */
export function makeMatchFiles(folder: string, plan: MatchFilesPlan): MatchFilePaths {
  const items = new TextFile(join(folder, 'items.csv'), 'item_id,channel,amount_millimes,succeeded_at,refund_of');
  const looks = new TextFile(join(folder, 'observations.csv'), 'item_id,observed_at,status,settlement_status');
  const lines = new TextFile(
    join(folder, 'statement.csv'),
    'line_id,booking_date,value_date,amount_millimes,counterparty,remittance',
  );
  const random = randomFrom(plan.seed);
  const workingDays = new WorkingDays([]);
  let item = 0;
  for (let credit = 0; credit < plan.credits; credit += 1) {
    const day = addDays(FIRST_DAY, credit);
    const count = Math.floor(((credit + 1) * plan.items) / plan.credits) - item;
    let total = 0;
    for (const succeededAt of timesOf(day, count, random)) {
      item += 1;
      const id = `service:${plan.seed}-${String(item).padStart(10, '0')}`;
      const amount = (1 + random.below(AMOUNT_STEPS_MAX)) * AMOUNT_STEP_MILLIMES;
      total += amount;
      items.add(`${id},${random.oneOf(CHANNELS)},${amount},${formatInstant(succeededAt)},`);
      looks.add(`${id},${formatInstant(succeededAt + LOOK_AFTER_MS)},SUCCESS,AVAILABLE`);
    }
    const booked = workingDays.add(day, 1);
    lines.add(`LINE-${String(credit + 1).padStart(6, '0')},${booked},${booked},${total},GATEWAY SA,"PAYOUT, ${day}"`);
  }
  return { items: items.close(), observations: looks.close(), statement: lines.close() };
}

/** Returns the instants of a day's business, in order. The day ends at the cut. */
function timesOf(day: BusinessDate, count: number, random: Random): number[] {
  const cut = (parseInstant(`${day}T00:00:00Z`) ?? 0) + CUT_HOUR * MS_PER_HOUR;
  return Array.from({ length: count }, () => cut - random.below(MS_PER_DAY)).sort((a, b) => a - b);
}

class TextFile {
  readonly #path: string;
  readonly #file: number;
  #text: string;

  constructor(path: string, head: string) {
    this.#path = path;
    this.#file = openSync(path, 'w');
    this.#text = `${head}\n`;
  }

  add(line: string): void {
    this.#text += `${line}\n`;
    if (this.#text.length >= CHUNK_CHARACTERS) this.#flush();
  }

  close(): string {
    this.#flush();
    closeSync(this.#file);
    return this.#path;
  }

  #flush(): void {
    writeSync(this.#file, this.#text);
    this.#text = '';
  }
}
