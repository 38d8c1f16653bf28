import { failPayment, payPayment } from '../checkout/payer-actions';
import type { Simulator } from '../core/simulator';
import { decodeCallFaultOrder } from '../faults/call-fault-order';
import { clearCallFaults, orderCallFault } from '../faults/order-call-fault';
import { finishPos } from '../pos/finish-pos';
import { payQr } from '../qr/pay-qr';
import { clearWebhookOrders, nextWebhook } from '../webhooks/next-webhook';
import { repeatWebhook } from '../webhooks/repeat-webhook';
import { decodeWebhookOrder } from '../webhooks/webhook-order';
import { checkoutActionOf } from './checkout-page';
import { completedOf } from './payment-controls';
import { instantOf, timeTarget } from './time-target';

/** A submitted form: its fields, and the id in its path, which is empty in a path without one. */
interface SentForm {
  readonly id: string;
  readonly fields: URLSearchParams;
}

/** What a form of the state page does. @throws AppError when it is not possible. */
type PageAction = (simulator: Simulator, form: SentForm) => Promise<void>;

/** Returns the action that changes the world and waits for its immediate effects. */
const changing =
  (work: (simulator: Simulator, form: SentForm) => void): PageAction =>
  async (simulator, form) => {
    work(simulator, form);
    await simulator.catchUpAfterChange();
  };

/** The actions of the forms, by the path below that of the page. */
export const PAGE_ACTIONS: Readonly<Record<string, PageAction>> = {
  '/advance': advance,
  '/payments/:id': changing(payOrRefuse),
  '/faults': changing(orderFault),
  '/qr/:id': changing(({ simulation }, { id }) => payQr(simulation, id)),
  '/pos/:id': changing(({ simulation }, { id }) => finishPos(simulation, id, 'PS')),
  '/webhooks/:id': changing(({ simulation }, { id }) => repeatWebhook(simulation, id, [{ kind: 'wrong_key' }])),
};

async function advance(simulator: Simulator, { fields }: SentForm): Promise<void> {
  const workingDays = fields.get('workingDays');
  const given = timeTarget.parse(workingDays === '1' ? { workingDays: 1 } : { by: fields.get('by') ?? 'PT0S' });
  await simulator.advanceTo((now) => instantOf(given, now, simulator.simulation));
}

function payOrRefuse({ simulation }: Simulator, { id: paymentId, fields }: SentForm): void {
  const action = checkoutActionOf(fields.get('action')) ?? 'wallet';
  const completed =
    action === 'refuse' ? failPayment(simulation, paymentId) : payPayment(simulation, paymentId, { type: action });
  completedOf(completed, paymentId);
}

function orderFault({ simulation, operations }: Simulator, { fields }: SentForm): void {
  const [call, webhook] = [fields.get('call'), fields.get('webhook')];
  if (call !== null) {
    orderCallFault(simulation, decodeCallFaultOrder({ fault: { kind: call } }, operations));
  } else if (webhook !== null) {
    nextWebhook(simulation, decodeWebhookOrder({ fault: { kind: webhook } }));
  } else {
    clearCallFaults(simulation);
    clearWebhookOrders(simulation);
  }
}
