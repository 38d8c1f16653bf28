import { expect } from '@jest/globals';
import {
  type ConfirmCommand,
  type ConfirmOutcome,
  confirmPayments,
  decodeConfirm,
} from '../../../src/agent-settlement/testing';
import { newId } from '../../../src/kernel';
import { type Call, type Model } from './model';
import type { Operation, Scene, Settled } from './scene';

const BATCH_MAX = 8;
/** How often one transaction may run. */
const RUNS_MAX = 5;
/** One of these alone keeps no caller without an answer: the transaction runs again. */
const PASSING = /^(deadlock|lock_timeout|lost_before|lost_after) at (begin|statement|commit) /;
const BAD_AMOUNTS = [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN];

export const confirmNew: Operation = (scene) => confirmOne(scene, newCall(scene, 'T'));

/** More than the agent owes, and once in a while as much as can be counted at all. */
export const overpay: Operation = (scene) => {
  const { model, random } = scene;
  const call = newCall(scene, 'O');
  const owed = Number(model.owed(call.agentId));
  const amount =
    random.onceIn(10) && !model.mayBePaidFor(call.agentId)
      ? Number.MAX_SAFE_INTEGER
      : Math.max(owed, 0) + 1 + random.below(1_000);
  return confirmOne(scene, { ...call, amount });
};

/** What was said before comes again, the same or with a change. */
export const confirmAgain: Operation = async (scene) => {
  const { model, random } = scene;
  if (model.stored.size === 0) await confirmNew(scene);
  if (model.stored.size === 0) return;
  await confirmOne(scene, changed(scene, random.oneOf([...model.stored.values()])));
};

export const confirmBadly: Operation = (scene) => {
  const { model, random } = scene;
  const closed = [...model.agents].filter(([, status]) => status === 'closed').map(([agentId]) => agentId);
  const call = { ...newCall(scene, 'B'), transactionId: `B${random.below(5)}` };
  return confirmOne(
    scene,
    random.onceIn(2)
      ? { ...call, amount: random.oneOf(BAD_AMOUNTS) }
      : { ...call, agentId: random.oneOf(['unknown', '04711', ...closed]) },
  );
};

/** Several calls in one transaction of the database: all are answered as if one had come after the other, or none is. */
export const confirmBatch: Operation = async (scene) => {
  const { model, random } = scene;
  const calls: Call[] = [];
  const count = 2 + random.below(BATCH_MAX - 1);
  for (let index = 0; index < count; index += 1) {
    const known = [...calls, ...model.stored.values()];
    if (known.length > 0 && random.onceIn(3)) calls.push(changed(scene, random.oneOf(known)));
    else if (random.onceIn(5)) calls.push({ ...newCall(scene, `X${index}`), amount: random.oneOf(BAD_AMOUNTS) });
    else calls.push(newCall(scene, `M${index}`));
  }
  const { rooms, database } = scene;
  await settleConfirms(
    scene,
    calls,
    // No other transaction runs, so none is postponed.
    () =>
      confirmPayments(
        { database, clock: rooms.clock, calendar: rooms.calendar, amountMax: undefined },
        calls.map((call) => commandOf(scene, call)),
      ) as Promise<ConfirmOutcome[]>,
  );
};

async function confirmOne(scene: Scene, call: Call): Promise<void> {
  await settleConfirms(scene, [call], async () => [await scene.rooms.confirm(call)]);
}

/**
 * A call that was answered was answered rightly, faults or not: never `3` for what it stored itself. One that was not
 * is stored or it is not, which its resend tells.
 */
async function settleConfirms(
  { model, settle }: Scene,
  calls: readonly Call[],
  confirm: () => Promise<ConfirmOutcome[]>,
): Promise<void> {
  const { outcomes, stores } = model.outcomesOf(calls);
  const settled = await settle(`confirm ${calls.map(say).join(', ')}`, confirm);
  model.store(stores);
  const resent = model.outcomesOf(calls).outcomes;
  expect(settled.answered ? [outcomes] : [outcomes, resent]).toContainEqual(settled.answer);
  if (settled.struck.length === 1 && PASSING.test(settled.struck[0] ?? '')) expect(settled.answered).toBe(true);
  countRefusals(model, settled);
  if (settled.answered) for (const { transactionId } of stores) model.acknowledged.add(transactionId);
}

function countRefusals(model: Model, { answered, answer }: Settled<ConfirmOutcome[]>): void {
  if (typeof answer === 'string') throw new Error(`a confirm was ${answer}`);
  const refused = answer.filter((outcome) => outcome !== 'stored').length;
  model.refusalsAnswered += refused;
  // The call that was not answered may have been written down, too. A batch that runs again counts a call that stands in
  // it twice once more: how often it came is then too high, for people, and never whether it came.
  const runs = answer.length === 1 ? 1 : RUNS_MAX;
  model.refusalsMade += answered ? refused * runs : (refused + answer.length) * runs;
}

export function newCall({ model, random, step, tidy }: Scene, prefix: string): Call {
  const agentId = random.oneOf([...model.agents.keys()]);
  return { transactionId: `${prefix}${step}`, agentId, amount: 1 + random.below(tidy ? 2_000_000_000 : 300) };
}

function changed({ random }: Scene, call: Call): Call {
  return random.oneOf([call, call, { ...call, amount: call.amount + 1 }, { ...call, agentId: 'unknown' }]);
}

function commandOf({ rooms }: Scene, call: Call): ConfirmCommand {
  const command = decodeConfirm(
    { ...call },
    {
      attemptId: newId(),
      rawBody: JSON.stringify(call),
      receivedAt: rooms.clock.now(),
      caller: { subject: 'gateway', jti: 'token-1' },
    },
  );
  if (command === undefined) throw new Error('a call is an object');
  return { ...command, followedUnavailable: false };
}

function say({ transactionId, agentId, amount }: Call): string {
  return `${transactionId} ${agentId} ${amount}`;
}
