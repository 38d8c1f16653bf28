import { expect } from '@jest/globals';
import { addDays, type BusinessDate } from '../../../src/kernel';
import { bankFileOfBytes, type ImportOutcome } from '../../../src/statements';
import { type LineGiven, statementBytes, type StatementGiven } from '../../fixtures/statements/statement-bytes';
import { TESTER } from '../../support/factories';
import { ribOf } from '../../support/rib';
import { PAYOUT_TEXT } from '../ledger/rooms';
import { confirmNew } from './confirming';
import { sum } from './model';
import type { Answer, Operation, Scene, Settled } from './scene';

/** Into the first the gateway pays. */
const ACCOUNTS = [ribOf('112223333333333333'), ribOf('556667777777777777')] as const;

/** Everything that was confirmed until now, in one transfer, booked today. */
export const payOut: Operation = async (scene) => {
  const { model } = scene;
  if (model.unpaid.length === 0) await confirmNew(scene);
  const amount = Number(sum(model.unpaid));
  if (amount === 0 || !fits(scene, amount)) return;
  await importNext(scene, [[today(scene), PAYOUT_TEXT, amount]]);
  model.paidOut += BigInt(amount);
  model.unpaid = [];
  await scene.pass(1); // what comes next is after the cut
};

/** Credits that look like payouts and are none, or pay a part, or are as large as another one. */
export const payOutOddly: Operation = async (scene) => {
  const { model, random, tidy } = scene;
  const few = model.unpaid.slice(0, 1 + random.below(4));
  const amount = random.onceIn(3) ? 1 + random.below(2_000) : Number(sum(few));
  if (tidy || amount === 0 || !fits(scene, 2 * amount)) return;
  const line: LineGiven = [today(scene), PAYOUT_TEXT, amount];
  await importNext(scene, random.onceIn(4) ? [line, line] : [line]);
};

export const otherLines: Operation = async (scene) => {
  const { random, step } = scene;
  const lines = Array.from({ length: 1 + random.below(3) }, (): LineGiven => [
    today(scene),
    `LIGNE ${step}`,
    random.below(9_000_000) - 4_500_000,
  ]);
  await importNext(scene, lines, random.oneOf(ACCOUNTS));
};

export const sameFileAgain: Operation = async (scene) => {
  const files = [...scene.model.banks.values()].flatMap(({ files: taken }) => taken);
  if (files.length === 0) return;
  const { answer } = await importFile(scene, 'a file that was taken', scene.random.oneOf(files));
  expect(kindOf(answer)).toBe('already_imported');
};

/** A statement that does not add up: kept, and no part of the books until somebody accepts it as it is. */
export const unprovenStatement: Operation = async (scene) => {
  const { model, random, rooms, settle, step } = scene;
  const account = random.oneOf(ACCOUNTS);
  const before = model.bank(account);
  const amount = 5_000 + step;
  const closing = before.balance + amount - 1;
  const line: LineGiven = [today(scene), `LIGNE ${step}`, amount];
  const bytes = statementBytes({ account, opening: before.balance, lines: [line], closing });
  await importTaken(scene, 'that does not add up', bytes);
  model.banks.set(account, { ...before, files: [...before.files, bytes] });
  if (random.onceIn(2)) return;
  const [waiting] = (await rooms.statements.list({ account, waiting: true, limit: 100 })).rows;
  const command = { id: waiting?.statement.id ?? '', reason: 'seen on paper', actor: TESTER };
  const { answered, answer } = await settle('accept it', () => rooms.statements.accept(command));
  expect(answered ? ['accepted'] : ['accepted', 'already_accepted']).toContain(kindOf(answer));
  count(scene, account, { opening: before.balance, lines: [line], closing }, bytes);
};

/** A statement that does not start where the last one ended; half of the time the missing one comes as well. */
export const statementAfterGap: Operation = async (scene) => {
  const { model, random, step } = scene;
  const account = random.oneOf(ACCOUNTS);
  const before = model.bank(account);
  if (before.first === undefined) return;
  const missing = 1 + step;
  const opening = before.balance + missing;
  const lines: LineGiven[] = [[today(scene), `LIGNE ${step}`, 5_000 + step]];
  const { answered, answer } = await importGood(scene, { account, opening, lines });
  if (answered && typeof answer !== 'string' && answer.kind === 'imported') {
    expect(answer.warnings).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^(gap|balance jump): /) }),
    ]);
  }
  model.banks.set(account, { ...model.bank(account), gaps: before.gaps + 1 });
  if (random.onceIn(2)) return;
  const { balance, last } = model.bank(account);
  await importGood(scene, { account, opening: before.balance, lines: [[today(scene), `MANQUE ${step}`, missing]] });
  model.banks.set(account, { ...model.bank(account), balance, last, gaps: before.gaps });
};

/** The lines of the last statement once more, with a new one behind them: only the new one is another movement. */
export const overlappingStatement: Operation = async (scene) => {
  const { model, random, step } = scene;
  const account = random.oneOf(ACCOUNTS);
  const { last, booked } = model.bank(account);
  if (last?.lines === undefined) return;
  const line: LineGiven = [today(scene), `LIGNE ${step}`, 7_000 + step];
  await importGood(scene, { ...last, account, lines: [...last.lines, line] });
  model.banks.set(account, { ...model.bank(account), booked: booked + 7_000 + step });
};

/** A statement of the day before the account's first: the account held something else before its first line. */
export const earlierStatement: Operation = async (scene) => {
  const { model, random, step } = scene;
  const account = random.oneOf(ACCOUNTS);
  const { first, balance, booked, last } = model.bank(account);
  if (first === undefined) return;
  const date = addDays(first.date, -1);
  const opening = first.opening - 7 - step;
  await importGood(scene, { account, opening, lines: [[written(date), `LIGNE ${step}`, 7 + step]] });
  model.banks.set(account, { ...model.bank(account), first: { opening, date }, balance, booked, last });
};

type Imported = Settled<ImportOutcome>;

/** A statement that counts as it is. */
async function importGood(scene: Scene, given: StatementGiven & { readonly account: string }): Promise<Imported> {
  const bytes = statementBytes(given);
  const settled = await importTaken(scene, `${given.account.slice(0, 2)}: ${JSON.stringify(given.lines)}`, bytes);
  count(scene, given.account, given, bytes);
  return settled;
}

/** The statement is in the books, and the bank goes on from its end. */
function count(scene: Scene, account: string, given: StatementGiven, bytes: Uint8Array): void {
  const { model } = scene;
  const { balance, booked, first, files, gaps } = model.bank(account);
  const { opening = balance, lines = [] } = given;
  const moved = Number(sum(lines.map(([, , amount]) => ({ amount }))));
  model.banks.set(account, {
    balance: given.closing ?? opening + moved,
    booked: (first === undefined ? opening : booked) + moved,
    first: first ?? { opening, date: dateOf(scene) },
    last: given.closing === undefined ? given : undefined,
    files: [...files, bytes],
    gaps,
  });
}

async function importTaken(scene: Scene, what: string, bytes: Uint8Array): Promise<Imported> {
  const settled = await importFile(scene, what, bytes);
  expect(settled.answered ? ['imported'] : ['imported', 'already_imported']).toContain(kindOf(settled.answer));
  return settled;
}

/** Of the account that the gateway pays into, or of another, from where the last statement ended. */
async function importNext(scene: Scene, lines: readonly LineGiven[], account: string = ACCOUNTS[0]): Promise<void> {
  await importGood(scene, { account, opening: scene.model.bank(account).balance, lines });
}

function importFile({ rooms, settle }: Scene, what: string, bytes: Uint8Array): Promise<Imported> {
  const file = bankFileOfBytes('bank.csv', bytes);
  return settle(`import statement ${what}`, () => rooms.statements.import({ file, actor: TESTER }));
}

/** An amount or a balance that cannot be counted is on no statement: an absurd payment stays unpaid. */
function fits({ model }: Scene, amount: number): boolean {
  return Number.isSafeInteger(amount) && Number.isSafeInteger(model.bank(ACCOUNTS[0]).balance + amount);
}

function kindOf(answer: Answer<{ kind: string }>): string {
  return typeof answer === 'string' ? answer : answer.kind;
}

function dateOf({ rooms, now }: Scene): BusinessDate {
  return rooms.calendar.dateOf(now());
}

function today(scene: Scene): string {
  return written(dateOf(scene));
}

/** As the bank writes it. */
function written(date: BusinessDate): string {
  return date.split('-').reverse().join('/');
}
