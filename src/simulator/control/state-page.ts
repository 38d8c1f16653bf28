import { counted, formatDinars, formatInstant, millimes } from '../../kernel';
import type { SimPayment } from '../checkout/checkout-state';
import { settlementStatusOf } from '../checkout/settlement-status';
import type { Simulation } from '../core/simulation';
import type { ClockProblem, Simulator } from '../core/simulator';
import type { SignatureVerdict } from '../webhooks/judge-delivery';
import { listDeliveries } from '../webhooks/list-deliveries';
import { actionsFor } from './checkout-page';
import { type Html, markup, NOTHING, page, table } from './html';
import { operationRequests } from './operation-requests';

const ROWS_MAX = 25;

/** The faults that have a button: those that need no number. */
export const CALL_FAULT_BUTTONS = ['reset_before', 'reset_after', 'html_502', 'truncated_json', 'too_many'] as const;
export const WEBHOOK_FAULT_BUTTONS = ['wrong_key', 'tampered', 'unsigned', 'lost', 'doubled', 'late'] as const;

const VERDICTS = {
  accepted_wrongly: markup`<strong>accepted, and must be refused</strong>`,
  refused_rightly: 'refused, as it must be',
} as const satisfies Readonly<Record<SignatureVerdict, string | Html>>;

const STEPS = [
  { by: 'PT1M', label: '1 minute' },
  { by: 'PT1H', label: '1 hour' },
  { by: 'P1D', label: '1 day' },
] as const;

/** Renders the world, newest first, with forms that pay, order faults and move the time, and a request of each operation. */
export function statePage(simulator: Simulator, said: string, baseUrl: string): string {
  const { simulation, clockMode } = simulator;
  const sections = [payments, qrCodes, posTransactions, subscriptions, webhooks, faults];
  const others = [qrPayments, payouts, trace];
  const note = said === '' ? NOTHING : markup`<p role="alert" class="alarm"><strong>${said}</strong></p>`;
  const forms = clockMode === 'file' ? fileNote(simulator.clockProblem()) : advanceForms();
  return page(
    'Simulated gateway',
    markup`${note}${signatureAlarm(simulation)}${headOf(simulator)}${forms}${sections.map((section) =>
      section(simulation),
    )}${operations(simulator, baseUrl)}${others.map((section) => section(simulation))}`,
  );
}

/** States that a receiver accepted a webhook whose signature was wrong on purpose. */
function signatureAlarm(simulation: Simulation): Html {
  const accepted = listDeliveries(simulation).filter(({ signatureVerdict }) => signatureVerdict === 'accepted_wrongly');
  if (accepted.length === 0) return NOTHING;
  const addresses = [...new Set(accepted.map(({ url }) => url))].map((url) => markup`<code>${url}</code> `);
  return markup`<p role="alert" class="alarm"><strong>A wrong signature was accepted</strong>: ${addresses}
answered ${counted(accepted.length, 'webhook')} with a wrong signature as if it were right. Verify the signature over the
bytes as received before you answer 2xx (docs/SIMULATOR.md, "Verify the signature").</p>
`;
}

function operations({ simulation, operations: all }: Simulator, baseUrl: string): Html {
  const rows = operationRequests(simulation, all, baseUrl).map(({ name, command }) => [
    markup`<code>${name}</code>`,
    markup`<pre tabindex="0">${command}</pre>`,
  ]);
  return section(`Gateway operations (${all.length})`, ['operation', 'request to copy'], rows);
}

function headOf({ simulation, clockMode }: Simulator): Html {
  const { calendar, world } = simulation;
  const now = simulation.now();
  return markup`<p>Time: <strong>${calendar.formatLocal(now)}</strong> in ${calendar.timeZone}
(${formatInstant(now)}, ${clockMode}), seed ${world.seed}. <a href="/_simulator/page">Refresh</a> ·
<a href="/_simulator">all that the control API can do</a></p>
`;
}

function fileNote(problem: ClockProblem | undefined): Html {
  if (problem === undefined) return markup`<p>The time is read from CLOCK_FILE.</p>`;
  return markup`<p>The time is read from CLOCK_FILE and stands still. <strong>${problem.text}</strong></p>`;
}

function advanceForms(): Html {
  const buttons = STEPS.map(({ by, label }) => markup`<button name="by" value="${by}">${label}</button> `);
  return markup`<form method="post" action="/_simulator/page/advance">Move the time: ${buttons}</form>
<form method="post" action="/_simulator/page/advance"><button name="workingDays" value="1">1 working day</button></form>
`;
}

function payments(simulation: Simulation): Html {
  const all = Object.values(simulation.world.checkout.payments);
  const rows = newest(all).map((payment) => [
    payment.paymentId,
    dinars(payment.amountMillimes),
    payment.status,
    settlementStatusOf(simulation, payment),
    payment.developerTrackingId ?? '',
    paymentForm(payment),
  ]);
  return section(
    `Payments (${all.length})`,
    ['payment', 'amount', 'status', 'settlement', 'tracking id', 'customer'],
    rows,
  );
}

function paymentForm(payment: SimPayment): Html {
  const actions = actionsFor(payment);
  if (actions.length === 0) return NOTHING;
  const buttons = actions.map((action) => markup`<button name="action" value="${action}">${action}</button> `);
  const path = `/_simulator/page/payments/${encodeURIComponent(payment.paymentId)}`;
  return markup`<form method="post" action="${path}">${buttons}</form>`;
}

/** Renders a form of one button. */
function button(path: string, label: string): Html {
  return markup`<form method="post" action="/_simulator/page/${path}"><button>${label}</button></form>`;
}

function qrCodes({ world }: Simulation): Html {
  const all = Object.values(world.qr.codes);
  const rows = newest(all).map(({ operationUuid, amountMillimes, merchantId }) => [
    operationUuid,
    dinars(amountMillimes),
    merchantId,
    button(`qr/${operationUuid}`, 'pay'),
  ]);
  return section(`QR codes (${all.length})`, ['code', 'amount', 'merchant', 'customer'], rows);
}

function subscriptions({ world }: Simulation): Html {
  const all = Object.values(world.subscriptions.byId);
  const rows = newest(all).map(({ subscriptionId, terms, status, cyclesCompleted, nextChargeAt }) => [
    subscriptionId,
    dinars(terms.amountMillimes),
    status,
    cyclesCompleted,
    nextChargeAt === null ? '' : formatInstant(nextChargeAt),
  ]);
  return section(
    `Subscriptions (${all.length})`,
    ['subscription', 'amount', 'status', 'paid cycles', 'next charge'],
    rows,
  );
}

function posTransactions({ world }: Simulation): Html {
  const all = Object.values(world.pos.transactions);
  const rows = newest(all).map(({ serviceTransactionId, amountMillimes, status, terminalId }) => [
    serviceTransactionId,
    dinars(amountMillimes),
    status,
    terminalId,
    status === 'PP' ? button(`pos/${serviceTransactionId}`, 'pay') : NOTHING,
  ]);
  return section(`POS (${all.length})`, ['transaction', 'amount', 'status', 'terminal', 'customer'], rows);
}

function qrPayments({ world }: Simulation): Html {
  const rows = newest(world.qr.payments).map(({ transactionUniqueId, amountMillimes, operationUuid, paidAt }) => [
    transactionUniqueId,
    dinars(amountMillimes),
    operationUuid,
    formatInstant(paidAt),
  ]);
  const title = `QR payments (${world.qr.payments.length}, by ${Object.keys(world.qr.codes).length} codes)`;
  return section(title, ['transaction', 'amount', 'code', 'paid at'], rows);
}

function webhooks(simulation: Simulation): Html {
  const all = listDeliveries(simulation);
  const rows = newest(all).map(({ deliveryId, kind, event, url, status, attempts, nextAt, signatureVerdict }) => [
    deliveryId,
    event ?? kind,
    url,
    status,
    attempts.map(({ answer }) => (answer.kind === 'answered' ? answer.status : answer.reason)).join(', '),
    nextAt ?? '',
    signatureVerdict === null ? '' : VERDICTS[signatureVerdict],
    kind === 'hint' ? NOTHING : button(`webhooks/${deliveryId}`, 'send with a wrong signature'),
  ]);
  const heads = ['webhook', 'what', 'to', 'status', 'attempts', 'next', 'wrong signature', 'test the receiver'];
  return section(`Webhooks (${all.length})`, heads, rows);
}

function payouts({ world }: Simulation): Html {
  const { payouts: all, open } = world.payoutBook;
  const rows = newest(all).map((payout) => [
    payout.payoutId,
    payout.stream,
    formatInstant(payout.cutAt),
    payout.bookingDate,
    dinars(payout.grossMillimes),
    dinars(payout.feeMillimes),
    dinars(payout.tvaMillimes),
    dinars(payout.netMillimes),
  ]);
  return section(
    `Payouts (${all.length}; ${counted(open.length, 'open item')})`,
    ['payout', 'stream', 'cut', 'booked', 'gross', 'fee', 'TVA', 'net'],
    rows,
  );
}

function faults({ world }: Simulation): Html {
  const ofCalls = world.faults.orders.map(({ fault, operation, times }) => [fault.kind, `calls: ${operation}`, times]);
  const ofWebhooks = world.webhooks.orders.map(({ fault, match, times }) => [
    fault.kind,
    `webhooks: ${JSON.stringify(match)}`,
    times,
  ]);
  const waiting = table(['fault', 'for', 'times'], [...ofCalls, ...ofWebhooks]);
  const buttons = (name: string, kinds: readonly string[]): readonly Html[] =>
    kinds.map((kind) => markup`<button name="${name}" value="${kind}">${kind}</button> `);
  return markup`<h2>Faults</h2>
<form method="post" action="/_simulator/page/faults">For the next call: ${buttons('call', CALL_FAULT_BUTTONS)}</form>
<form method="post" action="/_simulator/page/faults">For the next webhook: ${buttons('webhook', WEBHOOK_FAULT_BUTTONS)}</form>
<form method="post" action="/_simulator/page/faults"><button name="clear" value="all">remove all faults</button></form>
<h3>Faults that wait</h3>${waiting}
`;
}

function trace({ world }: Simulation): Html {
  const rows = newest(world.trace).map(({ number, at, what, facts }) => [number, at, what, JSON.stringify(facts)]);
  return section('Trace', ['line', 'at', 'what', 'facts'], rows);
}

function section(title: string, heads: readonly string[], rows: Parameters<typeof table>[1]): Html {
  return markup`<h2>${title}</h2>${table(heads, rows)}
`;
}

function newest<T>(all: readonly T[]): T[] {
  return all.slice(-ROWS_MAX).reverse();
}

const dinars = (amount: number): string => formatDinars(millimes(amount));
