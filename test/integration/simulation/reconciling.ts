import { expect } from '@jest/globals';
import { addDays, type BusinessDate } from '../../../src/kernel';
import type { ReconciliationResult } from '../../../src/reconciliation';
import { payOut } from './bank';
import type { Operation, Scene } from './scene';

/** A run over all days: what it would do on trial it does, faults or not, and once it is done it does nothing more. */
export const reconcile: Operation = async (scene) => {
  const through = today(scene);
  const onTrial = await run(scene, through, true);
  expect(await run(scene, through, false)).toEqual(onTrial);
  expect(await scene.rooms.reconcile(through)).toEqual(onTrial);
  const { model, rooms, tidy } = scene;
  const matched = BigInt(onTrial.matchedMillimes);
  // A process whose clock is behind midnight does not see the money of today.
  if (tidy && through === rooms.calendar.dateOf(scene.now())) expect(matched).toBe(model.paidOut);
  expect(await rooms.reporting.daily(through)).toMatchObject({ proven: true, matched: { amount: matched } });
};

/** Agents pay, the gateway pays it out, and the run finds it. */
export const reconcilePayout: Operation = async (scene) => {
  await payOut(scene);
  await reconcile(scene);
};

export const reconcileOnTrial: Operation = async (scene) => {
  const through = today(scene);
  expect(await run(scene, through, true)).toEqual(await scene.rooms.reconcile(through, { dryRun: true }));
};

/** What is known of a day in the past may grow, but a run that looks back takes nothing away. */
export const lookBack: Operation = async (scene) => {
  const { random, rooms } = scene;
  const latest = today(scene);
  const before = await rooms.reconcile(latest);
  await run(scene, addDays(latest, -random.below(5)), random.onceIn(2));
  const after = await rooms.reconcile(latest);
  expect(after).toEqual(before);
};

async function run(scene: Scene, through: BusinessDate, dryRun: boolean): Promise<ReconciliationResult> {
  const what = `reconcile through ${through}${dryRun ? ' as a dry run' : ''}`;
  const { answer } = await scene.settle(what, () => scene.rooms.reconcile(through, { dryRun }));
  if (typeof answer === 'string') throw new Error(`a run was ${answer}`);
  return answer;
}

function today({ rooms }: Scene): BusinessDate {
  return rooms.calendar.dateOf(rooms.clock.now());
}
