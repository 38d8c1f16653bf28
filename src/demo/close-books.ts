import { join } from 'node:path';
import { AppError, formatDinars, type BusinessDate } from '../kernel';
import { demoDays, FIRST_DAY, LAST_DAY } from './demo-calendar';
import { closedShape, verifyShape, type Closed } from './shapes';
import type { Stage } from './stage';

const REPORT_NAME = 'demo-report.html';
const DIGEST_SHOWN_CHARACTERS = 16;

/** Closes every day in order, each with its proof, and shows what moved in all of them and how the last one ends. */
export async function closeDays({ millime, story }: Stage): Promise<void> {
  const closed = new Map<BusinessDate, Closed>();
  for (const date of demoDays()) closed.set(date, await millime.json(closedShape, ['close-day', date]));
  const last = closed.get(LAST_DAY);
  if (last === undefined) throw new AppError('internal', `${LAST_DAY} was not closed`);
  story.line(`${FIRST_DAY} to ${LAST_DAY}: ${closed.size} days closed, nothing unexplained in any`);
  story.line(`seal ${last.number} ${last.digest.slice(0, DIGEST_SHOWN_CHARACTERS)}…`);
  for (const { channel, closingMillimes } of last.channels) {
    const parts = MOVEMENTS.map(([name, word]) => {
      const amount = sumOf([...closed.values()], channel, name);
      return amount === 0n ? '' : `${word} ${formatDinars(amount)}`;
    }).filter((part) => part !== '');
    story.line(
      `  ${channel.padEnd(CHANNEL_WIDTH)} ${[...parts, `still owed ${formatDinars(closingMillimes)}`].join(', ')}`,
    );
  }
}

/** Has every invariant of the books and every seal checked. */
export async function verifyBooks({ millime, story }: Stage): Promise<void> {
  const { invariants, broken } = await millime.json(verifyShape, ['ledger', 'verify']);
  if (broken.length > 0) throw new AppError('internal', `the books are wrong: ${JSON.stringify(broken)}`);
  story.line(`all ${invariants} invariants hold, every closed day is as it was sealed`);
}

/** Writes the page that finance reads, and gives its path. */
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
  ['payoutsMillimes', 'on the bank'],
] as const;

function sumOf(days: readonly Closed[], channel: string, name: string): bigint {
  const ofChannel = days.flatMap(({ channels }) => channels.filter((each) => each.channel === channel));
  return ofChannel.reduce((sum, { movements }) => sum + (movements[name] ?? 0n), 0n);
}
