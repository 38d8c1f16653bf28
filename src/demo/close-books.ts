import { join } from 'node:path';
import { AppError, type BusinessDate, counted, formatDinars } from '../kernel';
import { demoDays, FIRST_DAY, LAST_DAY } from './demo-calendar';
import { type Closed, closedShape, verifyShape } from './shapes';
import type { Stage } from './stage';

const REPORT_NAME = 'demo-report.html';
const DIGEST_SHOWN_CHARACTERS = 16;

/** Closes every day in order and prints the movements of all days and the closing balances. */
export async function closeDays({ millime, story }: Stage): Promise<void> {
  const closed = new Map<BusinessDate, Closed>();
  for (const date of demoDays()) closed.set(date, await millime.json(closedShape, ['close-day', date]));
  const last = closed.get(LAST_DAY);
  if (last === undefined) throw new AppError('internal', `${LAST_DAY} was not closed`);
  story.line(`${FIRST_DAY} through ${LAST_DAY}: ${counted(closed.size, 'day')} closed, everything explained`);
  story.line(`seal ${last.number} ${last.digest.slice(0, DIGEST_SHOWN_CHARACTERS)}…`);
  const { say, word } = story;
  const width = Math.max(CHANNEL_WIDTH, ...last.channels.map(({ channel }) => word('channel', channel).length));
  for (const { channel, closingMillimes } of last.channels) {
    const parts = MOVEMENTS.map(([name, label]) => {
      const amount = sumOf([...closed.values()], channel, name);
      return amount === 0n ? '' : `${say(label)} ${formatDinars(amount)}`;
    }).filter((part) => part !== '');
    const owed = `${say('still owed')} ${formatDinars(closingMillimes)}`;
    story.line(`  ${word('channel', channel).padEnd(width)} ${[...parts, owed].join(', ')}`);
  }
}

/** Verifies every invariant of the ledger and every seal. */
export async function verifyBooks({ millime, story }: Stage): Promise<void> {
  const { invariants, broken } = await millime.json(verifyShape, ['ledger', 'verify']);
  if (broken.length > 0) throw new AppError('internal', `the ledger is inconsistent: ${JSON.stringify(broken)}`);
  story.line(`ledger verified: ${counted(invariants, 'invariant')} hold, every closed day matches its seal`);
}

/** Writes the report page and returns its path. */
export async function writeReport({ millime, folder }: Stage): Promise<string> {
  const path = join(folder, REPORT_NAME);
  const period = ['--from', FIRST_DAY, '--to', LAST_DAY];
  await millime.run(['report', 'all', ...period, '--format', 'html', '--out', path]);
  return path;
}

const CHANNEL_WIDTH = 'subscription'.length;
const MOVEMENTS = [
  ['succeededMillimes', 'paid'],
  ['refundedMillimes', 'refunded'],
  ['feesMillimes', 'fees'],
  ['tvaMillimes', 'TVA'],
  ['payoutsMillimes', 'paid out'],
] as const;

function sumOf(days: readonly Closed[], channel: string, name: string): bigint {
  const ofChannel = days.flatMap(({ channels }) => channels.filter((each) => each.channel === channel));
  return ofChannel.reduce((sum, { movements }) => sum + (movements[name] ?? 0n), 0n);
}
