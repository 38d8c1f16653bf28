import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '../kernel';
import { createCallBudget } from './budget/call-budget';
import { memoryBudgetStore } from './budget/memory-budget-store';
import { scopedBudgetStore } from './budget/scoped-budget-store';
import { createCaller, type Pause } from './call';
import { type GatewayClientOptions, readClientOptions } from './client-options';
import { type Bindings, createBindings } from './operations/bindings';
import { createChange } from './operations/change-payment';
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
 * are UTC ISO 8601, names are the interface's in camelCase. Every failure is a {@link GatewayError}. The client never
 * sends an operation that moves money twice.
 *
 * `raw` is the unchanged decoded body, for a later dispute. It contains a key if the gateway echoed one, so keep it out
 * of logs. Errors never contain it.
 */
export interface GatewayClient {
  readonly payments: Payments;
  readonly bindings: Bindings;
  readonly subscriptions: Subscriptions;
  readonly wallet: Wallet;
  readonly pos: Pos;
  readonly qr: Qr;
  /**
   * Throws the errors that a call would throw before it sends anything, and sends nothing. Use it to store an attempt
   * before the call.
   *
   * @throws GatewayError `validation`; `fields` lists the faulty fields and the reasons.
   */
  readonly check: CheckInput;
  /**
   * Sends an operation that the interface names but does not describe (section 4.7). It is sent once and judged like
   * any other.
   */
  request(input: RawRequest): Promise<unknown>;
}

/**
 * Creates a client. It opens no connection until a call and holds no timer between calls.
 *
 * @throws GatewayError `validation`; `fields` names each bad option, never its value.
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  return createPausingClient(options, sleep);
}

/** As {@link createGatewayClient}. `pause` waits between two tries of a call; tests replace it. */
export function createPausingClient(options: GatewayClientOptions, pause: Pause): GatewayClient {
  const settings = readClientOptions(options);
  const caller = createCaller(settings, pause);
  const { clock, logger, verifySpacingMs } = settings;
  const { store: shared = memoryBudgetStore(clock), ...limits } = settings.budget;
  const store = scopedBudgetStore(shared, settings.baseUrl, settings.publicKey ?? '');
  const budget = createCallBudget({ store, clock, monotonic: monotonicClock, logger, verifySpacingMs, ...limits });
  return {
    payments: createPayments(caller, createVerify(caller, budget, settings), createChange(caller, budget), logger),
    bindings: createBindings(caller),
    subscriptions: createSubscriptions(caller, budget, settings.timeoutMs),
    wallet: createWallet(caller),
    pos: createPos(caller, settings),
    qr: createQr(caller, logger),
    check: createCheckInput(caller, settings),
    request: async (input) => rawRequest(caller, input),
  };
}
