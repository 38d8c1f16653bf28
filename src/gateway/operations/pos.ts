import { type Millimes, monotonicClock } from '../../kernel';
import type { Caller } from '../call';
import type { ClientSettings } from '../client-options';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import { isGatewayError } from '../gateway-error';
import type { Operation } from '../operation';

const PAYMENT_METHODS = ['NFC', 'CARD', 'WALLET', 'CHECK'] as const;
const OTHER_FAMILY = { api: 'partners', partners: 'api' } as const;
const UUID_NAMES = ['service_transaction_id', 'transaction_id'] as const;

export interface StartPosTransaction {
  readonly idTerminal: string;
  readonly serialNumber: string;
  /** Millimes, above zero. */
  readonly amountMillimes: number;
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number];
  /** Choose a unique one: it is the only way to find the transaction again (open point 73). */
  readonly developerTrackingId: string;
  readonly webhook?: string | undefined;
}

export interface StartedPosTransaction {
  readonly terminalId: string;
  /** Only the partner family returns these fields. */
  readonly developerTrackingId?: string;
  readonly message?: string;
  readonly raw: unknown;
}

/** One of the two ids, never both (open point 74). */
export type PosStatusQuery = (
  | { readonly serviceTransactionId: string; readonly developerTrackingId?: undefined }
  | { readonly developerTrackingId: string; readonly serviceTransactionId?: undefined }
) & { readonly idTerminal?: string | undefined };

/** A POS transaction (interface section 2.6). */
export interface PosTransaction {
  readonly serviceTransactionId: string;
  readonly developerTrackingId: string | null;
  /** `PS` succeeded, `PP` pending, `PF` failed, `PR` refunded, `RP`, `RF`, `PU`, `PA`; the gateway may add codes. */
  readonly paymentStatus: string;
  /** `card`, `wallet`, `nfc`, `check`, `cash`. */
  readonly paymentMethod: string | null;
  readonly amountMillimes: Millimes;
  /** `TND`, or null when the gateway sent none; a row in another currency is `unexpected_shape`. */
  readonly currency: string | null;
  readonly terminalId: string | null;
  /** `PROCESSING`, `AVAILABLE`, `NOT_APPLICABLE`; absent in test mode, which does not mean `NOT_APPLICABLE`. */
  readonly settlementStatus?: string;
  readonly raw: unknown;
}

/** Point-of-sale payments (interface section 4.4), in the configured path family. */
export interface Pos {
  /**
   * Initiate POS Transaction. Class D: sent exactly once. After `outcome_unknown` call `status` with the
   * `developerTrackingId`.
   */
  start(input: StartPosTransaction): Promise<StartedPosTransaction>;
  /**
   * Get POS Transaction Status. Returns several rows when a tracking id was reused. If the gateway does not have this
   * path, the client asks the other family's path once, within the same `timeoutMs` (open point 72).
   */
  status(input: PosStatusQuery): Promise<readonly PosTransaction[]>;
}

type PosFamily = ClientSettings['posFamily'];

export function createPos(caller: Caller, { posFamily, timeoutMs }: ClientSettings): Pos {
  const start = startOperation(posFamily);
  return {
    start: async (input) => caller.run(start, input),
    status: async (given) => {
      const startedAt = monotonicClock.now();
      const input = copyInput('pos.status', given);
      try {
        return await caller.run(statusOperation(posFamily), input);
      } catch (error) {
        if (!isPathMissing(error)) throw error;
        const leftMs = timeoutMs - (monotonicClock.now() - startedAt);
        return caller.run(statusOperation(OTHER_FAMILY[posFamily]), input, { timeoutMs: leftMs });
      }
    },
  };
}

/**
 * Returns whether the path is missing, which a 404 without an error body of the gateway means. With an error body, the
 * transaction is missing.
 */
function isPathMissing(error: unknown): boolean {
  return isGatewayError(error, 'unexpected_shape') && error.httpStatus === 404;
}

export function startOperation(family: PosFamily): Operation<StartPosTransaction, StartedPosTransaction> {
  return {
    name: 'pos.start',
    safety: 'D',
    auth: 'app',
    request(input) {
      const check = new InputCheck(input);
      const body = {
        id_terminal: check.text('idTerminal'),
        serial_number: check.text('serialNumber'),
        amount_in_millimes: check.amount('amountMillimes'),
        payment_method: check.oneOf('paymentMethod', PAYMENT_METHODS),
        developer_tracking_id: check.text('developerTrackingId'),
        ...check.given('webhook', 'webhook', (name) => check.link(name)),
      };
      check.done();
      return { method: 'POST', path: `/${family}/transactions/init_pos_transaction`, body };
    },
    decode(body, input) {
      const developerTrackingId = body.textOrNull('developer_tracking_id');
      const message = body.textOrNull('message');
      if (developerTrackingId !== null && developerTrackingId !== input.developerTrackingId) {
        throw body.fault('developer_tracking_id', 'differs from the request');
      }
      if (!body.flag('success')) throw body.fault('success', 'is not true');
      return {
        terminalId: body.text('terminal_id'),
        ...(developerTrackingId === null ? {} : { developerTrackingId }),
        ...(message === null ? {} : { message }),
        raw: body.raw,
      };
    },
  };
}

function statusOperation(family: PosFamily): Operation<PosStatusQuery, readonly PosTransaction[]> {
  return {
    name: 'pos.status',
    safety: 'A',
    auth: 'app',
    request(input) {
      const check = new InputCheck(input);
      const byService = check.value('serviceTransactionId') !== undefined;
      if (byService && check.value('developerTrackingId') !== undefined) {
        check.refuse('developerTrackingId', 'must not be given beside serviceTransactionId');
      }
      const query: [string, string][] = [
        byService
          ? ['service_transaction_id', check.uuid('serviceTransactionId')]
          : ['developer_tracking_id', check.text('developerTrackingId')],
      ];
      if (check.value('idTerminal') !== undefined) query.push(['id_terminal', check.text('idTerminal')]);
      check.done();
      return { method: 'GET', path: `/${family}/transactions/get_pos_transaction_status`, query };
    },
    decode: (body, input) => body.list('transactions', (item) => decodeRow(item, input)),
  };
}

function decodeRow(item: ReadBody, { serviceTransactionId, developerTrackingId }: PosStatusQuery): PosTransaction {
  const settlementStatus = item.textOrNull('settlement_status');
  // Open point 35: `transaction_id` is a former name of this id.
  const id = item.text(UUID_NAMES.find((name) => item.value(name) !== undefined) ?? UUID_NAMES[0]);
  const trackingId = item.textOrNull('developer_tracking_id');
  // A row about another transaction proves nothing about this one (S14).
  if (serviceTransactionId !== undefined && id.toLowerCase() !== serviceTransactionId.toLowerCase()) {
    throw item.fault(UUID_NAMES[0], 'is not the one asked for');
  }
  if (developerTrackingId !== undefined && trackingId !== null && trackingId !== developerTrackingId) {
    throw item.fault('developer_tracking_id', 'is not the one asked for');
  }
  return {
    serviceTransactionId: id,
    developerTrackingId: trackingId,
    paymentStatus: item.text('payment_status'),
    paymentMethod: item.textOrNull('payment_method'),
    amountMillimes: item.millimes('amount_in_millimes'),
    currency: item.currencyOrNull('currency'),
    terminalId: item.textOrNull('terminal_id'),
    ...(settlementStatus === null ? {} : { settlementStatus }),
    raw: item.raw,
  };
}
