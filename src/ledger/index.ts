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
export { openPeriodLock } from './period-lock-store';
export { openLedger, type Ledger } from './ledger-store';
export { reverseTransaction } from './reverse';
export { moved, type LedgerCode, type NewLedgerTransaction, type Posting } from './ledger-transaction';
