import { settlementStatusOf, type SimPayment, type Simulation } from '../../../src/simulator/testing';
import { type Row, selectRows } from '../support/tables';
import type { WatchedVerify } from './watched-gateway';

type Facts = Readonly<Record<string, unknown>>;

/** Two tellings of the same things, by their ids: what Millime says, and what is true. */
export interface Telling {
  readonly ours: ReadonlyMap<string, Facts>;
  readonly truth: ReadonlyMap<string, Facts>;
}

/** Every payment of the hosted checkout that the gateway has. */
export async function checkoutTelling(url: string, simulation: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select gateway_id as id, status, settlement_status, coalesce(method, 'NA') as method from payments
     where kind in ('standard', 'binding', 'preauthorization', 'split') and gateway_id is not null`,
  );
  const payments = Object.values(simulation.world.checkout.payments).filter(
    ({ subscriptionId }) => subscriptionId === null,
  );
  return {
    ours: byId(rows),
    truth: new Map(payments.map((payment) => [payment.paymentId, factsOf(simulation, payment)])),
  };
}

function factsOf(simulation: Simulation, payment: SimPayment): Facts {
  const { status, type } = payment;
  return { status, settlement_status: settlementStatusOf(simulation, payment), method: type };
}

export async function posTelling(url: string, { world }: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select gateway_id as id, status from payments where kind = 'pos' and request_state = 'made'`,
  );
  const transactions = Object.values(world.pos.transactions);
  return {
    ours: byId(rows),
    truth: new Map(transactions.map(({ serviceTransactionId, status }) => [serviceTransactionId, { status }])),
  };
}

export async function qrTelling(url: string, { world }: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select transaction_unique_id as id, amount_millimes as amount from qr_transactions`,
  );
  return {
    ours: byId(rows),
    truth: new Map(
      world.qr.payments.map(({ transactionUniqueId, amountMillimes }) => [
        transactionUniqueId,
        { amount: amountMillimes },
      ]),
    ),
  };
}

export async function subscriptionTelling(url: string, { world }: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select subscription_id as id, status, cycles_completed as cycles, canceled_at as canceled,
            cancellation_reason as reason, period_end_at as period_end from subscriptions`,
  );
  const subscriptions = Object.values(world.subscriptions.byId);
  return {
    ours: byId(rows),
    truth: new Map(
      subscriptions.map((subscription) => [
        subscription.subscriptionId,
        {
          status: subscription.status,
          cycles: subscription.cyclesCompleted,
          canceled: inSeconds(subscription.canceledAt),
          reason: subscription.cancellationReason,
          period_end: inSeconds(subscription.currentPeriodEnd),
        },
      ]),
    ),
  };
}

export async function chargeTelling(url: string, { world }: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select payment_id as id, status, attempt, fee_millimes as fee, tva_millimes as tva from subscription_charges`,
  );
  const charges = Object.values(world.subscriptions.byId).flatMap((subscription) => subscription.charges);
  return {
    ours: byId(rows),
    truth: new Map(
      charges.map(({ paymentId, attempt, fee }) => [
        paymentId,
        {
          status: world.checkout.payments[paymentId]?.status,
          attempt,
          fee: fee?.feeMillimes ?? null,
          tva: fee?.tvaMillimes ?? null,
        },
      ]),
    ),
  };
}

/** Every amount that the gateway owes or takes back, agents' apart: ours are those in the books. */
export async function itemTelling(url: string, { world }: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select i.item_id as id, i.channel, i.amount_millimes as amount from gateway_items i
     join ledger_transactions t on t.id = i.ledger_transaction_id and t.reference = i.item_id`,
  );
  const earned = world.earned.filter(({ channel }) => channel !== 'agent');
  return {
    ours: byId(rows),
    truth: new Map(earned.map(({ itemId, channel, amountMillimes }) => [itemId, { channel, amount: amountMillimes }])),
  };
}

/** What the gateway owes by channel: the balances of the ledger, and the sums of the truth. */
export async function clearingTelling(url: string, simulation: Simulation): Promise<Telling> {
  const rows = await selectRows(
    url,
    `select m.account as id, sum(m.amount) as amount
     from (select debit_account as account, amount_millimes as amount from postings where debit_account like 'gateway_clearing:%'
           union all
           select credit_account, -amount_millimes from postings where credit_account like 'gateway_clearing:%') m
     group by m.account`,
  );
  const truth = new Map<string, { amount: number }>();
  const add = (channel: string, amount: number): void => {
    const account = `gateway_clearing:${channel}`;
    truth.set(account, { amount: (truth.get(account)?.amount ?? 0) + amount });
  };
  const { world } = simulation;
  for (const { channel, amountMillimes } of world.earned) if (channel !== 'agent') add(channel, amountMillimes);
  for (const { charges, isTest } of Object.values(world.subscriptions.byId)) {
    for (const { paymentId, fee } of charges) {
      const isPaid = world.checkout.payments[paymentId]?.status === 'SUCCESS';
      if (fee !== null && isPaid && !isTest) add('subscription', -(fee.feeMillimes + fee.tvaMillimes));
    }
  }
  return { ours: byId(rows), truth };
}

/** The webhooks that we answered 200 and that are not in the inbox, by what names them. */
export async function lostWebhooks(url: string, { world }: Simulation): Promise<string[]> {
  const rows = await selectRows(url, `select content from webhook_inbox`);
  const kept = new Set(rows.map((row) => (row['content'] as Buffer).toString('utf8')));
  const taken = Object.values(world.webhooks.deliveries).filter(
    ({ message, attempts }) =>
      message.kind !== 'hint' &&
      message.kind !== 'payment_v1' &&
      attempts.some(({ answer }) => answer.kind === 'answered' && answer.status === 200),
  );
  return taken
    .map(({ message }) => ('body' in message ? String(message.body['event_id']) : ''))
    .filter((eventId) => ![...kept].some((content) => content.includes(`"${eventId}"`)));
}

/** The most verifies in any 60 s, and the shortest time between two of one payment, by the clock of who asked. */
export function verifyRates(verifies: readonly WatchedVerify[]): { perMinute: number; spacingMs: number } {
  const sorted = [...verifies].sort((a, b) => a.at - b.at);
  let perMinute = 0;
  let first = 0;
  sorted.forEach(({ at }, index) => {
    while ((sorted[first]?.at ?? at) <= at - 60_000) first += 1;
    perMinute = Math.max(perMinute, index - first + 1);
  });
  const last = new Map<string, number>();
  let spacingMs = Number.POSITIVE_INFINITY;
  for (const { at, paymentId } of sorted) {
    spacingMs = Math.min(spacingMs, at - (last.get(paymentId) ?? Number.NEGATIVE_INFINITY));
    last.set(paymentId, at);
  }
  return { perMinute, spacingMs };
}

/** What differs, a line for each, so that a failure names its things. */
export function differences({ ours, truth }: Telling): string[] {
  const ids = [...new Set([...ours.keys(), ...truth.keys()])];
  return ids.flatMap((id) => {
    const [said, real] = [told(ours.get(id)), told(truth.get(id))];
    return said === real ? [] : [`${id}: ours ${said}, truth ${real}`];
  });
}

function told(facts: Facts | undefined): string {
  return facts === undefined ? 'none' : JSON.stringify(facts);
}

function byId(rows: readonly Row[]): Map<string, Facts> {
  return new Map(
    rows.map(({ id, ...facts }) => [
      String(id),
      Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(name, value)])),
    ]),
  );
}

const INSTANTS = ['canceled', 'period_end'];

/** Sums come as texts, and big numbers too; the gateway writes its times in seconds. */
function plain(name: string, value: unknown): unknown {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return INSTANTS.includes(name) ? inSeconds(number as number | null) : number;
}

function inSeconds(instant: number | null): number | null {
  return instant === null ? null : Math.floor(instant / 1_000);
}
