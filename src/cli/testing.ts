export { registerAgentCommands } from './agents';
export { registerAuditCommands } from './audit';
export { type CliIo, type RegisterCommands, type RunCommand, readInputFile } from './command';
export { registerDueCommands } from './dues';
export { registerKeyCommands } from './keys';
export { paymentWords } from './payment-words';
export { registerReconcileCommand } from './reconcile';
export { registerStatementCommands } from './statements';
export { registerTokenCommands } from './token';
