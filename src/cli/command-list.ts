import type { RegisterCommands } from './command';

/** A file of commands: those of the first level that it adds, each with what it is for, and how to get at it. */
interface CommandFile {
  readonly commands: Readonly<Record<string, string>>;
  load(): Promise<RegisterCommands>;
}

/** All commands, in the order of the help. */
export const COMMAND_FILES: readonly CommandFile[] = [
  {
    commands: {
      serve: 'answer the gateway and run the jobs, until stopped',
      migrate: 'bring the database up to date',
      doctor: 'say whether this installation can work, and what is missing',
    },
    load: async () => (await import('./serve.js')).registerServerCommands,
  },
  {
    commands: { demo: 'play nine days over all channels on the simulated gateway, up to a closed day and a report' },
    load: async () => (await import('./demo.js')).registerDemoCommand,
  },
  {
    commands: { simulate: 'run a simulated gateway to test against, until stopped (docs/SIMULATOR.md)' },
    load: async () => (await import('./simulate.js')).registerSimulateCommand,
  },
  {
    commands: { token: 'tokens with which the gateway calls us' },
    load: async () => (await import('./token.js')).registerTokenCommands,
  },
  {
    commands: { keys: 'API keys: who acts, and what he may do' },
    load: async () => (await import('./keys.js')).registerKeyCommands,
  },
  {
    commands: { agents: 'who pays us through the gateway' },
    load: async () => (await import('./agents.js')).registerAgentCommands,
  },
  {
    commands: { dues: 'what agents owe' },
    load: async () => (await import('./dues.js')).registerDueCommands,
  },
  {
    commands: { payments: 'payments through the gateway, of every channel' },
    load: async () => (await import('./payments.js')).registerPaymentCommands,
  },
  {
    commands: { subscriptions: 'what customers pay again and again' },
    load: async () => (await import('./subscriptions.js')).registerSubscriptionCommands,
  },
  {
    commands: { pos: 'payments at a terminal' },
    load: async () => (await import('./pos.js')).registerPosCommands,
  },
  {
    commands: { qr: 'QR codes that customers pay' },
    load: async () => (await import('./qr.js')).registerQrCommands,
  },
  {
    commands: { wallet: "customers' wallets that are linked to us" },
    load: async () => (await import('./wallet.js')).registerWalletCommands,
  },
  {
    commands: { webhooks: 'what the gateway told us, and what came of it' },
    load: async () => (await import('./webhooks.js')).registerWebhookCommands,
  },
  {
    commands: { poll: 'work off webhooks and look at what is due, within the limits; the jobs of serve do the same' },
    load: async () => (await import('./poll.js')).registerPollCommand,
  },
  {
    commands: { statements: 'bank files and the statements in them' },
    load: async () => (await import('./statements.js')).registerStatementCommands,
  },
  {
    commands: { reconcile: 'explain the bank credits by what the gateway owes us; exit code 3 when there are breaks' },
    load: async () => (await import('./reconcile.js')).registerReconcileCommand,
  },
  {
    commands: {
      'close-day': 'prove a business day and close it under a seal; exit code 3 when something is not explained',
    },
    load: async () => (await import('./close-day.js')).registerCloseDayCommand,
  },
  {
    commands: {
      match: 'explain bank credits by what the gateway owes, from files alone; exit code 3 when there are breaks',
    },
    load: async () => (await import('./match.js')).registerMatchCommand,
  },
  {
    commands: { breaks: 'what does not agree, and what was done about it' },
    load: async () => (await import('./breaks.js')).registerBreakCommands,
  },
  {
    commands: { report: 'what finance reads' },
    load: async () => (await import('./report.js')).registerReportCommands,
  },
  {
    commands: { ledger: 'the books' },
    load: async () => (await import('./ledger.js')).registerLedgerCommands,
  },
  {
    commands: { audit: 'who did what' },
    load: async () => (await import('./audit.js')).registerAuditCommands,
  },
];
