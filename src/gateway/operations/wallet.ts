import type { Millimes } from '../../kernel';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import type { Operation } from '../operation';
import { decodePage, eachOfPages, type Page } from '../pages';

const HISTORY_SIZE_MAX = 10_000;
const HISTORY_SIZE_DEFAULT = 100;

/**
 * The customer's wallet account in the partner operations (interface section 2.8). Phone numbers are sent unchanged.
 */
export interface WalletAccount {
  readonly phoneNumber: string;
  /** The uuid that account linking returned. */
  readonly trackingId: string;
}

export interface InitiatedLink {
  readonly sessionId: string;
  readonly name: string;
  readonly phoneNumber: string | null;
  readonly message: string | null;
  readonly raw: unknown;
}

/** Secrets of a customer's session: keep them out of logs. */
export interface WalletSession {
  readonly token: string;
  /** Seconds (open point 67). */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly raw: unknown;
}

export type RefreshedSession = Omit<WalletSession, 'refreshToken'>;

export interface WalletBalance {
  readonly walletId: string;
  readonly balanceMillimes: Millimes;
  readonly raw: unknown;
}

export interface WalletHistory extends WalletAccount {
  /** ISO 8601 with an offset. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Rows per page, at most 10,000; default 100. */
  readonly size?: number | undefined;
}

/** A row of the wallet's history; it carries no amount. */
export interface WalletOperation {
  readonly operationId: string;
  readonly sender: string | null;
  readonly status: string;
  readonly timeCreated: string | null;
  /** `blockchainRef`, `operationType`, `product`. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export interface WalletPayment extends WalletAccount {
  readonly amountMillimes: number;
  /** A product code. */
  readonly product: string;
  readonly webhook?: string | undefined;
}

export interface InitiatedWalletPayment {
  readonly hash: string;
  readonly blockchainRef: string;
  readonly raw: unknown;
}

/** Wallet partner operations (interface section 4.3). The interface does not document their errors. */
export interface Wallet {
  /**
   * Initiate Account Linking: sends the customer a one-time code. The interface does not describe how to confirm the
   * code.
   *
   * Class C.
   *
   * @throws GatewayError `outcome_unknown` when a code may have been sent; otherwise as every call.
   */
  initiateLink(input: { readonly phoneNumber: string }): Promise<InitiatedLink>;
  /** Authenticate Session, with the API key. A surplus session costs nothing, so this is class A. */
  authenticate(input: WalletAccount): Promise<WalletSession>;
  /** Refresh Session. It returns no new refresh token: the old one stays valid (open point 68). */
  refresh(input: { readonly refreshToken: string }): Promise<RefreshedSession>;
  balance(input: WalletAccount): Promise<WalletBalance>;
  /**
   * Get History: yields the operations of all pages, each once.
   *
   * @throws GatewayError `unexpected_shape` after the last operation if fewer operations arrived than the gateway
   * counted, for example because it numbers pages from 0 (open point 71).
   */
  history(input: WalletHistory): AsyncGenerator<WalletOperation, void, undefined>;
  /**
   * Initiate Payment: moves money and has no key. Class D: sent exactly once.
   *
   * @throws GatewayError `outcome_unknown` unless the gateway refused in a known shape, or the request never left.
   */
  pay(input: WalletPayment): Promise<InitiatedWalletPayment>;
}

export function createWallet(caller: Caller): Wallet {
  return {
    initiateLink: async (input) => caller.run(initiateLinkOperation, input),
    authenticate: async (input) => caller.run(authenticateOperation, input),
    refresh: async (input) => caller.run(refreshOperation, input),
    balance: async (input) => caller.run(balanceOperation, input),
    history: async function* (given) {
      const input = copyInput(historyOperation.name, given);
      yield* eachOfPages({
        operation: historyOperation.name,
        fetchPage: async (page) => caller.run(historyOperation, { input, page }),
        keyOf: ({ operationId }) => operationId,
      });
    },
    pay: async (input) => caller.run(payOperation, input),
  };
}

const initiateLinkOperation: Operation<{ readonly phoneNumber: string }, InitiatedLink> = {
  name: 'wallet.initiateLink',
  safety: 'C',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const body = { phone_number: check.text('phoneNumber') };
    check.done();
    return { method: 'POST', path: '/partners/accounts/initiate_link_account', body };
  },
  decode: (body) => ({
    sessionId: body.text('session_id'),
    name: body.textOrNull('name') ?? '',
    phoneNumber: body.textOrNull('phone_number'),
    message: body.textOrNull('message'),
    raw: body.raw,
  }),
};

const authenticateOperation: Operation<WalletAccount, WalletSession> = {
  name: 'wallet.authenticate',
  safety: 'A',
  auth: 'api_key',
  request(input) {
    const check = new InputCheck(input);
    const body = { tracking_id: check.uuid('trackingId'), phone_number: check.text('phoneNumber') };
    check.done();
    return { method: 'POST', path: '/api/accounts/authenticate', body };
  },
  decode: (body) => ({
    token: body.text('token'),
    expiresIn: body.whole('expires_in'),
    refreshToken: body.text('refresh_token'),
    raw: body.raw,
  }),
};

const refreshOperation: Operation<{ readonly refreshToken: string }, RefreshedSession> = {
  name: 'wallet.refresh',
  safety: 'A',
  auth: { bearer: ({ refreshToken }) => refreshToken },
  request(input) {
    const check = new InputCheck(input);
    check.headerText('refreshToken');
    check.done();
    return { method: 'GET', path: '/api/accounts/authenticate/refresh' };
  },
  decode: (body) => ({ token: body.text('token'), expiresIn: body.whole('expires_in'), raw: body.raw }),
};

const balanceOperation: Operation<WalletAccount, WalletBalance> = {
  name: 'wallet.balance',
  safety: 'A',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const query = accountQuery(check);
    check.done();
    return { method: 'GET', path: '/partners/v1/transactions/balance', query };
  },
  decode: (body) => ({
    walletId: body.text('wallet_id'),
    balanceMillimes: body.signedMillimes('balance_in_millimes'),
    raw: body.raw,
  }),
};

interface HistoryPage {
  readonly input: WalletHistory;
  readonly page: number;
}

const historyOperation: Operation<HistoryPage, Page<WalletOperation>> = {
  name: 'wallet.history',
  safety: 'A',
  auth: 'app',
  request({ input, page }) {
    const check = new InputCheck(input);
    const query: (readonly [string, string])[] = [
      ...accountQuery(check),
      ...instant(check, 'from'),
      ...instant(check, 'to'),
      ['page', String(page)],
      [
        'size',
        String(check.value('size') === undefined ? HISTORY_SIZE_DEFAULT : check.whole('size', 1, HISTORY_SIZE_MAX)),
      ],
    ];
    check.done();
    return { method: 'GET', path: '/partners/v1/transactions/history', query };
  },
  decode: (body, { input: { size = HISTORY_SIZE_DEFAULT } }) => decodePage(body, size, decodeOperation),
};

function decodeOperation(item: ReadBody): WalletOperation {
  return {
    operationId: item.text('operation_id'),
    sender: item.textOrNull('sender'),
    status: item.text('status'),
    timeCreated: item.time('time_created', 'timeCreated'),
    payload: item.camelCased('payload'),
    ...item.assumedOffset(),
    raw: item.raw,
  };
}

export const payOperation: Operation<WalletPayment, InitiatedWalletPayment> = {
  name: 'wallet.pay',
  safety: 'D',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const body = {
      phone_number: check.text('phoneNumber'),
      tracking_id: check.uuid('trackingId'),
      amount_in_millimes: check.amount('amountMillimes'),
      product: check.text('product'),
      ...check.given('webhook', 'webhook', (name) => check.link(name)),
    };
    check.done();
    return { method: 'POST', path: '/partners/v1/transactions/initiate_payment', body };
  },
  decode(body) {
    if (!body.flag('success')) throw body.fault('success', 'is not true');
    return { hash: body.text('hash'), blockchainRef: body.text('blockchain_ref'), raw: body.raw };
  },
};

function accountQuery(check: InputCheck): readonly (readonly [string, string])[] {
  return [
    ['phone_number', check.text('phoneNumber')],
    ['tracking_id', check.uuid('trackingId')],
  ];
}

function instant(check: InputCheck, name: 'from' | 'to'): readonly (readonly [string, string])[] {
  return check.value(name) === undefined ? [] : [[name, check.instant(name)]];
}
