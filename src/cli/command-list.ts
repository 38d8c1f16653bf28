import type { RegisterCommands } from './command';

/** One file of commands: the top-level commands that it adds, and how to load it. */
interface CommandFile {
  readonly commands: readonly string[];
  load(): Promise<RegisterCommands>;
}

/** All commands, in the order of the help. */
export const COMMAND_FILES: readonly CommandFile[] = [
  {
    commands: ['serve', 'migrate'],
    load: async () => (await import('./serve.js')).registerServerCommands,
  },
  {
    commands: ['doctor'],
    load: async () => (await import('./doctor.js')).registerDoctorCommand,
  },
  {
    commands: ['demo'],
    load: async () => (await import('./demo.js')).registerDemoCommand,
  },
  {
    commands: ['simulate'],
    load: async () => (await import('./simulate.js')).registerSimulateCommand,
  },
  {
    commands: ['token'],
    load: async () => (await import('./token.js')).registerTokenCommands,
  },
  {
    commands: ['keys'],
    load: async () => (await import('./keys.js')).registerKeyCommands,
  },
  {
    commands: ['users'],
    load: async () => (await import('./users.js')).registerUserCommands,
  },
  {
    commands: ['notifications'],
    load: async () => (await import('./notifications.js')).registerNotificationCommands,
  },
  {
    commands: ['agents'],
    load: async () => (await import('./agents.js')).registerAgentCommands,
  },
  {
    commands: ['dues'],
    load: async () => (await import('./dues.js')).registerDueCommands,
  },
  {
    commands: ['payments'],
    load: async () => (await import('./payments.js')).registerPaymentCommands,
  },
  {
    commands: ['subscriptions'],
    load: async () => (await import('./subscriptions.js')).registerSubscriptionCommands,
  },
  {
    commands: ['pos'],
    load: async () => (await import('./pos.js')).registerPosCommands,
  },
  {
    commands: ['qr'],
    load: async () => (await import('./qr.js')).registerQrCommands,
  },
  {
    commands: ['wallet'],
    load: async () => (await import('./wallet.js')).registerWalletCommands,
  },
  {
    commands: ['webhooks'],
    load: async () => (await import('./webhooks.js')).registerWebhookCommands,
  },
  {
    commands: ['poll'],
    load: async () => (await import('./poll.js')).registerPollCommand,
  },
  {
    commands: ['statements'],
    load: async () => (await import('./statements.js')).registerStatementCommands,
  },
  {
    commands: ['reconcile'],
    load: async () => (await import('./reconcile.js')).registerReconcileCommand,
  },
  {
    commands: ['close-day'],
    load: async () => (await import('./close-day.js')).registerCloseDayCommand,
  },
  {
    commands: ['match'],
    load: async () => (await import('./match.js')).registerMatchCommand,
  },
  {
    commands: ['breaks'],
    load: async () => (await import('./breaks.js')).registerBreakCommands,
  },
  {
    commands: ['report'],
    load: async () => (await import('./report.js')).registerReportCommands,
  },
  {
    commands: ['ledger'],
    load: async () => (await import('./ledger.js')).registerLedgerCommands,
  },
  {
    commands: ['backup', 'restore'],
    load: async () => (await import('./backup.js')).registerBackupCommands,
  },
  {
    commands: ['grants'],
    load: async () => (await import('./grants.js')).registerGrantsCommand,
  },
  {
    commands: ['audit'],
    load: async () => (await import('./audit.js')).registerAuditCommands,
  },
];
