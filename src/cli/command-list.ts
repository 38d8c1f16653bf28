import type { RegisterCommands } from './command';

/** One file of commands: the top-level commands that it adds with their descriptions, and how to load it. */
interface CommandFile {
  readonly commands: Readonly<Record<string, string>>;
  load(): Promise<RegisterCommands>;
}

/** All commands, in the order of the help. */
export const COMMAND_FILES: readonly CommandFile[] = [
  {
    commands: {
      serve: 'serve the gateway and run the jobs until stopped',
      migrate: 'apply pending migrations to the database',
    },
    load: async () => (await import('./serve.js')).registerServerCommands,
  },
  {
    commands: { doctor: 'check this installation and list problems' },
    load: async () => (await import('./doctor.js')).registerDoctorCommand,
  },
  {
    commands: { demo: 'play nine days on a simulated gateway and write a report' },
    load: async () => (await import('./demo.js')).registerDemoCommand,
  },
  {
    commands: { simulate: 'run a simulated gateway until stopped (docs/SIMULATOR.md)' },
    load: async () => (await import('./simulate.js')).registerSimulateCommand,
  },
  {
    commands: { token: 'mint, rotate, list and revoke tokens for the gateway' },
    load: async () => (await import('./token.js')).registerTokenCommands,
  },
  {
    commands: { keys: 'manage API keys and their scopes' },
    load: async () => (await import('./keys.js')).registerKeyCommands,
  },
  {
    commands: { users: 'manage local users, their roles and sessions' },
    load: async () => (await import('./users.js')).registerUserCommands,
  },
  {
    commands: { notifications: 'notify people of breaks, failed jobs and expiring tokens' },
    load: async () => (await import('./notifications.js')).registerNotificationCommands,
  },
  {
    commands: { agents: 'import, add, show, close and erase agents' },
    load: async () => (await import('./agents.js')).registerAgentCommands,
  },
  {
    commands: { dues: 'import and cancel dues of agents' },
    load: async () => (await import('./dues.js')).registerDueCommands,
  },
  {
    commands: { payments: 'create, verify, list, capture, cancel and refund payments' },
    load: async () => (await import('./payments.js')).registerPaymentCommands,
  },
  {
    commands: { subscriptions: 'create, verify and list subscriptions and their charges' },
    load: async () => (await import('./subscriptions.js')).registerSubscriptionCommands,
  },
  {
    commands: { pos: 'start and check terminal payments' },
    load: async () => (await import('./pos.js')).registerPosCommands,
  },
  {
    commands: { qr: 'create QR codes and check their payments' },
    load: async () => (await import('./qr.js')).registerQrCommands,
  },
  {
    commands: { wallet: 'link, read and charge customer wallets' },
    load: async () => (await import('./wallet.js')).registerWalletCommands,
  },
  {
    commands: { webhooks: 'list, replay and diagnose webhooks' },
    load: async () => (await import('./webhooks.js')).registerWebhookCommands,
  },
  {
    commands: { poll: 'process pending webhooks and due status checks' },
    load: async () => (await import('./poll.js')).registerPollCommand,
  },
  {
    commands: { statements: 'import, list, show and accept bank statements' },
    load: async () => (await import('./statements.js')).registerStatementCommands,
  },
  {
    commands: { reconcile: 'match bank credits to payments and open breaks' },
    load: async () => (await import('./reconcile.js')).registerReconcileCommand,
  },
  {
    commands: {
      'close-day': 'prove and close a business day',
    },
    load: async () => (await import('./close-day.js')).registerCloseDayCommand,
  },
  {
    commands: {
      match: 'match bank credits to items from files, without a database',
    },
    load: async () => (await import('./match.js')).registerMatchCommand,
  },
  {
    commands: { breaks: 'list breaks and work on them' },
    load: async () => (await import('./breaks.js')).registerBreakCommands,
  },
  {
    commands: { report: 'print daily, aging, clearing, agent, payout and fee reports' },
    load: async () => (await import('./report.js')).registerReportCommands,
  },
  {
    commands: { ledger: 'verify and export the ledger' },
    load: async () => (await import('./ledger.js')).registerLedgerCommands,
  },
  {
    commands: {
      backup: 'back up the database and the keys of service tokens',
      restore: 'restore a backup where no database exists, and verify it',
    },
    load: async () => (await import('./backup.js')).registerBackupCommands,
  },
  {
    commands: { grants: 'print the GRANT statements of a MariaDB user' },
    load: async () => (await import('./grants.js')).registerGrantsCommand,
  },
  {
    commands: { audit: 'list the audit trail' },
    load: async () => (await import('./audit.js')).registerAuditCommands,
  },
];
