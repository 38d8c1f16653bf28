import { expect } from '@jest/globals';
import { MINUTE_MS } from '../../../src/kernel';
import { BY_TEST } from '../../support/factories';
import { checkoutRequest, expectCreated, expectOperated, someCheckout } from './checkouts';
import { newCall } from './confirming';
import { holdersOf, JOB_AMOUNT, JOB_LEASE_MS, newEffects, runDueJob } from './job';
import type { Call } from './model';
import type { Operation, Work } from './scene';

/** Shorter and longer than the lease of the job, and than that of a webhook in work. */
const PAUSES_MS = [0, 1, JOB_LEASE_MS / 2, 2 * JOB_LEASE_MS];

/** The same call in both processes, or two calls for one agent: one row is stored of each id. */
export const raceConfirms: Operation = async (scene) => {
  const { model, random, race } = scene;
  const call = newCall(scene, 'Q');
  const other = random.onceIn(2) ? call : { ...newCall(scene, 'Z'), agentId: call.agentId };
  const pair = [call, other] as const;
  const before = model.outcomesOf(pair);
  const told: unknown[] = [];
  const confirm =
    (given: Call): Work =>
    async ({ rooms, settle }) => {
      const settled = await settle(`confirm ${given.transactionId} ${given.amount}`, () => rooms.confirm(given));
      told.push(settled.answer);
      if (settled.answered && settled.answer === 'stored') model.acknowledged.add(given.transactionId);
    };
  await race(0, [confirm(call), confirm(other)]);
  model.store(before.stores);
  const refused = told.filter((answer) => answer !== 'stored').length;
  model.refusalsAnswered += refused;
  model.refusalsMade += refused + pair.length;
  // A call that was not answered may have been stored by itself, and is a duplicate when it comes again.
  if (call === other) expect(told.filter((answer) => answer === 'stored').length).toBeLessThanOrEqual(1);
  for (const answer of told) expect([...before.outcomes, 'duplicate_transaction']).toContain(answer);
};

/** A holder of the lease that is paused for longer than it must write nothing when it wakes. */
export const raceJobs: Operation = async (scene) => {
  const { database, model, random, race } = scene;
  const pausedMs = random.oneOf(PAUSES_MS);
  const before = await holdersOf(database);
  await race(pausedMs, [runDueJob, runDueJob]);
  // Nothing was paused for long, and no fault has returned a window: so no window had two holders.
  const isQuiet = pausedMs <= 1 && scene.isInPeace && before.open === 0;
  if (isQuiet) expect(await holdersOf(database)).toEqual(before);
  model.byHand -= BigInt(JOB_AMOUNT * (await newEffects(database, model.jobWindows)));
};

/** Two imports of one file of dues: its lines are stored once. */
export const raceDues: Operation = async ({ model, random, race, step }) => {
  const open = [...model.agents].filter(([, status]) => status === 'open').map(([agentId]) => agentId);
  if (open.length === 0) return;
  const due = { reference: `RD${step}`, agentId: random.oneOf(open), amount: 1 + random.below(500_000) };
  const line = `${due.reference},${due.agentId},${due.amount},2026-03-01,`;
  const file = Buffer.from(['reference,agent_id,amount_millimes,due_date,memo', line].join('\n'));
  const added: number[] = [];
  const work: Work = async ({ rooms, settle }) => {
    const { answer } = await settle(`import due ${line}`, () => rooms.dues.importCsv(file, BY_TEST));
    if (typeof answer === 'string') throw new Error(`a good file was ${answer}`);
    added.push(answer.added);
  };
  await race(0, [work, work]);
  expect(added.reduce((total, each) => total + each, 0)).toBeLessThanOrEqual(1);
  model.dues.set(due.reference, { agentId: due.agentId, amount: due.amount, cancelled: false });
};

/** Two requests for one reference: the gateway gets at most one session of it. */
export const raceCheckouts: Operation = async (scene) => {
  const request = checkoutRequest(scene);
  if (request === undefined) return;
  await scene.pass(0);
  const work: Work = async ({ rooms, settle }) => {
    const { answer } = await settle(`begin ${JSON.stringify(request)}`, () => rooms.payments.create(request, BY_TEST));
    expectCreated(answer);
  };
  await scene.race(0, [work, work]);
};

/** One process polls while the other processes webhooks, with pauses longer than the lease of an entry. */
export const raceChecks: Operation = async ({ gateway, race, random }) => {
  if (gateway?.isInUse !== true) return;
  const poll: Work = async ({ rooms, settle }) => {
    await settle('poll', () => rooms.payments.poll());
  };
  const process: Work = async ({ rooms, settle }) => {
    await settle('process the inbox', () => rooms.webhooks.processInbox());
  };
  const works: readonly [Work, Work] = random.oneOf([
    [process, process],
    [poll, process],
    [poll, poll],
  ] as const);
  const pays = random.onceIn(2) ? (): void => gateway.payOne() : undefined;
  await race(random.oneOf([1, 31_000, 2 * MINUTE_MS]), works, pays);
};

/** Two refunds of one payment: one call leaves. */
export const raceRefunds: Operation = async (scene) => {
  const payment = await someCheckout(scene, (status) => status === 'SUCCESS');
  if (payment === undefined) return;
  const work: Work = async ({ rooms, settle }) => {
    const { answer } = await settle(`refund ${payment.reference}`, () =>
      rooms.payments.refund(payment.trackingId, BY_TEST),
    );
    expectOperated(answer);
  };
  await scene.race(0, [work, work]);
};
