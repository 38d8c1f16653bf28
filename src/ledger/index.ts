export {
  agentReceivable,
  BANK_UNMATCHED,
  bankAccount,
  DUES_ASSESSED,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  OPENING_BALANCES,
  PAYMENTS_RECEIVED,
  type Account,
  type Channel,
} from './accounts';
export { openLedger, type Ledger } from './ledger-store';
export { reverseTransaction } from './reverse';
export { type LedgerCode, type LedgerTransaction, type NewLedgerTransaction, type Posting } from './ledger-transaction';
