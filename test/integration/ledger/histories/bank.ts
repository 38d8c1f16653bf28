import { expect } from '@jest/globals';
import { addDays, businessDate, type BusinessDate } from '../../../../src/kernel';
import { statementBytes, type LineGiven, type StatementGiven } from '../../../fixtures/statements/statement-bytes';
import { TESTER } from '../../../support/factories';
import { PAYOUT_TEXT } from '../rooms';
import { sum } from './model';
import type { Answer, Operation, Scene, Settled } from './scene';

/** Into the first the gateway pays. */
const ACCOUNTS = ['11222333333333333344', '55666777777777777788'] as const;

/** Everything that was confirmed until now, in one transfer, booked today. */
export const payOut: Operation = async (scene) => {
  const { model, rooms } = scene;
  const amount = Number(sum(model.unpaid));
  if (amount === 0 || !fits(scene, amount)) return;
  await importGood(scene, [[today(scene), PAYOUT_TEXT, amount]]);
  model.paidOut += BigInt(amount);
  model.unpaid = [];
  rooms.clock.advance(1); // what comes next is after the cut
};

/** Credits that look like payouts and are none, or pay a part, or are as large as another one. */
export const payOutOddly: Operation = async (scene) => {
  const { model, random, tidy } = scene;
  const few = model.unpaid.slice(0, 1 + random.below(4));
  const amount = random.onceIn(3) ? 1 + random.below(2_000) : Number(sum(few));
  if (tidy || amount === 0 || !fits(scene, 2 * amount)) return;
  const line: LineGiven = [today(scene), PAYOUT_TEXT, amount];
  await importGood(scene, random.onceIn(4) ? [line, line] : [line]);
};

export const otherLines: Operation = async (scene) => {
  const { random, step } = scene;
  const lines = Array.from({ length: 1 + random.below(3) }, (): LineGiven => [
    today(scene),
    `LIGNE ${step}`,
    random.below(9_000_000) - 4_500_000,
  ]);
  await importGood(scene, lines, random.oneOf(ACCOUNTS));
};

export const sameFileAgain: Operation = async (scene) => {
  const files = [...scene.model.banks.values()].flatMap(({ files: taken }) => taken);
  if (files.length === 0) return;
  const { answer } = await importFile(scene, 'a file that was taken', scene.random.oneOf(files));
  expect(kindOf(answer)).toBe('already_imported');
};

/** A statement that does not add up, does not follow, or goes back in time: refused whole. */
export const badStatement: Operation = async (scene) => {
  const { model, random, step } = scene;
  const account = random.oneOf(ACCOUNTS);
  const { balance, lastDate } = model.bank(account);
  const line: LineGiven = [today(scene), `LIGNE ${step}`, 5_000];
  const bad: [string, StatementGiven][] = [
    ['unbalanced', { account, opening: balance, lines: [line], closing: balance + 4_999 }],
  ];
  if (lastDate !== undefined) {
    const before = written(addDays(businessDate(lastDate), -1));
    bad.push(['with a gap', { account, opening: balance + 1, lines: [line], closing: balance + 5_001 }]);
    bad.push(['of days before', { account, opening: balance, lines: [[before, 'LIGNE', 7]], closing: balance + 7 }]);
  }
  const [what, given] = random.oneOf(bad);
  const { answer } = await importFile(scene, `a statement ${what}`, statementBytes(given));
  expect(answer).toBe('refused: bad_input');
};

async function importGood(scene: Scene, lines: readonly LineGiven[], account: string = ACCOUNTS[0]): Promise<void> {
  const { model } = scene;
  const { balance: opening, files } = model.bank(account);
  const bytes = statementBytes({ account, opening, lines });
  const { answered, answer } = await importFile(scene, `${account.slice(0, 2)}: ${JSON.stringify(lines)}`, bytes);
  expect(answered ? ['imported'] : ['imported', 'already_imported']).toContain(kindOf(answer));
  model.banks.set(account, {
    balance: lines.reduce((total, [, , amount]) => total + amount, opening),
    files: [...files, bytes],
    lastDate: dateOf(scene),
  });
}

function importFile({ rooms, settle }: Scene, what: string, bytes: Uint8Array): Promise<Settled<{ kind: string }>> {
  return settle(`import statement ${what}`, () => rooms.statements.import({ name: 'bank.csv', bytes, actor: TESTER }));
}

/** An amount or a balance that cannot be counted is on no statement: an absurd payment stays unpaid. */
function fits({ model }: Scene, amount: number): boolean {
  return Number.isSafeInteger(amount) && Number.isSafeInteger(model.bank(ACCOUNTS[0]).balance + amount);
}

function kindOf(answer: Answer<{ kind: string }>): string {
  return typeof answer === 'string' ? answer : answer.kind;
}

function dateOf({ rooms }: Scene): BusinessDate {
  return rooms.calendar.dateOf(rooms.clock.now());
}

function today(scene: Scene): string {
  return written(dateOf(scene));
}

/** As the bank writes it. */
function written(date: BusinessDate): string {
  return date.split('-').reverse().join('/');
}
