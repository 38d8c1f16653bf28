import type { Caller } from '../call';
import type { ClientSettings } from '../client-options';
import type { Operation } from '../operation';
import { createOperation, type CreateSubscription } from './create-subscription';
import {
  type CreateBindingPayment,
  type CreatePayment,
  type CreateSplitPayment,
  generateOperation,
} from './generate-payment';
import { startOperation, type StartPosTransaction } from './pos';
import { generateOperation as generateQrOperation, type GenerateQrCode } from './qr';
import { payOperation, type WalletPayment } from './wallet';

/** The calls that start something, with their inputs. */
export interface CheckedCalls {
  readonly 'payments.create': CreatePayment;
  readonly 'payments.createWithBinding': CreateBindingPayment;
  readonly 'payments.preauthorize': CreatePayment;
  readonly 'payments.createSplit': CreateSplitPayment;
  readonly 'subscriptions.create': CreateSubscription;
  readonly 'pos.start': StartPosTransaction;
  readonly 'qr.generate': GenerateQrCode & { readonly operationUuid: string };
  readonly 'wallet.pay': WalletPayment;
}

export type CheckInput = <Call extends keyof CheckedCalls>(call: Call, input: CheckedCalls[Call]) => void;

/** Creates a function that runs the checks of a call and sends nothing. */
export function createCheckInput(caller: Caller, { posFamily }: ClientSettings): CheckInput {
  const operations: { readonly [Call in keyof CheckedCalls]: Operation<CheckedCalls[Call], unknown> } = {
    'payments.create': generateOperation.standard,
    'payments.createWithBinding': generateOperation.binding,
    'payments.preauthorize': generateOperation.preauthorization,
    'payments.createSplit': generateOperation.split,
    'subscriptions.create': createOperation,
    'pos.start': startOperation(posFamily),
    'qr.generate': generateQrOperation,
    'wallet.pay': payOperation,
  };
  return (call, input) => caller.check(operations[call], input);
}
