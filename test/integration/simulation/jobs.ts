import { expect } from '@jest/globals';
import { addDays, MINUTE_MS } from '../../../src/kernel';
import { BY_TEST, TESTER } from '../../support/factories';
import { confirmNew } from './confirming';
import { JOB_AMOUNT, newEffects, runDueJob } from './job';
import type { Operation } from './scene';

const CLOSE_REASON = 'closed by chance';

/** Runs the due windows of a job that reads in one transaction and posts in a second one, which its lease protects. */
export const runJob: Operation = async ({ database, rooms, settle, model }) => {
  await runDueJob({ database, rooms, settle });
  model.byHand -= BigInt(JOB_AMOUNT * (await newEffects(database, model.jobWindows)));
};

/** Closes yesterday, or finds what hinders it. A closed day stays closed, and later money of it is recorded later. */
export const closeDay: Operation = async ({ rooms, settle, random }) => {
  const date = addDays(rooms.calendar.dateOf(rooms.clock.now()), -1 - random.below(2));
  const { answered, answer } = await settle(`close ${date}`, () =>
    rooms.closing.close({ date, reason: CLOSE_REASON, actor: TESTER, dryRun: false }),
  );
  const kind = typeof answer === 'string' ? answer : answer.kind;
  expect(['closed', 'already_closed', 'refused: conflict']).toContain(kind);
  if (!answered || typeof answer === 'string') return;
  const again = await rooms.closing.close({ date, reason: CLOSE_REASON, actor: TESTER, dryRun: false });
  expect(again).toMatchObject({ kind: 'already_closed', digest: answer.digest });
};

/** Just after midnight the day is closed, and a process whose clock is behind confirms in it: that is recorded later. */
export const closeAtMidnight: Operation = async (scene) => {
  const { rooms, now, pass, beside } = scene;
  const date = rooms.calendar.dateOf(now());
  await pass(rooms.calendar.startOf(addDays(date, 1)) + 1 - now());
  await closeDay(scene);
  await beside(-MINUTE_MS, (other) => confirmNew({ ...scene, ...other }));
};

/** Erases an agent who owes nothing and is owed nothing; the money of any other one forbids it. */
export const eraseAgent: Operation = async ({ model, random, rooms, settle }) => {
  const agentId = random.oneOf([...model.agents.keys()]);
  const { answer } = await settle(`erase agent ${agentId}`, () =>
    rooms.erasures.eraseAgent(agentId, { ...BY_TEST, reason: 'asked by letter 7' }),
  );
  if (answer === 'refused: conflict') {
    return expect(model.owed(agentId) !== 0n || model.mayBePaidFor(agentId)).toBe(true);
  }
  expect(['erased', 'already_erased']).toContain(answer);
  expect(model.owed(agentId)).toBe(0n);
  model.agents.set(agentId, 'closed');
  model.erased.add(agentId);
};
