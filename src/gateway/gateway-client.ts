import { monotonicClock } from '../kernel';
import { createCallBudget } from './budget/call-budget';
import { memoryBudgetStore } from './budget/memory-budget-store';
import { scopedBudgetStore } from './budget/scoped-budget-store';
import { createCaller } from './call';
import { type GatewayClientOptions, readClientOptions } from './client-options';
import { type Bindings, createBindings } from './operations/bindings';
import { type CheckInput, createCheckInput } from './operations/check-input';
import { createPayments, type Payments } from './operations/payments';
import { createPos, type Pos } from './operations/pos';
import { createQr, type Qr } from './operations/qr';
import { type RawRequest, rawRequest } from './operations/raw-request';
import { createSubscriptions, type Subscriptions } from './operations/subscriptions';
import { createVerify } from './operations/verify-payment';
import { createWallet, type Wallet } from './operations/wallet';

/**
 * Every operation of the gateway that the interface describes (sections 4.1 to 4.5). Amounts are whole millimes, times
 * UTC ISO 8601, names the interface's in camelCase. Every failure is a {@link GatewayError}; nothing that moves money
 * is ever sent twice.
 *
 * `raw` is the decoded body as it came, for a later dispute, so nothing is changed or hidden in it: a gateway that
 * echoes a key puts it there. Keep it out of logs. No error holds it.
 */
export interface GatewayClient {
  readonly payments: Payments;
  readonly bindings: Bindings;
  readonly subscriptions: Subscriptions;
  readonly wallet: Wallet;
  readonly pos: Pos;
  readonly qr: Qr;
  /**
   * Throws what a call would throw before it sends anything, and sends nothing: for who writes an attempt down first.
   *
   * @throws GatewayError `validation`; `fields` says which and why.
   */
  readonly check: CheckInput;
  /** For the operations that the interface names without describing them (section 4.7): sent once, judged as all. */
  request(input: RawRequest): Promise<unknown>;
}

/**
 * Makes a client. It opens no connection by itself and holds no timer between calls.
 *
 * @throws GatewayError `validation`; `fields` names each bad option, never its value.
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const settings = readClientOptions(options);
  const caller = createCaller(settings);
  const { clock, logger, verifySpacingMs } = settings;
  const { store: shared = memoryBudgetStore(clock), ...limits } = settings.budget;
  const store = scopedBudgetStore(shared, settings.baseUrl, settings.publicKey ?? '');
  const budget = createCallBudget({ store, clock, monotonic: monotonicClock, logger, verifySpacingMs, ...limits });
  return {
    payments: createPayments(caller, createVerify(caller, budget, settings), logger),
    bindings: createBindings(caller),
    subscriptions: createSubscriptions(caller, budget, settings.timeoutMs),
    wallet: createWallet(caller),
    pos: createPos(caller, settings),
    qr: createQr(caller, logger),
    check: createCheckInput(caller, settings),
    request: async (input) => rawRequest(caller, input),
  };
}
