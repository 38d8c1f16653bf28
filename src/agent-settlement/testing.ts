export { Batches, type BatchOptions, POSTPONED } from './batches';
export { checkAgents } from './check-agents';
export { type ConfirmCommand, decodeConfirm } from './confirm-command';
export { confirmPayments } from './confirm-payments';
export {
  type ConfirmFacts,
  type ConfirmOutcome,
  type Decision,
  type EarlierRefusal,
  decide,
  outcomeOf,
  refusalKey,
} from './decide';
