import { describe, expect, test } from '@jest/globals';
import { RESOLUTIONS } from '../../../src/breaks';
import { SCOPES } from '../../../src/identity';
import { creditActionField, proposedActionField } from '../../../src/shapes/proposed-action';
import { LANGUAGES, textsOf, type WordList } from '../../../src/texts';
import { readCatalog } from '../../../src/texts/catalog';
import { answerLists } from './support/answer-lists';
import { auditActions, quotedIn } from './support/source-lists';

/** The word list of each closed list of the answers; the first pattern that fits its path decides. */
const LIST_OF: readonly (readonly [RegExp, WordList])[] = [
  [/^BankFileSample\.encoding$/, 'encoding'],
  [/^ImportCheck\.unit$/, 'amountUnit'],
  [/^ImportCheck\.chain\.differences\.kind$/, 'chainFault'],
  [/^OpenBreakTotals\.byAge\.band$/, 'ageBand'],
  [/User\.language$/, 'language'],
  [/User\.roles$/, 'role'],
  [/User\.state$/, 'userState'],
  [/\/users\/.*\.outcome$/, 'userOutcome'],
  [/Agent\.status$/, 'agentStatus'],
  [/^AgentPayment\.state$/, 'agentPaymentState'],
  [/\/agents\/.*\.outcome$/, 'agentOutcome'],
  [/\/dues\/.*\.outcome$/, 'dueOutcome'],
  [/^(ListedAttempt|ShownAttempt|Payment)\.kind$/, 'paymentKind'],
  [/\.requestState$/, 'requestState'],
  [/^(Listed|Shown)(Attempt|Receipt)\.source$/, 'paymentSource'],
  [/^(Listed|Shown)Receipt\.kind$/, 'receiptKind'],
  [/^PaymentMoney\.state$/, 'moneyState'],
  [/^PaymentProgress\.code$/, 'paymentProgress'],
  [/^PaymentProgress\.availability$/, 'availability'],
  [/^PaymentObservation\.source$/, 'observationSource'],
  [/^PaymentOperation\.kind$/, 'operationKind'],
  [/^PaymentOperation\.state$/, 'operationState'],
  [/^TimelineEntry\.kind$/, 'timeline'],
  [/^TimelineEntry\.from\.thing$/, 'thing'],
  [/^(PaymentCreation|SubscriptionCreation|PaymentOperationOutcome)\.kind$/, 'paymentOutcome'],
  [/Check\.kind$/, 'checkKind'],
  [/Statement\.kind$/, 'statementKind'],
  [
    /^(Statement|AcceptedStatement|ExcludedStatement|StatementVerification|ImportCheck)\b.*\.verdict$/,
    'statementVerdict',
  ],
  [/Statement\.hold$/, 'statementState'],
  [/Statement\.outcome$/, 'statementOutcome'],
  [/\.missing$/, 'missingBalance'],
  [/^AnnouncedEntry\.status$/, 'announcedStatus'],
  [/^AccountDecision\.outcome$/, 'accountOutcome'],
  [/^(ImportCheck|BankFileImport)\.outcome$/, 'importOutcome'],
  [/\/(bank-uploads|notification-recipients)\/.*\.outcome$/, 'uploadOutcome'],
  [/NotificationRecipient\.way$/, 'notificationWay'],
  [/(NotificationRecipient\.kinds|NotificationMessage\.kind)$/, 'notificationKind'],
  [/NotificationRecipient\.language$/, 'language'],
  [/^NotificationMessage\.state$/, 'messageState'],
  [/^NotificationMessage\.error$/, 'messageError'],
  [/^ListedCredit\.outcome$/, 'creditOutcome'],
  [/\/payout-marks .*\.outcome$/, 'markOutcome'],
  [/^Credit\.state$|\/candidates 200\.state$/, 'creditState'],
  [/^Match\.kind$/, 'matchKind'],
  [/\.evidence$/, 'evidence'],
  [/^(CreditAnswer|RunResult\.credits)\.outcome$/, 'creditAnswer'],
  [/^CreditAnswer\.reason$/, 'creditReason'],
  [/^Candidate\.kind$/, 'candidateKind'],
  [/^(Run|ShownRun|RunResult)\.verdict$/, 'verdict'],
  [/^Replay\.differsIn$/, 'replayDifference'],
  [/^FeeSchedule\.state$/, 'feeState'],
  [/^(FeeRule|Match\.channels)\.channel$/, 'channel'],
  [/^Credit\.reversedMatches\.kind$/, 'unmatchKind'],
  [/^FeeRule\.rounding$/, 'feeRounding'],
  [/^FeeRule\.basis$/, 'feeBasis'],
  [/\.class$|\.breakClass$/, 'breakClass'],
  [/^(Shown)?Break\.status$|\.break\.status$|\.break\.(before|after)\.status$/, 'breakStatus'],
  [/\.severity$/, 'severity'],
  [/^((Shown)?Break|ShownProposal)\.direction$|\.break\.direction$/, 'direction'],
  [/\.breakBecomes$/, 'breakBecomes'],
  [/^WriteOffPlace\.effect$|(wouldDo|effect|ActionDone)\.direction$/, 'writeOffEffect'],
  [/^BreakEvent\.kind$/, 'breakEvent'],
  [/\/breaks\/.*\.outcome$/, 'stepOutcome'],
  [/\.decision\.outcome$|\/proposals\/.*\.outcome$/, 'proposalOutcome'],
  [/^Seal\.kind$/, 'sealKind'],
  [/^SealFault\.fault$/, 'sealFault'],
  [/^(DayStatus|Morning\.figures)\.state$/, 'dayState'],
  [/^OpenBreakTotals\.byAge\.band$/, 'ageBand'],
  [/\.movements\{key\}$/, 'movement'],
  [/\.lines\.label$/, 'balanceLine'],
  [/^ClosedDay\.outcome$|\/reopening.*\.kind$/, 'dayOutcome'],
  [/^Webhook\.family$|\/replay 200\.family$/, 'webhookFamily'],
  [/^Webhook\.proof$|\/replay 200\.proof$/, 'webhookProof'],
  [/^Webhook\.state$|\/replay 200\.state$/, 'webhookState'],
  [/^WebhookDiagnosis\.verdict$/, 'diagnosisVerdict'],
  [/ApiKey\.scopes$/, 'scope'],
  [/^(ApiKey|ServiceToken)\.state$/, 'keyState'],
  [/\/revoke 200\.outcome$/, 'keyOutcome'],
  [/^AuditRecord\.actor\.kind$/, 'actorKind'],
  [/^KeyRotation\.alg$/, 'keyAlgorithm'],
  [/^Morning\.figures\.state$/, 'dayState'],
  [/^JobState\.lastOutcome$/, 'jobOutcome'],
  [/^Diagnosis\.database$/, 'database'],
  [/^GatewayBudget\.circuit\.cause$/, 'circuitCause'],
  [/^GatewayBudget\.pausedQueues\.queue$/, 'queue'],
];

/** The obstacles of a day are sentences with values, in the namespace `problems`. */
const SENTENCES = /^ClosingObstacle\.code$/;

const listOf = (path: string): WordList | undefined => LIST_OF.find(([pattern]) => pattern.test(path))?.[1];

const wordOf = (list: WordList, code: string): string => (list === 'movement' ? code.replace(/Millimes$/, '') : code);

/** Returns the codes of a list that have no label in some language. */
const missing = (list: WordList, codes: readonly string[]): string[] =>
  LANGUAGES.flatMap((language) => {
    const words = readCatalog(language, 'words');
    return codes
      .filter((code) => !Object.hasOwn(words, `${list}.${code}`))
      .map((code) => `${language} ${list}.${code}`);
  });

const lists = answerLists().filter(({ path }) => !SENTENCES.test(path));

describe('the words', () => {
  test('name a list for each closed list of the answers of the API', () => {
    expect(lists.length).toBeGreaterThan(100);
    expect(lists.filter(({ path }) => listOf(path) === undefined)).toEqual([]);
  });

  test('have a label for each code of the answers of the API', () => {
    const without = lists.flatMap(({ path, codes }) => {
      const list = listOf(path);
      return list === undefined
        ? []
        : missing(
            list,
            codes.map((code) => wordOf(list, code)),
          );
    });
    expect(without).toEqual([]);
  });

  test('would miss a code without a label', () => {
    expect(missing('channel', ['card', 'pigeon'])).toEqual([
      'fr channel.pigeon',
      'en channel.pigeon',
      'ar channel.pigeon',
    ]);
  });

  test('explain each break class and its next step', () => {
    const classes = quotedIn('src/breaks/recon-break.ts', 'BREAK_CLASSES = [', ']');
    for (const list of ['breakClass', 'breakMeaning', 'breakNext'] as const) expect(missing(list, classes)).toEqual([]);
  });

  test('name each action that two people decide', () => {
    const kinds = [proposedActionField, creditActionField].flatMap(({ options }) =>
      options.flatMap(({ shape }) => [...shape.kind.values]),
    );
    expect(missing('action', [...kinds, 'reopen_day'])).toEqual([]);
  });

  test.each<readonly [WordList, readonly string[]]>([
    ['scope', SCOPES],
    ['resolution', RESOLUTIONS],
    ['auditAction', auditActions()],
    ['job', quotedIn('src/jobs.ts', 'jobsOf(', 'function startJobs', /name(?:: | = )'([^']+)'/g)],
    ['refusalKind', quotedIn('src/agent-settlement/decide.ts', 'REFUSAL_KINDS = [', ']')],
    ['ledgerCode', quotedIn('src/ledger/ledger-transaction.ts', 'LEDGER_CODES = [', ']')],
    ['account', quotedIn('src/ledger/accounts.ts', 'const CHART', '}', /^\s+(\w+): '/gm)],
    ['payoutModel', quotedIn('src/payout-inference/match-request.ts', 'PAYOUT_MODELS = [', ']')],
    ['clearingPart', quotedIn('src/reporting/clearing-parts-read-model.ts', 'type ClearingPartLabel', ';')],
    ['ageBand', quotedIn('src/reporting/age-bands.ts', 'AGE_BANDS = [', ']')],
    ['unmatchKind', quotedIn('src/reconciliation/match.ts', 'UNMATCH_KINDS = [', ']')],
    ['waitingState', quotedIn('src/reconciliation/waiting-list.ts', 'WAITING_STATES = [', ']')],
    ['statementFormat', quotedIn('src/statements/reading/choose-reader.ts', 'STATEMENT_FORMATS = [', ']')],
    [
      'webhookOutcome',
      quotedIn('src/webhooks/handle-entry.ts', 'function', '\0', /outcome(?:: | = isUnreadable \? )'(\w+)'/g),
    ],
    ['webhookCause', quotedIn('src/gateway/webhooks/webhook-rejection.ts', 'type WebhookRejectionReason', ';')],
    ['webhookCause', quotedIn('src/webhooks/diagnosis-text.ts', 'OTHER_CONTENT_TEXT', '};', /^ {2}(\w+):/gm)],
    ['webhookCause', quotedIn('src/webhooks/diagnose.ts', 'import', '\0', /(?:cause: |rejectedDiagnosis\()'(\w+)'/g)],
  ])('have a label for each code of %s', (list, codes) => {
    expect(codes.length).toBeGreaterThan(1);
    expect(missing(list, codes)).toEqual([]);
  });

  test('are labels without holes, so that a code alone gives its label', () => {
    const holes = Object.entries(readCatalog('fr', 'words')).filter(([, text]) => text.includes('{{'));
    expect(holes).toEqual([]);
    expect(textsOf('ar', 'UTC').word('verdict', 'reconciled')).toBe('تمّت المقاربة');
  });
});
