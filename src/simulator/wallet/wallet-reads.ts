import { FieldCheck } from '../core/field-check';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimOperation, SimRequest } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { namedWallet } from './named-wallet';
import type { SimWallet, SimWalletOperation } from './wallet-state';

/** Interface section 8. */
const HISTORY_SIZE_MAX = 10_000;
const HISTORY_SIZE_DEFAULT = 100;
const FIRST_PAGE = 1;

/** Get Balance (interface section 4.3). */
export const balance: SimOperation = {
  name: 'wallet.balance',
  method: 'GET',
  path: '/partners/v1/transactions/balance',
  auth: 'app',
  answer(simulation, request) {
    const named = namedWallet(simulation, FieldCheck.ofQuery(request));
    if (named.kind === 'refused') return named.answer;
    const { walletId, balanceMillimes } = named.wallet;
    return { status: 200, body: { success: true, wallet_id: walletId, balance_in_millimes: balanceMillimes } };
  },
};

/**
 * Get History: newest first, from `from` on and before `to`; pages count from 1 (open point 71). As in the interface,
 * rows have neither an amount nor a success flag.
 */
export const history: SimOperation = {
  name: 'wallet.history',
  method: 'GET',
  path: '/partners/v1/transactions/history',
  auth: 'app',
  answer(simulation, request) {
    const check = FieldCheck.ofQuery(request);
    const from = check.instant('from') ?? -Infinity;
    const to = check.instant('to') ?? Infinity;
    const page = check.whole('page', { min: FIRST_PAGE, max: Number.MAX_SAFE_INTEGER, fallback: FIRST_PAGE });
    const size = check.whole('size', { min: 1, max: HISTORY_SIZE_MAX, fallback: HISTORY_SIZE_DEFAULT });
    const named = namedWallet(simulation, check);
    if (named.kind === 'refused') return named.answer;
    const rows = named.wallet.operations.filter(({ createdAt }) => createdAt >= from && createdAt < to).toReversed();
    const begin = (page - FIRST_PAGE) * size;
    return {
      status: 200,
      body: {
        count: rows.length,
        next: begin + size < rows.length ? pageUrl(request, page + 1) : null,
        previous: page > FIRST_PAGE ? pageUrl(request, page - 1) : null,
        results: rows.slice(begin, begin + size).map((row) => rowOf(simulation, named.wallet, row)),
      },
    };
  },
};

function rowOf({ calendar }: Simulation, { phoneNumber }: SimWallet, operation: SimWalletOperation): object {
  const { operationId, status, createdAt, blockchainRef, product } = operation;
  return {
    operation_id: operationId,
    sender: phoneNumber,
    status,
    time_created: gatewayTimestamp(createdAt, calendar),
    payload: { blockchain_ref: blockchainRef, operation_type: 'payment', product },
  };
}

function pageUrl({ headers, query }: SimRequest, page: number): string {
  const other = new URLSearchParams(query);
  other.set('page', String(page));
  return `http://${headers.host ?? 'localhost'}${history.path}?${other.toString()}`;
}
