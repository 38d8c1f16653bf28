import { requireOpenAgent } from '../../agents';
import { isGatewayError, type GatewayErrorCode } from '../../gateway';
import { openAuditTrail } from '../../identity';
import { AppError, assert, millimes, outsideIdFault, type Instant } from '../../kernel';
import { BEING_SENT, isBeingSent } from './being-sent';
import { toGatewayFault } from '../gateway-fault';
import { newPayment } from './new-payment';
import { FIRST_CHECK_AFTER_MS } from '../status-checks/next-channel-check';
import { otherApplication } from './other-application';
import type { Payment } from '../payment';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { ActOptions, CreateOutcome, PaymentsDeps } from '../payments';

/** What the gateway finds out, or makes, itself: no part of what was asked for. */
const OWN_TERMS: readonly string[] = ['operationUuid'];

/** What somebody asks for through a channel without sessions, and how it is sent. */
export interface ChannelRequest extends Pick<Payment, 'trackingId' | 'kind' | 'terms' | 'reference' | 'agentId'> {
  readonly amountMillimes: number;
  /** Where it is ours, and so known before the call. */
  readonly gatewayId?: string | undefined;
  /** Throws a GatewayError for what could not be sent. */
  readonly check: () => void;
  /** Sends it, once, and gives what the answer makes of the attempt. */
  readonly call: () => Promise<PaymentChange>;
  /** Faults after which nobody knows whether the gateway has it; after all others it has not. */
  readonly unknownCodes: readonly GatewayErrorCode[];
}

interface Attempt {
  readonly payment: Payment;
  readonly options: ActOptions;
}

/**
 * Makes one attempt of a channel without sessions: the row is stored before the call, and the outcome after it. Of
 * several attempts for one reference one makes it; the others are given that one.
 *
 * @throws AppError `bad_input` for a reference or an agent that cannot be, `conflict` when the reference has other
 * terms.
 */
export async function sendAttempt(
  deps: PaymentsDeps,
  request: ChannelRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  try {
    request.check();
  } catch (error) {
    throw toGatewayFault(error);
  }
  const sentAt = deps.clock.now();
  const payment = attemptOf(request, { sentAt, isTest: deps.settings.isTest, recordedBy: options.actor.name });
  const begun = await begin(deps, { payment, options });
  if (options.dryRun) return { kind: 'checked' };
  if (begun.trackingId !== payment.trackingId) return existing(begun, deps.clock.now());
  return outcomeOf(await end(deps, begun, await send(request, sentAt + FIRST_CHECK_AFTER_MS)));
}

function attemptOf(
  { trackingId, kind, terms, reference, agentId, amountMillimes, gatewayId }: ChannelRequest,
  by: { readonly sentAt: Instant; readonly isTest: boolean; readonly recordedBy: string },
): Payment {
  const amount = millimes(amountMillimes);
  const asked = { trackingId, kind, terms, reference, agentId, amount, ourShare: amount };
  return { ...newPayment({ ...asked, ...by, requestState: 'sending', requestedAt: by.sentAt }), gatewayId };
}

/** What was made, or may have been, is checked from `nextCheckAt` on. */
async function send({ call, unknownCodes }: ChannelRequest, nextCheckAt: Instant): Promise<PaymentChange> {
  try {
    return { requestState: 'made', requestError: undefined, nextCheckAt, ...(await call()) };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const requestError = `${error.code}: ${error.message}`;
    return unknownCodes.includes(error.code)
      ? { requestState: 'unknown', requestError, nextCheckAt }
      : { requestState: 'refused', requestError, isLive: false, nextCheckAt: undefined };
  }
}

function outcomeOf(payment: Payment): CreateOutcome {
  const { requestState, requestError: reason = 'its outcome is not known' } = payment;
  if (requestState === 'made') return { kind: 'created', payment };
  return requestState === 'refused' ? { kind: 'refused', payment, reason } : { kind: 'unknown', payment, reason };
}

/** Stores the attempt, or gives the one that its reference has. */
async function begin({ database }: PaymentsDeps, { payment, options }: Attempt): Promise<Payment> {
  const { actor, dryRun } = options;
  const { reference, agentId, trackingId, requestedAt } = payment;
  requireOutsideIds({ reference, agentId });
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const live = reference === undefined ? undefined : await store.live(reference);
      // Our own: the COMMIT of the first run was not answered, and it is stored.
      const known = (await store.find(trackingId)) ?? live;
      if (known !== undefined) {
        requireSameTerms(known, payment);
        return known;
      }
      await requireOpenAgent(session, agentId);
      await store.add([payment]);
      const { kind, amount: amountMillimes } = payment;
      const detail = { kind, amountMillimes, reference: reference ?? null };
      const subject = `payment:${trackingId}`;
      await openAuditTrail(session).record({ at: requestedAt, actor, action: 'payment.sent', subject, detail });
      return payment;
    },
    { retryDuplicate: true, retryUnknownOutcome: true, dryRun },
  );
}

/** Stores what became of it, unless a status check was faster. */
async function end({ database }: PaymentsDeps, { trackingId }: Payment, change: PaymentChange): Promise<Payment> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'an attempt that was sent is stored');
      const isOpen = payment.requestState === 'sending' || payment.requestState === 'unknown';
      // What a status check has found stands; only the link is told to nobody else.
      const applied: PaymentChange = isOpen ? change : change.link === undefined ? {} : { link: change.link };
      if (Object.keys(applied).length > 0) await store.change(payment, applied);
      return { ...payment, ...applied };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

function existing(payment: Payment, now: Instant): CreateOutcome {
  if (payment.requestState === 'made') return { kind: 'existing', payment };
  const noOutcome = 'the attempt before it has no known outcome yet: the next looks will tell';
  return { kind: 'unknown', payment, reason: isBeingSent(payment, now) ? BEING_SENT : noOutcome };
}

function requireOutsideIds(ids: Readonly<Record<string, string | undefined>>): void {
  const faults = Object.entries(ids).flatMap(([field, value]) => {
    const fault = value === undefined ? undefined : outsideIdFault(value);
    return fault === undefined ? [] : [`${field} ${fault}`];
  });
  if (faults.length > 0) throw badInput(...faults);
}

function requireSameTerms(live: Payment, wanted: Payment): void {
  const application = otherApplication(live, wanted);
  const isSame =
    application === undefined &&
    live.kind === wanted.kind &&
    live.amount === wanted.amount &&
    live.agentId === wanted.agentId &&
    comparable(live) === comparable(wanted);
  if (isSame) return;
  const reference = JSON.stringify(wanted.reference);
  const fault = application === undefined ? 'has an attempt with other terms' : `is taken, ${application}`;
  throw new AppError('conflict', `the reference ${reference} ${fault}: ${live.trackingId}`);
}

function comparable({ terms }: Payment): string {
  const asked = Object.entries(terms).filter(([name]) => !OWN_TERMS.includes(name));
  return JSON.stringify(asked.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function badInput(...details: readonly string[]): AppError {
  return new AppError('bad_input', 'the payment cannot be made as it is asked for', { details });
}
