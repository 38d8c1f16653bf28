import { requireOpenAgent } from '../../agents';
import { type ActOptions, BEING_SENT, idFaults, isBeingSent, liveReferenceError, toGatewayFault } from '../../attempts';
import { type GatewayErrorCode, isGatewayError } from '../../gateway';
import { openAuditTrail } from '../../identity';
import { assert, inputError, type Instant, millimes, SECOND_MS } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore, type PaymentChange } from '../payment-store';
import type { CreateOutcome, PaymentsDeps } from '../payments';
import { newPayment } from './new-payment';

/** Terms that Millime chooses, so a repeated request need not repeat them. */
const OWN_TERMS: readonly string[] = ['operationUuid'];

/** How long after sending the first check is due. */
const FIRST_CHECK_AFTER_MS = 30 * SECOND_MS;

/** A request of a channel without sessions, and how it is sent. */
export interface ChannelRequest extends Pick<Payment, 'trackingId' | 'kind' | 'terms' | 'reference' | 'agentId'> {
  readonly amountMillimes: number;
  /** Set if Millime chooses it, so that it is known before the call. */
  readonly gatewayId?: string | undefined;
  /**
   * Checks the request.
   *
   * @throws GatewayError for a request that could not be sent.
   */
  readonly check: () => void;
  /** Sends it once, and returns the change that the answer makes to the attempt. */
  readonly call: () => Promise<PaymentChange>;
  /** Faults that leave the outcome unknown; after all others the gateway does not have the attempt. */
  readonly unknownCodes: readonly GatewayErrorCode[];
}

interface Attempt {
  readonly payment: Payment;
  readonly options: ActOptions;
}

/**
 * Makes one attempt of a channel without sessions: stores the row before the call and the outcome after it. Of several
 * requests for one reference one is sent; the others return its attempt.
 *
 * @throws AppError `bad_input` for a reference or an agent that cannot be used, `reference_live` for other terms.
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

/** Sends the attempt. If the gateway created it, or may have, it is checked from `nextCheckAt` on. */
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
  const { requestState, requestError: reason = 'the outcome is unknown' } = payment;
  if (requestState === 'made') return { kind: 'created', payment };
  return requestState === 'refused' ? { kind: 'refused', payment, reason } : { kind: 'unknown', payment, reason };
}

/** Stores the attempt, or returns the one of its reference. */
async function begin({ database }: PaymentsDeps, { payment, options }: Attempt): Promise<Payment> {
  const { actor, dryRun } = options;
  const { reference, agentId, trackingId, requestedAt } = payment;
  const faults = [...idFaults('reference', reference), ...idFaults('agentId', agentId)];
  if (faults.length > 0) throw inputError('payment', faults);
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const live = reference === undefined ? undefined : await store.live(reference);
      // It may be this call's own row, if the COMMIT of the first run succeeded without an answer.
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

/** Stores the outcome, unless a status check was faster. */
async function end({ database }: PaymentsDeps, { trackingId }: Payment, change: PaymentChange): Promise<Payment> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'an attempt that was sent is stored');
      const isOpen = payment.requestState === 'sending' || payment.requestState === 'unknown';
      // The result of a status check stays, but only the answer to the request has the link.
      const applied: PaymentChange = isOpen ? change : change.link === undefined ? {} : { link: change.link };
      if (Object.keys(applied).length > 0) await store.change(payment, applied);
      return { ...payment, ...applied };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

function existing(payment: Payment, now: Instant): CreateOutcome {
  if (payment.requestState === 'made') return { kind: 'existing', payment };
  const noOutcome = 'the earlier attempt has no known outcome yet; status checks will find it';
  return { kind: 'unknown', payment, reason: isBeingSent(payment, now) ? BEING_SENT : noOutcome };
}

function requireSameTerms(live: Payment, wanted: Payment): void {
  const isSame =
    live.isTest === wanted.isTest &&
    live.kind === wanted.kind &&
    live.amount === wanted.amount &&
    live.agentId === wanted.agentId &&
    comparable(live) === comparable(wanted);
  if (!isSame) throw liveReferenceError(live, wanted);
}

function comparable({ terms }: Payment): string {
  const asked = Object.entries(terms).filter(([name]) => !OWN_TERMS.includes(name));
  return JSON.stringify(asked.sort(([one], [other]) => (one < other ? -1 : 1)));
}
