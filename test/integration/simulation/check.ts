import { expect } from '@jest/globals';
import { column, type Database, rowCodec, rowsOf, type Session } from '../../../src/db';
import { toTotal } from '../../../src/kernel';
import {
  agentReceivable,
  bankAccount,
  DUES_ASSESSED,
  gatewayClearing,
  OPENING_BALANCES,
  openLedger,
  PAYMENTS_RECEIVED,
} from '../../../src/ledger';
import { ITEM_CHANNELS, type ItemChannel } from '../ledger/gateway-money';
import type { Gateway } from './gateway';
import type { Collected, Model } from './model';
import type { ProcessRooms } from './process';

/** What the books were found to be wrong about, against what the callers were told. */
export interface Damage {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

interface Checked {
  readonly database: Database;
  readonly rooms: ProcessRooms;
  readonly model: Model;
  readonly gateway: Gateway | undefined;
  readonly isLast: boolean;
}

const ITEM = rowCodec({
  itemId: column.text('item_id'),
  channel: column.text('channel'),
  amount: column.number('amount_millimes'),
  agentId: column.optional(column.text('agent_id')),
});

/** The books say what the model and the gateway say, and no invariant is broken. */
export async function check({ database, rooms, model, gateway, isLast }: Checked): Promise<void> {
  if (gateway?.isInUse === true) {
    // Each request has an amount of its own, so this is one live session of a reference.
    const live = gateway.payments
      .filter(({ status }) => status === 'PENDING')
      .map(({ amountMillimes }) => amountMillimes);
    expect(live.length).toBe(new Set(live).size);
    model.collected = named(await database.read(itemsOfCheckouts), gateway);
    expect(model.collected.length).toBe(new Set(model.collected.map(({ itemId }) => itemId)).size);
    expect(gatewayTruth(gateway, model)).toEqual(expect.arrayContaining([...model.collected]));
  }
  const said = await database.read((session) => readBooks(session, model));
  const { assessed, opening, confirmed } = model.sums();
  expect(said).toEqual({
    owed: [...model.agents.keys()].map((agentId) => model.owed(agentId)),
    assessed,
    clearing: confirmed - said.matched,
    channels: ITEM_CHANNELS.map((channel) => model.clearing(channel)),
    received: model.received(),
    opening,
    banks: [...model.banks.values()].map(({ booked }) => BigInt(booked)),
    gaps: [...model.banks.values()].reduce((total, { gaps }) => total + gaps, 0),
    refusals: expect.anything(),
    matched: said.matched,
  });
  expect(said.refusals).toBeGreaterThanOrEqual(model.refusalsAnswered);
  expect(said.refusals).toBeLessThanOrEqual(model.refusalsMade);
  expect(await damage(database, model)).toEqual({ acknowledged: model.acknowledged.size, lost: 0, doubled: 0 });
  if (isLast) expect(await rooms.reporting.verifyBooks()).toEqual([]);
}

/** Every amount that the gateway owes or takes back for a hosted checkout, as Millime should have it. */
export function gatewayTruth({ simulation: { world }, payments }: Gateway, { asked }: Model): Collected[] {
  const paymentOf = new Map(
    payments.flatMap((payment) => [
      [`payment:${payment.paymentId}`, payment],
      ...(payment.refund === null ? [] : [[`refund:${payment.refund.refundId}`, payment] as const]),
    ]),
  );
  return world.earned.map(({ itemId, channel, amountMillimes }) => ({
    itemId,
    channel: channel as ItemChannel,
    amount: amountMillimes,
    agentId: asked.get(paymentOf.get(itemId)?.amountMillimes ?? 0),
  }));
}

/** Gives a refund that the answer did not name the name that the gateway has for it. */
function named(items: readonly Collected[], { payments }: Gateway): Collected[] {
  const names = new Map(
    payments.map(({ paymentId, refund }) => [`refund:payment:${paymentId}`, `refund:${refund?.refundId ?? 'none'}`]),
  );
  return items.map((item) => ({ ...item, itemId: names.get(item.itemId) ?? item.itemId }));
}

/** The synthetic payments of a history have the ids `P…` and `R…`; the gateway's are longer. */
async function itemsOfCheckouts(session: Session): Promise<Collected[]> {
  const rows = await ITEM.all(session('gateway_items as i').select(ITEM.columns('i')));
  return rows
    .filter(({ itemId }) => !/^(payment:P|refund:R)\d+$/.test(itemId))
    .map((row) => ({ ...row, channel: row.channel as ItemChannel }));
}

async function readBooks(session: Session, model: Model) {
  const ledger = openLedger(session);
  const accounts = [...model.agents.keys()].map(agentReceivable);
  const balances = await ledger.balances(accounts);
  const opened = [...model.banks.keys()];
  const [refusals] = await rowsOf(session('confirm_refusals').sum('times as times'));
  const gaps = await rowsOf(
    session('recon_breaks').select('id').where('class', 'statement_gap').whereNot('status', 'resolved'),
  );
  const [matches] = await rowsOf(
    session('payout_claimed_lines as k')
      .join('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'k.line_id'))
      .select(session.fragment('cast(sum(m.gross_millimes) as char) as total')),
  );
  return {
    owed: accounts.map((account) => BigInt(balances.get(account) ?? 0)),
    assessed: -(await ledger.sumOf(DUES_ASSESSED)),
    clearing: await ledger.sumOf(gatewayClearing('agent')),
    channels: await Promise.all(ITEM_CHANNELS.map((channel) => ledger.sumOf(gatewayClearing(channel)))),
    received: -(await ledger.sumOf(PAYMENTS_RECEIVED)),
    opening: -(await ledger.sumOf(OPENING_BALANCES)),
    banks: await Promise.all(opened.map((account) => ledger.sumOf(bankAccount(account)))),
    gaps: gaps.length,
    refusals: Number(refusals?.['times'] ?? 0),
    matched: toTotal(matches?.['total']),
  };
}

export async function damage(database: Database, model: Model): Promise<Damage> {
  const rows = await database.read((session) =>
    rowsOf(session('agent_confirmations').select('transaction_id', 'agent_id', 'amount_millimes')),
  );
  const stored = new Map(rows.map((row) => [String(row['transaction_id']), row]));
  const { acknowledged } = model;
  const unasked = [...stored].filter(([id, row]) => {
    const call = model.stored.get(id);
    return call?.agentId !== row['agent_id'] || call?.amount !== Number(row['amount_millimes']);
  });
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((id) => !stored.has(id)).length,
    doubled: rows.length - stored.size + unasked.length,
  };
}
