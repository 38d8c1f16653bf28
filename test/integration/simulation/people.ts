import { expect } from '@jest/globals';
import { millimes, newId } from '../../../src/kernel';
import { agentReceivable, DUES_ASSESSED, OPENING_BALANCES, openLedger, reverseTransaction } from '../../../src/ledger';
import { BY_TEST, TESTER } from '../../support/factories';
import { isCountable } from './model';
import type { Operation, Scene } from './scene';

const DUES_HEAD = 'reference,agent_id,amount_millimes,due_date,memo';
/** More than the rows that an import stores in one transaction. */
const LARGE_FILE = 130;
const DRY = { ...BY_TEST, dryRun: true };

interface NewDue {
  readonly reference: string;
  readonly agentId: string;
  readonly amount: number;
}

/** Imports dues of open agents; whatever was cut off, the same file again stores the rest and nothing twice. */
export const importDues: Operation = async (scene) => {
  const { model, rooms, random } = scene;
  const dues = someDues(scene, random.onceIn(30) ? LARGE_FILE : 1 + random.below(3));
  if (dues.length === 0) return;
  const file = duesFile(dues);
  const what = `import dues ${dues.length > 3 ? `${dues.length} lines` : JSON.stringify(dues)}`;
  const { answered, answer } = await scene.settle(what, () => rooms.dues.importCsv(file, BY_TEST));
  if (typeof answer === 'string') throw new Error(`a good file was ${answer}`);
  expect(answer.added + answer.unchanged).toBe(dues.length);
  // After a fault, whole pages of a hundred are stored or not.
  expect(answered ? [dues.length] : [0, dues.length, dues.length % 100]).toContain(answer.added);
  for (const { reference, ...due } of dues) model.dues.set(reference, { ...due, cancelled: false });
  expect(await rooms.dues.importCsv(file, BY_TEST)).toMatchObject({ added: 0, unchanged: dues.length });
};

export const importDuesOnTrial: Operation = async (scene) => {
  const dues = someDues(scene, 2);
  if (dues.length === 0) return;
  const file = duesFile(dues);
  const { answer } = await scene.settle('import dues as a dry run', () => scene.rooms.dues.importCsv(file, DRY));
  expect(answer).toMatchObject({ added: dues.length });
};

/** One bad line among good ones: nothing is stored. */
export const importBadDues: Operation = async (scene) => {
  const { model, random } = scene;
  const [known] = [...model.dues];
  const bad = [
    `BAD-${scene.step},unknown,5,2026-03-01,`,
    `BAD-${scene.step},4711,0,2026-03-01,`,
    `BAD-${scene.step},4711,-5,2026-03-01,`,
    `BAD-${scene.step},4711,1.5,2026-03-01,`,
    ...(known === undefined ? [] : [`${known[0]},${known[1].agentId},${known[1].amount + 1},2026-03-01,`]),
  ];
  const good = duesFile(someDues(scene, 2)).toString();
  const file = Buffer.from(`${good}\n${random.oneOf(bad)}`);
  const { answer } = await scene.settle('import dues with a bad line', () => scene.rooms.dues.importCsv(file, BY_TEST));
  expect(answer).toBe('refused: bad_input');
};

export const cancelDue: Operation = async (scene) => {
  const { model, random, rooms, settle } = scene;
  if (model.dues.size === 0) await importDues(scene);
  if (model.dues.size === 0) return;
  const [reference, due] = random.oneOf([...model.dues]);
  const dryRun = random.onceIn(5);
  const { answered, answer } = await settle(`cancel due ${reference}${dryRun ? ' as a dry run' : ''}`, () =>
    rooms.dues.cancel(reference, 'by chance', { ...BY_TEST, dryRun }),
  );
  if (!due.cancelled && !isCountable(model.owed(due.agentId) - BigInt(due.amount))) {
    return expect(answer).toBe('refused: conflict');
  }
  const first = due.cancelled ? 'already_cancelled' : 'cancelled';
  expect(answered || dryRun ? [first] : [first, 'already_cancelled']).toContain(answer);
  if (dryRun) return;
  model.dues.set(reference, { ...due, cancelled: true });
  expect(await rooms.dues.cancel(reference, 'by chance', BY_TEST)).toBe('already_cancelled');
};

export const cancelUnknownDue: Operation = async ({ rooms, settle }) => {
  const { answer } = await settle('cancel an unknown due', () => rooms.dues.cancel('NONE', 'by chance', BY_TEST));
  expect(answer).toBe('refused: not_found');
};

/** A new agent beside one that is known under another name: closed ones stay closed. */
export const importAgents: Operation = async ({ model, random, rooms, settle, step }) => {
  const present = [...model.agents.keys()].filter((agentId) => !model.erased.has(agentId));
  if (present.length === 0) return;
  const [known, fresh] = [random.oneOf(present), `NEW-${step}`];
  const rows = [`${known},Agent ${step},+216 20`, `${fresh},Agent ${fresh},+216 21`];
  const file = Buffer.from(['agent_id,full_name,phone', ...rows].join('\n'));
  const { answered, answer } = await settle(`import agents ${known}, ${fresh}`, () =>
    rooms.agents.importCsv(file, BY_TEST),
  );
  const all = { added: 1, updated: 1, unchanged: 0 };
  expect(answered ? [all] : [all, { added: 0, updated: 0, unchanged: 2 }]).toContainEqual(answer);
  model.agents.set(fresh, 'open');
};

export const closeAgent: Operation = async ({ model, random, rooms, settle }) => {
  const agentId = random.oneOf([...model.agents.keys(), 'unknown']);
  const before = model.agents.get(agentId);
  const { answered, answer } = await settle(`close agent ${agentId}`, () => rooms.agents.close(agentId, BY_TEST));
  if (before === undefined) return expect(answer).toBe('refused: not_found');
  const first = before === 'closed' ? 'already_closed' : 'closed';
  expect(answered ? [first] : [first, 'already_closed']).toContain(answer);
  model.agents.set(agentId, 'closed');
};

/** A transaction made past the use cases, its reversal, and a second reversal, which is refused. */
export const reverseByHand: Operation = async ({ database, model, random, rooms, settle, step }) => {
  const amount = 1 + random.below(1_000_000);
  const [made, reversed] = [`hand:${step}`, `hand-back:${step}`];
  const at = rooms.clock.now();
  const recorded = { code: 'reversal', occurredAt: at, recordedAt: at, recordedBy: TESTER.name } as const;
  const post = await settle(`post ${amount} by hand`, () =>
    database.transact((session) =>
      openLedger(session).post([
        {
          ...recorded,
          id: newId(),
          reference: made,
          postings: [{ debit: OPENING_BALANCES, credit: DUES_ASSESSED, amount: millimes(amount) }],
        },
      ]),
    ),
  );
  expect(post.answered ? [undefined] : [undefined, 'refused: duplicate_key']).toContain(post.answer);
  model.byHand -= BigInt(amount);
  if (random.onceIn(3)) return;
  const request = { ...recorded, originalReference: made, reference: reversed };
  const reverse = (): Promise<'reversed'> =>
    database.transact(async (session) => {
      await reverseTransaction(session, request);
      return 'reversed' as const;
    });
  const back = await settle('reverse it', reverse);
  expect(back.answered ? ['reversed'] : ['reversed', 'refused: duplicate_key']).toContain(back.answer);
  model.byHand += BigInt(amount);
  await expect(reverse()).rejects.toMatchObject({ code: 'duplicate_key' });
  const again = { ...request, originalReference: reversed, reference: `${reversed}:2` };
  await expect(database.transact((session) => reverseTransaction(session, again))).rejects.toMatchObject({
    code: 'conflict',
  });
  await database.read(async (session) => {
    expect(await openLedger(session).balances([agentReceivable('hand')])).toEqual(
      new Map([['agent_receivable:hand', 0]]),
    );
  });
};

function someDues({ model, random, step }: Scene, count: number): NewDue[] {
  const open = [...model.agents].filter(([, status]) => status === 'open').map(([agentId]) => agentId);
  if (open.length === 0) return [];
  return Array.from({ length: count }, (_, index) => ({
    reference: `D${step}-${index}`,
    agentId: random.oneOf(open),
    amount: 1 + random.below(500_000),
  }));
}

function duesFile(dues: readonly NewDue[]): Buffer {
  const rows = dues.map(({ reference, agentId, amount }) => `${reference},${agentId},${amount},2026-03-01,`);
  return Buffer.from([DUES_HEAD, ...rows].join('\n'));
}
