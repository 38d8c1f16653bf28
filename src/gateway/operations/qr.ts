import { randomUUID } from 'node:crypto';
import type { Millimes } from '../../kernel';
import type { Logger } from '../../logging';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import type { Operation } from '../operation';

const HISTORY_SIZE_MAX = 10_000;

export interface GenerateQrCode {
  /** Millimes, above zero. */
  readonly amountMillimes: number;
  readonly merchantId: number;
  /**
   * The key of the code: repeating a call with it creates no second code. The client creates one by default (open point
   * 77).
   */
  readonly operationUuid?: string | undefined;
  /** `true` requests a slug instead of an image. */
  readonly barcode?: boolean | undefined;
}

export interface QrCode {
  readonly qrCode: string;
  readonly operationUuid: string;
  readonly raw: unknown;
}

/** A payment of a code (interface section 2.7). One code may be paid more than once (open point 80). */
export interface QrTransaction {
  readonly transactionUniqueId: string;
  /** UTC ISO 8601. */
  readonly time: string;
  readonly amountMillimes: Millimes;
  readonly channel: string | null;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export interface QrHistory {
  readonly merchantId: number;
  /** ISO 8601 with an offset. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  /**
   * Maximum number of rows. The operation has no pages: if this many rows arrive, ask for a shorter period (open point
   * 81).
   */
  readonly size?: number | undefined;
}

/** QR-code payments (interface section 4.5), with the API key. */
export interface Qr {
  /**
   * Generate Custom QR Code. Class B: `operationUuid` is its key.
   *
   * @throws GatewayError `validation`, `permission` (`Forbidden`), `not_found` (`precondition fails, code 3`),
   *   `unavailable`, `connection`, `timeout`, `unexpected_shape`.
   */
  generate(input: GenerateQrCode): Promise<QrCode>;
  /** Verify Custom Transaction: returns every payment of the code so far; an empty array if none exists. */
  verify(input: { readonly operationUuid: string }): Promise<readonly QrTransaction[]>;
  /** History of Purchases of a merchant. Logs a warning when `size` rows arrive, because more may exist. */
  history(input: QrHistory): Promise<readonly QrTransaction[]>;
}

export function createQr(caller: Caller, logger: Logger): Qr {
  return {
    generate: async (input) => caller.run(generateOperation, withOperationUuid(input)),
    verify: async (input) => caller.run(verifyOperation, input),
    history: async (given) => {
      const input = copyInput(historyOperation.name, given);
      const transactions = await caller.run(historyOperation, input);
      if (input.size !== undefined && transactions.length >= input.size) {
        const fields = { event: 'gateway.window_full', operation: historyOperation.name, size: input.size };
        logger.warn('QR history limit reached, rows may be missing', fields);
      }
      return transactions;
    },
  };
}

/** Creates the key before the first try, so that a retry asks for the same code. */
function withOperationUuid(given: GenerateQrCode): GenerateQrCode {
  const input = copyInput(generateOperation.name, given);
  // A value that is not an object goes on to the input check, which refuses it.
  if (Object(input) !== input || input.operationUuid !== undefined) return input;
  return { ...input, operationUuid: randomUUID() };
}

export const generateOperation: Operation<GenerateQrCode, QrCode> = {
  name: 'qr.generate',
  safety: 'B',
  auth: 'api_key',
  request(input) {
    const check = new InputCheck(input);
    const query: [string, string][] = [
      ['amount_in_millimes', String(check.amount('amountMillimes'))],
      ['merchant_id', merchantId(check)],
      ['operation_uuid', check.uuid('operationUuid')],
    ];
    if (check.value('barcode') !== undefined) query.push(['barcode', String(check.flag('barcode'))]);
    check.done();
    return { method: 'GET', path: '/api/business/generate_custom_qr_code', query };
  },
  decode(body, { operationUuid = '' }) {
    const named = body.text('operation_uuid');
    if (named.toLowerCase() !== operationUuid.toLowerCase()) {
      throw body.fault('operation_uuid', 'differs from the request');
    }
    return { qrCode: body.text('qr_code'), operationUuid, raw: body.raw };
  },
};

const verifyOperation: Operation<{ readonly operationUuid: string }, readonly QrTransaction[]> = {
  name: 'qr.verify',
  safety: 'A',
  auth: 'api_key',
  request(input) {
    const check = new InputCheck(input);
    const operationUuid = check.uuid('operationUuid');
    check.done();
    return {
      method: 'GET',
      path: '/api/business/custom_transaction/status',
      query: [['operation_uuid', operationUuid]],
    };
  },
  decode: (body) => body.list('transactions', decodeTransaction),
};

const historyOperation: Operation<QrHistory, readonly QrTransaction[]> = {
  name: 'qr.history',
  safety: 'A',
  auth: 'api_key',
  request(input) {
    const check = new InputCheck(input);
    const query: [string, string][] = [['merchant_id', merchantId(check)]];
    if (check.value('startDate') !== undefined) query.push(['start_date', check.instant('startDate')]);
    if (check.value('endDate') !== undefined) query.push(['end_date', check.instant('endDate')]);
    if (check.value('size') !== undefined) query.push(['size', String(check.whole('size', 1, HISTORY_SIZE_MAX))]);
    check.done();
    return { method: 'GET', path: '/api/business/custom_transactions/history', query };
  },
  decode: (body) => body.list('result', decodeTransaction),
};

function merchantId(check: InputCheck): string {
  return String(check.whole('merchantId', 0, Number.MAX_SAFE_INTEGER));
}

function decodeTransaction(item: ReadBody): QrTransaction {
  return {
    transactionUniqueId: item.text('transaction_unique_id'),
    time: item.requiredTime('time', 'time'),
    amountMillimes: item.millimes('amount'),
    channel: item.textOrNull('channel'),
    ...item.assumedOffset(),
    raw: item.raw,
  };
}
