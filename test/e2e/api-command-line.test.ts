import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/api';
import { PACKAGE_ROOT } from '../../src/kernel';

// Goal: everything that the command line does without the machine itself can be done by the API, and what cannot is a
// decision. A new command fails here until it is in the table.

/** The operations that do what a command does; a text says why none does. */
const OPERATIONS_OF: Readonly<Record<string, readonly string[] | string>> = {
  serve: 'it is the service',
  migrate: 'it changes the database with the rights of another user',
  doctor: ['diagnose'],
  demo: 'it plays on a simulator',
  simulate: 'it is another program',
  'token mint': ['mintServiceToken'],
  'token rotate': ['rotateServiceTokenKeys'],
  'token list': ['listServiceTokens'],
  'token revoke': ['revokeServiceToken'],
  'keys create': ['createKey'],
  'keys list': ['listKeys'],
  'keys revoke': ['revokeKey'],
  'users create': ['createUser'],
  'users list': ['listUsers'],
  'users show': ['showUser', 'listUserSessions'],
  'users roles': ['setUserRoles'],
  'users disable': ['disableUser'],
  'users enable': ['enableUser'],
  'users reset-password': ['resetUserPassword'],
  'users reset-second-factor': ['resetUserSecondFactor'],
  'users end-sessions': ['endUserSessions'],
  'notifications list': ['listNotificationRecipients'],
  'notifications add': ['addNotificationRecipient'],
  'notifications remove': ['removeNotificationRecipient'],
  'notifications test': ['testNotificationRecipient'],
  'agents import': ['importAgents'],
  'agents add': ['addAgent'],
  'agents list': ['listAgents'],
  'agents search': ['searchAgents'],
  'agents show': ['showAgent'],
  'agents due': ['showAgent'],
  'agents statement': ['listAgentMovements'],
  'agents close': ['closeAgent'],
  'agents erase': ['eraseAgent'],
  'dues import': ['importDues'],
  'dues cancel': ['cancelDue'],
  'payments create': ['createPayment', 'importPaymentPlan'],
  'payments verify': ['verifyPayment'],
  'payments capture': ['capturePayment'],
  'payments cancel': ['cancelPayment'],
  'payments refund': ['refundPayment'],
  'payments list': ['listPayments'],
  'payments show': ['showPayment', 'listPaymentTimeline'],
  'subscriptions create': ['createSubscription', 'importSubscriptionPlan'],
  'subscriptions verify': ['verifySubscription'],
  'subscriptions list': ['listSubscriptions'],
  'subscriptions show': ['showSubscription'],
  'subscriptions charges': ['listCharges'],
  'pos start': ['startPosPayment'],
  'pos status': ['verifyPayment', 'showPayment'],
  'qr create': ['createQrCode'],
  'qr status': ['verifyPayment', 'showPayment'],
  'qr history': ['listQrPurchases'],
  'wallet link': ['linkWallet'],
  'wallet session': "it prints a customer's tokens",
  'wallet balance': ['readWalletBalance'],
  'wallet history': ['readWalletHistory'],
  'wallet pay': ['payFromWallet'],
  'webhooks list': ['listWebhooks', 'showWebhook'],
  'webhooks replay': ['replayWebhook'],
  'webhooks diagnose': ['diagnoseWebhook'],
  poll: 'the jobs of the service do it each minute',
  'statements import': [
    'uploadBankFile',
    'sampleBankUpload',
    'checkBankReading',
    'checkBankUpload',
    'importBankUpload',
    'removeBankUpload',
  ],
  'statements list': ['listStatements'],
  'statements show': ['showStatement', 'listStatementLines', 'downloadStatementFile'],
  'statements accept': ['acceptStatement'],
  'statements exclude': ['excludeStatement'],
  'statements leave-out': ['excludeStatement'],
  'statements pending': ['listAnnouncedEntries'],
  'statements verify': ['verifyStatement'],
  'statements reread': ['verifyStatement'],
  'statements profiles': ['listStatementProfiles'],
  'statements accounts list': ['listBankAccounts'],
  'statements accounts accept': ['acceptBankAccount'],
  'statements accounts join': ['joinBankAccounts'],
  'statements mark-payouts': ['markPayouts'],
  'statements unmark-payouts': ['markPayouts'],
  reconcile: ['runReconciliation', 'replayRun'],
  'reconcile runs': ['listRuns', 'showRun'],
  'reconcile show': ['listCredits', 'showCredit', 'listCreditItems', 'listCandidates'],
  'reconcile items': ['listUnpaidItems', 'sumUnpaidItems', 'tryMatch'],
  'reconcile match': ['matchCredit'],
  'reconcile unmatch': ['unmatchCredit'],
  'reconcile fees': ['listFeeSchedules', 'setFees', 'confirmFees'],
  'close-day': ['listDays', 'showDay', 'proveDay', 'closeDay', 'proposeReopening', 'approveReopening', 'verifySeals'],
  match: 'it reads files and no database',
  'breaks list': ['listBreaks'],
  'breaks show': ['showBreak', 'listBreakRows', 'listWriteOffPlaces'],
  'breaks assign': ['assignBreak', 'stepOnBreaks'],
  'breaks comment': ['commentBreak', 'stepOnBreaks'],
  'breaks resolve': ['resolveBreak', 'stepOnBreaks'],
  'breaks reopen': ['reopenBreak', 'stepOnBreaks'],
  'breaks propose': ['proposeForBreak', 'proposeForCredit'],
  'breaks approve': ['approveProposal'],
  'breaks reject': ['rejectProposal'],
  'breaks proposals': ['listProposals', 'showProposal'],
  'report daily': ['showDailyReport'],
  'report aging': ['showAgingReport'],
  'report clearing': ['showClearingReport'],
  'report agents': ['showAgentsReport'],
  'report payouts': ['showPayoutsReport', 'showPayout'],
  'report fees': ['showFeesReport'],
  'report all': 'it is the page of the other reports together',
  'ledger verify': ['verifyLedger'],
  'ledger export': ['exportLedger'],
  backup: 'it writes a file of the machine',
  restore: 'it replaces the database',
  grants: 'it prints SQL for the administrator of the database',
  'audit list': ['listAuditRecords'],
};

/** What only the API offers. */
const API_ALONE = [
  'showOwnKey',
  'listJobs',
  'showGatewayBudget',
  'listDuesOfAgent',
  'listAgentPayments',
  'showMorning',
  'showTrends',
];

describe('the operations of the API', () => {
  test('cover every command, or the table says why not', () => {
    expect(Object.keys(OPERATIONS_OF).sort()).toEqual(commandNames().sort());
  });

  test('are each the counterpart of a command, or the table says that they are not', () => {
    const covered = Object.values(OPERATIONS_OF).flatMap((entry) => (typeof entry === 'string' ? [] : entry));
    const operations = ROUTES.map(({ operationId }) => operationId);
    expect([...new Set([...covered, ...API_ALONE])].sort()).toEqual(operations.sort());
  });
});

/** Prints the names of all commands that do something, as the built program has them. */
const NAMES = `
const { Command } = require('commander');
const { COMMAND_FILES } = require('./dist/src/cli/command-list.js');
const run = Object.assign(async () => {}, { onNewBooks: async () => {}, beforeMigration: async () => {} });
const namesOf = (command, parent) => {
  const name = parent + command.name();
  const inner = command.commands.flatMap((each) => namesOf(each, name + ' '));
  return inner.length === 0 || command._actionHandler ? [name, ...inner] : inner;
};
(async () => {
  const program = new Command();
  for (const { load } of COMMAND_FILES) (await load())(program, run);
  console.log(JSON.stringify(program.commands.flatMap((command) => namesOf(command, ''))));
})();
`;

function commandNames(): string[] {
  return JSON.parse(execFileSync(process.execPath, ['-e', NAMES], { cwd: PACKAGE_ROOT, encoding: 'utf8' })) as string[];
}
