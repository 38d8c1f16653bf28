import { isGatewayError, type WalletOperation } from '../../gateway';
import { assert, formatInstant, MINUTE_MS } from '../../kernel';
import type { ChannelAnswer, ChannelQuestion, Payment } from '../../payments';
import { NOT_LISTED } from '../payment-channels';
import { decideWallet, refOf } from './decide-wallet';

/** How far the gateway's clock may differ from Millime's. */
const CLOCKS_APART_MS = 5 * MINUTE_MS;
/** The maximum number of operations to read from one wallet since the payment, which is among the first. */
const OPERATIONS_MAX = 1_000;

/** Reads the status of a payment from the history of its wallet (interface section 4.3). */
export async function observeWallet(question: ChannelQuestion): Promise<ChannelAnswer> {
  const { payment } = question;
  const operations = await operationsSince(question);
  const found = operations.find((each) => payment.gatewayId !== undefined && refOf(each) === payment.gatewayId);
  return {
    kind: 'answered',
    observation: {
      source: 'wallet_history',
      status: found?.status ?? NOT_LISTED,
      settlementStatus: undefined,
      method: undefined,
      amount: undefined,
      detail: JSON.stringify(found?.raw ?? []),
    },
    decide: async (facts, { isKnown }) =>
      decideWallet({ ...facts, found, candidates: await candidatesOf(payment, operations, isKnown) }),
  };
}

async function operationsSince({ gateway, payment, startedAt }: ChannelQuestion): Promise<readonly WalletOperation[]> {
  const { phoneNumber, trackingId } = payment.terms;
  assert(typeof phoneNumber === 'string' && typeof trackingId === 'string', 'the terms of a wallet payment are stored');
  const from = formatInstant(startedAt - CLOCKS_APART_MS);
  const operations: WalletOperation[] = [];
  try {
    for await (const operation of gateway.wallet.history({ phoneNumber, trackingId, from })) {
      operations.push(operation);
      const isOurs = payment.gatewayId !== undefined && refOf(operation) === payment.gatewayId;
      if (isOurs || operations.length >= OPERATIONS_MAX) break;
    }
  } catch (error) {
    // The interface shows no errors of this operation; a wallet without a history may get this one. A history that
    // fails halfway is an error.
    if (!isGatewayError(error, 'not_found') || operations.length > 0) throw error;
  }
  return operations;
}

/** Returns the operations of the payment's product that belong to no other payment. */
async function candidatesOf(
  { terms }: Payment,
  operations: readonly WalletOperation[],
  isKnown: (gatewayId: string) => Promise<boolean>,
): Promise<readonly WalletOperation[]> {
  const candidates: WalletOperation[] = [];
  for (const operation of operations) {
    if (operation.payload['product'] !== terms['product']) continue;
    const ref = refOf(operation);
    if (ref === undefined || !(await isKnown(ref))) candidates.push(operation);
  }
  return candidates;
}
