export {
  agentReceivable,
  BANK_UNMATCHED,
  bankAccount,
  CHANNELS,
  DUES_ASSESSED,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  isGatewayClearing,
  OPENING_BALANCES,
  PAYMENTS_RECEIVED,
  toAccount,
  WRITE_OFF,
  type Account,
  type Channel,
} from './accounts';
export { OPEN_FROM, openPeriodLock } from './period-lock-store';
export { balancesQuestion, openLedger, postingRows, type Ledger, type LockedBooks } from './ledger-store';
export { reverseTransaction } from './reverse';
export { moved, type LedgerCode, type NewLedgerTransaction, type Posting } from './ledger-transaction';
