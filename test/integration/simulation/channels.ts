import { expect } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { giveBack, ITEM_CHANNELS, type PaidGiven, receive, reportFee, shareOf } from '../ledger/gateway-money';
import { isCountable, keptOf, type PaidState } from './model';
import type { Operation, Scene, Settled } from './scene';

const AMOUNT_MAX = 2_000_000_000;
const FEE_MAX = 500;
const HUGE_ONCE_IN = 20;
// After a COMMIT whose answer was lost the transaction runs again by itself, and finds what it stored: so the answer may
// be that of a second time. That the money is there all the same, the history checks after each step.
const NO_REFUNDS: ReadonlyMap<string, number> = new Map();

/** A customer's payment: whole, a split, or a part of what was authorised. */
export const payThroughChannel: Operation = (scene) => pay(scene, newPayment(scene));

/** A payment of an agent's due; once in a while as much as can be counted at all. */
export const payForAgent: Operation = (scene) => {
  const { model, random } = scene;
  const payment = { ...newPayment(scene), agentId: random.oneOf([...model.agents.keys()]) };
  if (!random.onceIn(HUGE_ONCE_IN) || model.mayBePaidFor(payment.agentId)) return pay(scene, payment);
  return pay(scene, { id: payment.id, channel: payment.channel, agentId: payment.agentId, amount: LARGEST });
};

/** A second look finds the same. */
export const payAgain: Operation = async (scene) => {
  const { model, random } = scene;
  if (model.paid.size > 0) await pay(scene, random.oneOf([...model.paid.values()]).given);
};

/** The gateway's id comes again with another amount, through another channel: nothing is booked, and it is said. */
export const payDifferently: Operation = async (scene) => {
  const { model, random } = scene;
  const [subscribed] = [...model.paid.values()].filter(({ given }) => given.channel === 'subscription');
  if (subscribed === undefined) return;
  const given: PaidGiven = { id: subscribed.given.id, channel: 'card', amount: 1 + random.below(AMOUNT_MAX) };
  const { answer } = await settleReceive(scene, given, 'with the id of a charge');
  expect(answer).toBe('refused: conflict');
};

/** A part, or all that is left. */
export const refund: Operation = async (scene) => {
  const { model, random, step } = scene;
  const paid = await somePaid(scene);
  const left = paid === undefined ? 0 : keptOf(paid);
  if (paid === undefined || left === 0) return;
  const { given } = paid;
  const [known] = [...paid.refunds];
  const again = known !== undefined && random.onceIn(4);
  const [id, amount] = again ? known : [`R${step}`, random.onceIn(2) ? left : 1 + random.below(left)];
  const { answer } = await settleRefund(scene, given, id, amount);
  if (!again && !isOwable(scene, given, amount)) return expect(answer).toBe('refused: conflict');
  expect([!again, false]).toContain(answer);
  const refunded = { ...paid, refunds: new Map(paid.refunds).set(id, amount) };
  model.paid.set(given.id, refunded);
  if (keptOf(refunded) > 0 && random.onceIn(2)) await refundPast(scene, refunded);
};

export const refundTooMuch: Operation = async (scene) => {
  const paid = await somePaid(scene);
  if (paid !== undefined) await refundPast(scene, paid);
};

/** One millime more than what is left. */
async function refundPast(scene: Scene, paid: PaidState): Promise<void> {
  const tooMuch = keptOf(paid) + 1;
  if (!isCountable(BigInt(tooMuch))) return;
  const { answer } = await settleRefund(scene, paid.given, `RX${scene.step}`, tooMuch);
  expect(answer).toBe('refused: conflict');
}

/** A first report of a fee, the same once more, or one that differs. */
export const correctFee: Operation = async (scene) => {
  const { model, random, rooms, database } = scene;
  const paid = await somePaid(scene);
  if (paid === undefined) return;
  const { given, fee: before } = paid;
  const fresh = { fee: random.below(FEE_MAX), tva: random.below(2) * random.below(FEE_MAX) };
  const now = before !== undefined && random.onceIn(3) ? before : fresh;
  const at = rooms.clock.now();
  const { answer } = await scene.settle(`fee of ${given.id}: ${now.fee} and ${now.tva}`, () =>
    reportFee(database, { of: given, ...now }, at),
  );
  const isSame = before?.fee === now.fee && before.tva === now.tva;
  const first = before === undefined ? 'posted' : isSame ? 'unchanged' : 'corrected';
  expect([first, 'unchanged']).toContain(answer);
  model.paid.set(given.id, { ...paid, fee: now });
};

/** Shown, and never in the books. */
export const testMoney: Operation = async (scene) => {
  const given = { ...newPayment(scene), isTest: true };
  const { answer } = await settleReceive(scene, given, 'as a test');
  expect(answer).toBe(false);
  const rows = await scene.database.read((session) =>
    rowsOf(session('gateway_items').select('item_id').where('item_id', `payment:${given.id}`)),
  );
  expect(rows).toEqual([]);
};

async function pay(scene: Scene, given: PaidGiven): Promise<void> {
  const { model } = scene;
  const isNew = !model.paid.has(given.id) && shareOf(given) > 0;
  const { answer } = await settleReceive(scene, given, '');
  if (isNew && !isOwable(scene, given, -shareOf(given))) return expect(answer).toBe('refused: conflict');
  expect([isNew, false]).toContain(answer);
  if (isNew) model.paid.set(given.id, { given, refunds: NO_REFUNDS, fee: undefined });
}

function settleReceive({ rooms, database, settle }: Scene, given: PaidGiven, note: string): Promise<Settled<boolean>> {
  const at = rooms.clock.now();
  return settle(`pay ${JSON.stringify(given)} ${note}`.trimEnd(), () => receive(database, given, at));
}

function settleRefund(
  { rooms, database, settle }: Scene,
  of: PaidGiven,
  id: string,
  amount: number,
): Promise<Settled<boolean>> {
  const at = rooms.clock.now();
  return settle(`refund ${id} of ${of.id}: ${amount}`, () => giveBack(database, { id, of, amount }, at));
}

/** Whether the agent's balance can be counted when this much is added to it. */
function isOwable({ model }: Scene, { agentId }: PaidGiven, added: number): boolean {
  return agentId === undefined || isCountable(model.owed(agentId) + BigInt(added));
}

/** A payment that is in the books; one is made where there is none. */
async function somePaid(scene: Scene): Promise<PaidState | undefined> {
  const { model, random } = scene;
  if (model.paid.size === 0) await payThroughChannel(scene);
  return model.paid.size === 0 ? undefined : random.oneOf([...model.paid.values()]);
}

const LARGEST = Number.MAX_SAFE_INTEGER;

function newPayment({ random, step }: Scene): PaidGiven {
  const channel = random.oneOf(ITEM_CHANNELS);
  const amount = 1 + random.below(AMOUNT_MAX);
  const given: PaidGiven = { id: `P${step}`, channel, amount };
  if (channel !== 'card' && channel !== 'wallet' && channel !== 'mpayment') return given;
  // A split may leave us nothing, and of a hold at least something is taken.
  if (random.onceIn(4)) return { ...given, ourShare: random.onceIn(4) ? 0 : random.below(amount) };
  return random.onceIn(4) ? { ...given, captured: 1 + random.below(amount) } : given;
}
