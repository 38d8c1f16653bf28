// Goal: each invariant of the books detects the damage it is for, and correct books satisfy them all.
// Method: a scenario that uses every table, in a database without its guards. Each test damages it in a transaction
// that is rolled back, and reads the result of the check inside it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAgentDirectory } from '../../../src/agents';
import { openBreakStore } from '../../../src/breaks';
import type { Database, Session } from '../../../src/db';
import { openAuditTrail } from '../../../src/identity';
import { businessDate, type Instant, millimes } from '../../../src/kernel';
import { INVARIANT_COUNT } from '../../../src/reporting';
import { brokenInvariants } from '../../../src/reporting/testing';
import { lineIdentity } from '../../../src/statements/testing';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST, TESTER } from '../../support/factories';
import { aBreak, LEILA, OMAR, workflowBench } from '../breaks/workflow-bench';
import { giveBack, type PaidGiven, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

type Damage = readonly [invariant: string, what: string, damage: (session: Session) => PromiseLike<unknown>];

const GHOST = '00000000000000000000000000';

const transactionRow = (reference: string, code = 'reversal'): Record<string, unknown> => ({
  id: GHOST,
  reference,
  code,
  occurred_at: 1,
  recorded_at: 1,
  reverses_id: null,
  recorded_by: 'test',
});

const ERASED_AGENT = 'each erased agent is closed, has no name and phone, and has its audit record';
const REPEATED_IS_REVERSED = 'each posted line that repeats another one has its one reversal, which equals its posting';
const REPEATED_HAS_ITS_LIKE =
  'a line repeats a line of its account that counts, with its day and amount, and no match uses it';

const postingRow = (amount: number): Record<string, unknown> => ({
  transaction_id: GHOST,
  position: 1,
  debit_account: 'bank_other',
  credit_account: 'write_off',
  amount_millimes: amount,
});

/** The id of the ledger transaction with a reference. */
async function idOf(session: Session, reference: string): Promise<string> {
  const [row] = await session('ledger_transactions').select('id').where('reference', reference);
  if (row === undefined) throw new Error(`the scenario has ${reference}`);
  return String(row['id']);
}

const ofTransaction = async (session: Session, reference: string, change: Record<string, unknown>): Promise<unknown> =>
  session('postings')
    .where('transaction_id', await idOf(session, reference))
    .update(change);

const ofSecondStatement = (session: Session): ReturnType<Session> =>
  session('bank_statements').where('credits_minor', 80_000);

async function idOfStatement(session: Session, creditsMinor: number): Promise<string> {
  const [row] = await session('bank_statements').select('id').where('credits_minor', creditsMinor);
  if (row === undefined) throw new Error('the scenario has the statement');
  return String(row['id']);
}

async function idOfLine(session: Session, amountMinor: number): Promise<string> {
  const [row] = await session('bank_statement_lines').select('id').where('amount_minor', amountMinor);
  if (row === undefined) throw new Error('the scenario has the line');
  return String(row['id']);
}

/** The second statement repeats the line of the first. */
async function repeat(session: Session): Promise<unknown> {
  return session('statement_line_repeats').insert({
    statement_id: await idOfStatement(session, 80_000),
    position: 3,
    line_id: await idOfLine(session, 115_500),
  });
}

/** A person decided whether a line may be a payout. */
async function mark(session: Session, amountMinor: number, isPayout: 0 | 1): Promise<unknown> {
  const lineId = await idOfLine(session, amountMinor);
  const decided = { pattern: 'x', decided_at: 1, decided_by: 'test', reason: 'why' };
  return session('payout_marks').insert({ id: GHOST, line_id: lineId, position: 1, is_payout: isPayout, ...decided });
}

/** A person found that one line repeats another, and nothing else was done. */
async function findRepeated(session: Session, amountMinor: number, staying: number): Promise<unknown> {
  return session('bank_repeated_lines').insert({
    line_id: await idOfLine(session, amountMinor),
    stays_id: await idOfLine(session, staying),
    repeated_at: 1,
    repeated_by: 'test',
    reason: 'why',
  });
}

/** The line of the first statement comes again in the second, under the IBAN of the account. */
async function repeatUnderIban(session: Session): Promise<unknown> {
  const [line] = await session('bank_statement_lines').select('*').where('amount_minor', 115_500);
  if (line === undefined) throw new Error('the scenario has the line');
  const account = `TN59${String(line['account'])}`;
  const movement = {
    account,
    currency: 'TND',
    bookingDate: businessDate(String(line['booking_date'])),
    valueDate: line['value_date'] === null ? undefined : businessDate(String(line['value_date'])),
    amountMinor: 115_500,
    counterparty: String(line['counterparty']),
    remittance: String(line['remittance']),
    bankReference: String(line['bank_reference']),
  };
  const statementId = await idOfStatement(session, 80_000);
  await session('bank_statements').where('id', statementId).update({ account });
  return session('bank_statement_lines').insert({
    ...line,
    id: GHOST,
    account,
    statement_id: statementId,
    position: 9,
    identity: lineIdentity(movement, 1),
  });
}

const itemRow = (itemId: string, amount: number, refundOf: string | null = null): Record<string, unknown> => ({
  item_id: itemId,
  channel: 'card',
  amount_millimes: amount,
  agent_id: null,
  refund_of: refundOf,
  occurred_at: 1,
  recorded_at: 1,
  ledger_transaction_id: GHOST,
});

const inItem = (itemId: string, change: Record<string, unknown>) => (session: Session) =>
  session('gateway_items').where('item_id', itemId).update(change);

const inFee = (reference: string, change: Record<string, unknown>) => (session: Session) =>
  session('gateway_item_fees').where('reference', reference).update(change);

const ITEM_IS_POSTED = 'each gateway item has its one ledger transaction, with its amount, channel and source';
const FEE_IS_POSTED = 'each report of a fee is posted, fee and TVA apart';
const FEE_OF_ITEM = 'each report of a fee is of an item of its channel, and a correction follows a first report';
const REFUND_FITS = 'each refund takes back a payment of the same channel and agent';
const MATCH_IS_POSTED = 'each match is posted and is the sum of its items';
const MATCHED_ITEM = 'each item of a match is known, with its channel and its amount';
const HELD = 'a live match holds its lines and its items, and nothing else is held';
const CLEARING =
  'what the gateway owes through each channel is its unpaid items less fees, its remainders, and what was written off of both';
const NAMED_ONCE =
  'each gateway item but a refund is named by the one payment, charge or QR transaction that brought it';
const OUR_SHARE = "the posted amount of a payment is what was captured, or else Millime's share, for its agent";
const CHARGE_AMOUNT = "what is posted of a subscription's charge is its amount, for the subscription's agent";
const QR_AMOUNT = "what is posted of a QR transaction is its amount, for its code's agent unless a break says why not";
const NO_TEST_MONEY = 'no test money is in the books';

const GATEWAY_ITEM_DAMAGES: readonly Damage[] = [
  [ITEM_IS_POSTED, 'an item of one millime more', inItem('payment:P1', { amount_millimes: 10_001 })],
  [ITEM_IS_POSTED, 'an item of another channel', inItem('payment:P1', { channel: 'wallet' })],
  [ITEM_IS_POSTED, 'an item of an agent that was posted as of a customer', inItem('payment:P1', { agent_id: 'A1' })],
  [ITEM_IS_POSTED, 'a refund posted as a payment', inItem('refund:R1', { amount_millimes: 4_000 })],
  [ITEM_IS_POSTED, 'an item without its transaction', inItem('payment:P1', { ledger_transaction_id: GHOST })],
  [
    ITEM_IS_POSTED,
    'a second posting in the transaction of an item',
    async (session) =>
      session('postings').insert({
        ...postingRow(1),
        transaction_id: await idOf(session, 'payment:P1'),
        position: 2,
      }),
  ],
  [
    ITEM_IS_POSTED,
    'a payment whose transaction has the code of a refund',
    (session) => session('ledger_transactions').where('reference', 'payment:P1').update('code', 'refund'),
  ],
  [
    'each ledger transaction of a payment or a refund has its gateway item',
    'an item that is gone',
    (session) => session('gateway_items').where('item_id', 'payment:P1').delete(),
  ],
  [
    'each ledger transaction of a payment or a refund has its gateway item',
    'a refund that was posted past its item',
    (session) => session('ledger_transactions').insert(transactionRow('refund:R9', 'refund')),
  ],
  [FEE_IS_POSTED, 'a fee of one millime more', inFee('fee:payment:P4', { fee_millimes: 151 })],
  [FEE_IS_POSTED, 'a TVA of one millime less', inFee('fee:payment:P4', { tva_millimes: 28 })],
  [FEE_IS_POSTED, 'a correction the other way', inFee('fee-fix:payment:P4', { tva_millimes: 10 })],
  [FEE_IS_POSTED, 'a fee without its transaction', inFee('fee:payment:P4', { ledger_transaction_id: GHOST })],
  [
    FEE_IS_POSTED,
    'a fee whose transaction has another reference',
    (session) => session('ledger_transactions').where('reference', 'fee:payment:P4').update('reference', 'x'),
  ],
  [
    FEE_IS_POSTED,
    'a fee that was taken from another channel',
    (session) => ofTransaction(session, 'fee:payment:P4', { credit_account: 'gateway_clearing:card' }),
  ],
  [
    FEE_IS_POSTED,
    'a posting beside the fee',
    async (session) =>
      session('postings').insert({
        ...postingRow(1),
        transaction_id: await idOf(session, 'fee:payment:P4'),
        position: 3,
      }),
  ],
  [FEE_OF_ITEM, 'a fee of nothing', inFee('fee:payment:P4', { item_id: 'payment:p4' })],
  [FEE_OF_ITEM, 'a fee of another channel', inFee('fee:payment:P4', { channel: 'card' })],
  [
    FEE_OF_ITEM,
    'a correction of a fee that was never reported',
    (session) => session('gateway_item_fees').where('reference', 'fee:payment:P4').delete(),
  ],
  [
    'each ledger transaction of a fee has its report',
    'a correction that nobody reported',
    (session) => session('gateway_item_fees').where('reference', 'fee-fix:payment:P4').delete(),
  ],
  [REFUND_FITS, 'a refund of nothing', inItem('refund:R1', { refund_of: 'payment:p1' })],
  [REFUND_FITS, 'a refund of itself', inItem('refund:R1', { refund_of: 'refund:R1' })],
  [REFUND_FITS, 'a refund through another channel', inItem('refund:R1', { channel: 'pos' })],
  [REFUND_FITS, 'a refund to somebody else', inItem('refund:R1', { agent_id: 'A2' })],
  [REFUND_FITS, 'a payment that takes another one back', inItem('payment:P2', { refund_of: 'payment:P1' })],
  [REFUND_FITS, 'an item of 0', (session) => session('gateway_items').insert(itemRow('payment:P9', 0))],
  [
    'no payment is refunded for more than it brought',
    'two refunds that are too much together',
    (session) => session('gateway_items').insert(itemRow('refund:R2', -6_001, 'payment:P1')),
  ],
  [CLEARING, 'an item that was posted to nobody', (session) => session('gateway_items').insert(itemRow('x', 1))],
  [CLEARING, 'a report of a fee of another amount', inFee('fee:payment:P4', { fee_millimes: 149 })],
  [
    CLEARING,
    'a channel that was written off',
    async (session) => {
      await session('ledger_transactions').insert(transactionRow('x'));
      await session('postings').insert({ ...postingRow(1), credit_account: 'gateway_clearing:mpayment' });
    },
  ],
  [NAMED_ONCE, 'an item that no payment names', (session) => session('payments').update('item_id', null)],
  [
    NAMED_ONCE,
    'an item that a payment and a charge name',
    (session) => session('subscription_charges').update('item_id', 'payment:P1'),
  ],
  [
    NAMED_ONCE,
    'an item that a QR transaction names, too',
    (session) => session('qr_transactions').update('item_id', 'payment:P4'),
  ],
  [
    OUR_SHARE,
    'a payment whose item is not there',
    (session) => session('payments').where('gateway_id', 'P1').update('item_id', 'payment:p1'),
  ],
  [
    OUR_SHARE,
    'a share that changed after it was posted',
    (session) => session('payments').where('gateway_id', 'P3').increment('our_share_millimes', 1),
  ],
  [
    OUR_SHARE,
    'an amount that was captured and not posted',
    (session) => session('payments').where('gateway_id', 'P1').update('captured_millimes', 9_999),
  ],
  [
    OUR_SHARE,
    'a payment of another agent',
    (session) => session('payments').where('gateway_id', 'P2').update('agent_id', 'A2'),
  ],
  [
    CHARGE_AMOUNT,
    'a charge of one millime more',
    (session) => session('subscription_charges').increment('amount_millimes', 1),
  ],
  [CHARGE_AMOUNT, 'a charge of no subscription', (session) => session('subscriptions').delete()],
  [CHARGE_AMOUNT, 'a subscription of another agent', (session) => session('subscriptions').update('agent_id', 'A2')],
  [
    CHARGE_AMOUNT,
    'a charge whose item is not there',
    (session) => session('subscription_charges').update('item_id', 'payment:p4'),
  ],
  [
    QR_AMOUNT,
    'a QR transaction of one millime more',
    (session) => session('qr_transactions').increment('amount_millimes', 1),
  ],
  [
    QR_AMOUNT,
    'a QR transaction whose item is not there',
    (session) => session('qr_transactions').update('item_id', 'payment:p5'),
  ],
  [QR_AMOUNT, 'an agent whose payment was posted as a customer payment', inItem('payment:P5', { agent_id: null })],
  [
    QR_AMOUNT,
    'a code of another agent',
    (session) => session('payments').where('gateway_id', 'P5').update('agent_id', 'A2'),
  ],
  [
    NO_TEST_MONEY,
    'a payment that was a test',
    (session) => session('payments').where('gateway_id', 'P1').update('is_test', 1),
  ],
  [NO_TEST_MONEY, 'a subscription that was a test', (session) => session('subscriptions').update('is_test', 1)],
  [
    NO_TEST_MONEY,
    'a QR code that was a test',
    (session) => session('payments').where('gateway_id', 'P5').update('is_test', 1),
  ],
];

const TWO_PEOPLE =
  'each write-off was proposed by one person, approved by another, and is of the amount they agreed on';
const WRITE_OFF_POSTED = 'each approved write-off is posted';
const ONLY_WRITE_OFFS = 'only write-offs, and what takes them back, touch the account of write-offs';

const inDecision = (change: Record<string, unknown>) => (session: Session) =>
  session('break_decisions').whereNotNull('posted_as').update(change);

/** What was written off of an agent's payment was the remainder of a match in the channel of cards. */
async function ofRemainderOfCards(session: Session): Promise<void> {
  const [match] = await session('payout_matches').select('id');
  await session('payout_matches').update('rest_channel', 'card');
  await session('recon_breaks')
    .where('fingerprint', 'missing')
    .update('fingerprint', `amount_differs:match:${String(match?.['id'])}`);
}

const WRITE_OFF_DAMAGES: readonly Damage[] = [
  [TWO_PEOPLE, 'a write-off that nobody decided', (session) => session('break_decisions').delete()],
  [TWO_PEOPLE, 'a write-off that was rejected', inDecision({ outcome: 'rejected' })],
  [TWO_PEOPLE, 'a write-off of the one who proposed it', inDecision({ decided_by: 'leila' })],
  [TWO_PEOPLE, 'a write-off of one millime more than was agreed', inDecision({ amount_millimes: 299 })],
  [
    TWO_PEOPLE,
    'a write-off that was agreed as something else',
    (session) => session('break_proposals').update('kind', 'accept'),
  ],
  [WRITE_OFF_POSTED, 'an approval whose posting is gone', inDecision({ posted_as: null })],
  [CLEARING, 'the write-off of a remainder in another channel', ofRemainderOfCards],
  ['each write-off of a remainder is in the channel of the remainder', 'the same', ofRemainderOfCards],
  [
    WRITE_OFF_POSTED,
    'an approval that points to something else',
    (session) => session('ledger_transactions').where('code', 'write_off').update('code', 'payout'),
  ],
  [
    ONLY_WRITE_OFFS,
    'money that somebody wrote off by a correction',
    async (session) => {
      await session('ledger_transactions').insert(transactionRow('x'));
      await session('postings').insert(postingRow(1));
    },
  ],
  [
    ONLY_WRITE_OFFS,
    'a write-off with another code',
    (session) => session('ledger_transactions').where('code', 'write_off').update('code', 'fee'),
  ],
];

const AS_ITS_HISTORY = 'a break is resolved when its history says so, then and as it says, and only then';
const AS_THE_DESK = 'a break that is not resolved is proposed, assigned or open, as its assignment and proposal state';
const LAST_AMOUNT = 'the amount of a break is the last that its history says';
const WHOLE_HISTORY = 'the history of a break begins with its opening and lacks no step';
const IN_THE_TRAIL = 'what a person did to a break is in the audit trail';

const inBreak = (fingerprint: string, change: Record<string, unknown>) => (session: Session) =>
  session('recon_breaks').where('fingerprint', fingerprint).update(change);

async function idOfBreak(session: Session, fingerprint: string): Promise<string> {
  const [row] = await session('recon_breaks').select('id').where('fingerprint', fingerprint);
  if (row === undefined) throw new Error('the scenario has the break');
  return String(row['id']);
}

/** A step that nobody made, in a history of the scenario. */
const forgedStep = (fingerprint: string, position: number, kind: string, detail: string) => async (session: Session) =>
  session('recon_break_events').insert({
    break_id: await idOfBreak(session, fingerprint),
    ...{ position, kind, actor: 'omar', at: 1, detail },
  });

const CLOSED = { status: 'resolved', resolution: 'by_hand', resolved_at: 1 };

const BREAK_DAMAGES: readonly Damage[] = [
  [AS_ITS_HISTORY, 'a break that was closed without a word', inBreak('worked', CLOSED)],
  [
    AS_ITS_HISTORY,
    'a closed break that was opened without a word',
    inBreak('settled', { status: 'open', resolution: null, resolved_at: null }),
  ],
  [AS_ITS_HISTORY, 'a break that was closed in another way', inBreak('settled', { resolution: 'accepted' })],
  [AS_ITS_HISTORY, 'a break that was closed at another time', inBreak('settled', { resolved_at: 1 })],
  [AS_ITS_HISTORY, 'an open break with a way in which it was closed', inBreak('worked', { resolution: 'by_hand' })],
  [AS_ITS_HISTORY, 'a break without a history', (session) => session('recon_break_events').delete()],
  [
    AS_ITS_HISTORY,
    'a closing that was slipped into the history alone',
    forgedStep('worked', 4, 'resolved', '{"resolution":"disappeared"}'),
  ],
  [AS_THE_DESK, 'a break that is assigned to nobody', (session) => session('break_assignments').delete()],
  [AS_THE_DESK, 'a break for which nothing is proposed', inBreak('worked', { status: 'proposed' })],
  [LAST_AMOUNT, 'a break of one millime more', inBreak('worked', { amount_millimes: 2_001 })],
  [LAST_AMOUNT, 'a break of a tenth', inBreak('worked', { amount_millimes: 200 })],
  [LAST_AMOUNT, 'a break whose amount is gone', inBreak('worked', { amount_millimes: null })],
  [LAST_AMOUNT, 'an amount where there was none', inBreak('settled', { amount_millimes: 1 })],
  [WHOLE_HISTORY, 'a step before the first', forgedStep('worked', 0, 'commented', '{}')],
  [
    WHOLE_HISTORY,
    'a step that is gone',
    async (session) =>
      session('recon_break_events')
        .where({ break_id: await idOfBreak(session, 'worked'), position: 2 })
        .delete(),
  ],
  [IN_THE_TRAIL, 'a comment of somebody who was not there', forgedStep('worked', 4, 'commented', '{"text":"paid"}')],
  [
    IN_THE_TRAIL,
    'a word by which somebody else closed a break',
    (session) => session('recon_break_events').where('kind', 'resolved').update('actor', 'omar'),
  ],
  [IN_THE_TRAIL, 'a trail that is gone', (session) => session('audit_records').delete()],
];

const DAMAGES: readonly Damage[] = [
  ['no movement counts under two names of one bank account', 'a line under the IBAN of its RIB', repeatUnderIban],
  [
    'every posting is positive and between two accounts',
    'a posting of 0',
    async (session) => {
      await session('ledger_transactions').insert(transactionRow('x'));
      await session('postings').insert(postingRow(0));
    },
  ],
  [
    'every posting is positive and between two accounts',
    'a posting from an account to itself',
    (session) => ofTransaction(session, 'due:D1', { credit_account: 'agent_receivable:A1' }),
  ],
  [
    'every ledger transaction has postings',
    'a transaction without postings',
    (session) => session('ledger_transactions').insert(transactionRow('x')),
  ],
  [
    'every posting has its ledger transaction',
    'a posting of a transaction that is not there',
    (session) => session('postings').insert(postingRow(1)),
  ],
  [
    'no reference stands twice',
    'a second transaction with the reference of a confirm',
    (session) => session('ledger_transactions').insert(transactionRow('service:T1', 'agent_payment')),
  ],
  [
    "an agent's balance is the sum of its postings",
    'a balance that is off by one millime',
    (session) => session('ledger_balances').where('account', 'agent_receivable:A1').increment('balance_millimes', 1),
  ],
  [
    "an agent's balance is the sum of its postings",
    'a balance whose row is gone',
    (session) => session('ledger_balances').where('account', 'agent_receivable:A1').delete(),
  ],
  [
    'only the balances of agents are kept',
    'a balance of a bank account',
    (session) => session('ledger_balances').insert({ account: 'bank:11222333333333333344', balance_millimes: 0 }),
  ],
  [
    'a balance without postings is 0',
    'a balance of nobody',
    (session) => session('ledger_balances').insert({ account: 'agent_receivable:A9', balance_millimes: 1 }),
  ],
  [
    "an agent's balance is the agent's dues less what was cancelled, confirmed and paid through other channels",
    'a cancellation that was forgotten',
    (session) => session('due_cancellations').delete(),
  ],
  [
    "an agent's balance is the agent's dues less what was cancelled, confirmed and paid through other channels",
    'a due of another agent',
    (session) => session('dues').where('reference', 'D1').update('agent_id', 'A2'),
  ],
  [
    "an agent's balance is the agent's dues less what was cancelled, confirmed and paid through other channels",
    'a card payment for him of one millime more',
    (session) => session('gateway_items').where('item_id', 'payment:P2').increment('amount_millimes', 1),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm of one millime more',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').increment('amount_millimes', 1),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm of another agent',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').update('agent_id', 'A2'),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm that points to the transaction of another',
    async (session) =>
      session('agent_confirmations')
        .where('transaction_id', 'T1')
        .update('ledger_transaction_id', await idOf(session, 'service:T2')),
  ],
  [
    'each ledger transaction of a confirm has its confirm',
    'a confirm that is gone',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').delete(),
  ],
  [
    'each due has its one ledger transaction',
    'a due that was never posted',
    (session) => session('dues').where('reference', 'D1').update('reference', 'd1'),
  ],
  [
    'each due has its one ledger transaction',
    'a due of one millime less',
    (session) => session('dues').where('reference', 'D1').increment('amount_millimes', -1),
  ],
  [
    'each cancelled due has its reversal',
    'a cancellation without its reversal',
    (session) =>
      session('due_cancellations').insert({ reference: 'D1', reason: 'why', recorded_at: 1, recorded_by: 'test' }),
  ],
  [
    'each cancelled due has its reversal',
    'a reversal that points to another transaction',
    async (session) =>
      session('ledger_transactions')
        .where('reference', 'due-cancel:D3')
        .update('reverses_id', await idOf(session, 'due:D1')),
  ],
  [
    'each statement line that counts has its one ledger transaction, with its amount and its bank account',
    'a line of one millime more',
    (session) => session('bank_statement_lines').where('amount_minor', -1_190).increment('amount_minor', 1),
  ],
  [
    'each statement line that counts has its one ledger transaction, with its amount and its bank account',
    'a line that was posted to another bank account',
    async (session) => ofTransaction(session, `line:${await idOfLine(session, -1_190)}`, { credit_account: 'bank:22' }),
  ],
  [
    'each statement line is posted as of the day on which the bank booked it',
    'a line that was booked a day later',
    (session) => session('bank_statement_lines').where('amount_minor', -1_190).update('booking_date', '2026-03-05'),
  ],
  [
    'each statement line is posted as of the day on which the bank booked it',
    'a line that was booked a day before',
    (session) => session('bank_statement_lines').where('amount_minor', -1_190).update('booking_date', '2026-03-03'),
  ],
  [
    'a bank account in the books is the closing balance of its last statement',
    'a closing balance that is off by one millime',
    (session) => ofSecondStatement(session).increment('closing_minor', 1),
  ],
  [
    'a bank account in the books is the closing balance of its last statement',
    'a line that was posted the wrong way',
    async (session) => {
      await ofTransaction(session, `line:${await idOfLine(session, -1_190)}`, {
        debit_account: 'bank:11222333333333333344',
        credit_account: 'bank_unmatched',
      });
    },
  ],
  [
    "a statement's totals are those of its lines, and its balances too when it proves itself",
    'a line that is not counted',
    (session) => ofSecondStatement(session).increment('entries', 1),
  ],
  [
    "a statement's totals are those of its lines, and its balances too when it proves itself",
    'a total of credits that is off by one millime',
    (session) => session('bank_statements').where('credits_minor', 115_500).increment('credits_minor', 1),
  ],
  [
    "a statement's totals are those of its lines, and its balances too when it proves itself",
    'a line that went to another statement of its account',
    async (session) =>
      session('bank_statement_lines')
        .where('amount_minor', -1_190)
        .update({ statement_id: await idOfStatement(session, 115_500), position: 2 }),
  ],
  [
    'no statement line is posted that does not count',
    'a statement that is not proven any more',
    (session) => ofSecondStatement(session).update('verdict', 'unbalanced'),
  ],
  [
    'no statement line is posted that does not count',
    'a statement that is held, since it contradicts another',
    async (session) =>
      session('statement_holds').insert({
        statement_id: await idOfStatement(session, 80_000),
        kind: 'overlap',
        held_at: 1,
      }),
  ],
  [
    'no statement line is posted that does not count',
    'a line that is in another currency',
    (session) => session('bank_statement_lines').where('amount_minor', -1_190).update('currency', 'EUR'),
  ],
  [
    'each ledger transaction of a statement line has its line',
    'a line that is gone',
    (session) => session('bank_statement_lines').where('amount_minor', -1_190).delete(),
  ],
  [
    'a statement shares lines only with statements of its account and currency',
    'a line of another account',
    async (session) => {
      await session('bank_statement_lines').where('amount_minor', 115_500).update('account', '999');
      await repeat(session);
    },
  ],
  [
    'a statement shares lines only with statements of its account and currency',
    'a line that a statement shares with itself',
    async (session) => {
      await repeat(session);
      await session('statement_line_repeats').update('line_id', await idOfLine(session, 80_000));
    },
  ],
  [
    'each decision about a payout is of a credit in dinars and changes what held before it',
    'a decision about a debit',
    (session) => mark(session, -1_190, 1),
  ],
  [
    'no match holds a credit that a person marked as no payout',
    'a mark on a matched credit',
    (session) => mark(session, 115_500, 0),
  ],
  [REPEATED_IS_REVERSED, 'a repeated line whose posting stands', (session) => findRepeated(session, -1_190, 80_000)],
  [
    REPEATED_IS_REVERSED,
    'a reversal of a line that counts',
    async (session) => {
      const reference = `line-back:${await idOfLine(session, 80_000)}`;
      const reversal = { code: 'reversal', occurred_at: 1, recorded_at: 1, recorded_by: 'test' };
      await session('ledger_transactions').insert({ id: GHOST, reference, ...reversal });
    },
  ],
  [REPEATED_HAS_ITS_LIKE, 'a line that repeats another amount', (session) => findRepeated(session, -1_190, 80_000)],
  [
    REPEATED_HAS_ITS_LIKE,
    'a matched line',
    async (session) => {
      await repeatUnderIban(session);
      await findRepeated(session, 115_500, 115_500);
      await session('bank_repeated_lines').update('stays_id', GHOST);
    },
  ],
  [
    'each confirm is of a known agent',
    'an agent who is gone',
    (session) => session('agents').where('agent_id', 'A1').delete(),
  ],
  [
    ERASED_AGENT,
    'a name that returned',
    async (session) => {
      await eraseA1(session);
      await session('agents').where('agent_id', 'A1').update({ full_name: 'Amel Trabelsi' });
    },
  ],
  [
    ERASED_AGENT,
    'an erasure without its audit record',
    async (session) => {
      await eraseA1(session);
      await session('audit_records').where('action', 'agent.erased').delete();
    },
  ],
  [
    'the original bytes of each bank file have their sha256',
    'a file whose bytes are gone',
    (session) => session('statement_file_chunks').delete(),
  ],
  [
    'the original bytes of each bank file have their sha256',
    "bytes that are not the bank's",
    (session) => session('statement_file_chunks').update('content', Buffer.from('x')),
  ],
  [
    MATCH_IS_POSTED,
    'a match of one millime more',
    (session) => session('payout_matches').increment('gross_millimes', 1),
  ],
  [
    MATCH_IS_POSTED,
    'a match without one of its items',
    (session) => session('payout_match_items').where('item_id', 'service:T1').delete(),
  ],
  [
    MATCH_IS_POSTED,
    'a match without its ledger transaction',
    (session) => session('payout_matches').update('ledger_transaction_id', GHOST),
  ],
  [
    MATCH_IS_POSTED,
    'a fee that came from nowhere',
    (session) => session('payout_matches').increment('fee_millimes', 1),
  ],
  [
    MATCHED_ITEM,
    'two items that exchanged a millime',
    async (session) => {
      await session('payout_match_items').where('item_id', 'service:T1').increment('amount_millimes', 1);
      await session('payout_match_items').where('item_id', 'service:T2').increment('amount_millimes', -1);
    },
  ],
  [
    MATCHED_ITEM,
    'an item that nobody confirmed',
    (session) => session('payout_match_items').where('item_id', 'service:T1').update('item_id', 'service:t1'),
  ],
  [
    MATCHED_ITEM,
    'an item of another channel',
    (session) => session('payout_match_items').where('item_id', 'service:T1').update('channel', 'card'),
  ],
  [HELD, 'a line that nothing holds', (session) => session('payout_claimed_lines').delete()],
  [
    HELD,
    'an item that nothing holds',
    (session) => session('payout_claimed_items').where('item_id', 'service:T1').delete(),
  ],
  [
    HELD,
    'an item that is held for nothing',
    (session) => session('payout_claimed_items').insert({ item_id: 'service:T3', match_id: GHOST }),
  ],
  [HELD, 'a match that was taken back and still holds its line', (session) => takeBack(session)],
  ['a payout is reversed when its match was taken back, and only then', 'a match taken back', takeBack],
  [
    'a payout is reversed when its match was taken back, and only then',
    'a reversal of a match that holds',
    async (session) => {
      const [match] = await session('payout_matches').select('ledger_transaction_id');
      await session('ledger_transactions')
        .where('reference', 'due:D1')
        .update('reverses_id', String(match?.['ledger_transaction_id']));
    },
  ],
  [
    'each ledger transaction of a payout has its match',
    'a match that is gone',
    (session) => session('payout_matches').delete(),
  ],
  [
    'what a payout cost as a whole is what its matches say beyond the fees of their items',
    'a fee of a payout that nobody posted',
    async (session) => {
      await session('payout_matches').update({ fee_millimes: 1, remainder_millimes: 1 });
    },
  ],
  [
    CLEARING,
    'a payout that was taken from another channel',
    (session) =>
      session('postings')
        .where({ debit_account: 'bank_unmatched', credit_account: 'gateway_clearing:agent' })
        .update('credit_account', 'gateway_clearing:card'),
  ],
  [
    'what is unmatched in the bank is the posted lines that no match explains',
    'a match that is gone',
    (session) => session('payout_matches').delete(),
  ],
  [
    'what is unmatched in the bank is the posted lines that no match explains',
    'a line that was booked as not ours',
    (session) => session('postings').where('debit_account', 'bank_unmatched').update('debit_account', 'bank_other'),
  ],
  ...GATEWAY_ITEM_DAMAGES,
  ...WRITE_OFF_DAMAGES,
  ...BREAK_DAMAGES,
];

describeOnEachDatabase('verifyBooks', (harness) => {
  let database: Database;
  let rooms: Rooms;

  beforeAll(async () => {
    const fresh = await harness.fresh();
    database = fresh.open();
    rooms = openRooms(database, '2026-03-02T09:00:00+01:00');
    await playScenario(rooms);
    await takeMoney(database, rooms.clock.now());
    await writeOff(database);
    await workOnBreaks(database);
    await removeGuards(database);
  });

  afterAll(() => database.close());

  test('finds no violation in a ledger that the rooms wrote', async () => {
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  test.each(DAMAGES)('reports that "%s" is violated by %s', async (invariant, _what, damage) => {
    const broken = await database.transact(
      async (session) => {
        if (session.dialect === 'mariadb') await session.raw('set foreign_key_checks = 0');
        else await session.raw('pragma defer_foreign_keys = on');
        await damage(session);
        const found = await brokenInvariants(session);
        if (session.dialect === 'mariadb') await session.raw('set foreign_key_checks = 1');
        return found;
      },
      { dryRun: true },
    );
    expect(broken.map(({ name }) => name)).toContain(invariant);
    expect(broken.every(({ rows }) => rows.length > 0)).toBe(true);
  });

  test('accepts a QR transaction that was posted as a customer payment when a break names it', async () => {
    const broken = await database.transact(
      async (session) => {
        await session('gateway_items').where('item_id', 'payment:P5').update('agent_id', null);
        const [code] = await session('payments').select('tracking_id').where('gateway_id', 'P5');
        const named = {
          fingerprint: `webhook_mismatch:${String(code?.['tracking_id'])}:agent:P5`,
          breakClass: 'webhook_mismatch',
          since: businessDate('2026-03-05'),
          amount: undefined,
          direction: 'may_have_moved',
          subject: { itemIds: ['payment:P5'], lineIds: [], facts: {} },
        } as const;
        await openBreakStore(session).openNew([named], 1, 'look');
        return brokenInvariants(session);
      },
      { dryRun: true },
    );
    expect(broken.map(({ name }) => name)).not.toContain(QR_AMOUNT);
    expect(broken.map(({ name }) => name)).toContain(ITEM_IS_POSTED);
  });

  test('has a test of failure for each invariant', () => {
    expect(new Set(DAMAGES.map(([invariant]) => invariant)).size).toBe(INVARIANT_COUNT);
  });
});

/** Erases an agent as the use case does. */
async function eraseA1(session: Session): Promise<void> {
  const directory = openAgentDirectory(session);
  const agent = (await directory.find(['A1'], 'update')).get('A1');
  if (agent === undefined) throw new Error('the scenario has the agent');
  await directory.erase(agent, 1, 'test');
  const record = { at: 1, actor: TESTER, action: 'agent.erased', subject: 'agent:A1', detail: { reason: 'asked' } };
  await openAuditTrail(session).record(record);
  expect(await brokenInvariants(session)).toEqual([]);
}

/** As if a match was taken back, and nothing else was done. */
async function takeBack(session: Session): Promise<void> {
  const [match] = await session('payout_matches').select('id');
  await session('payout_unmatches').insert({
    match_id: String(match?.['id']),
    kind: 'unmatched',
    reason: 'why',
    recorded_at: 1,
    recorded_by: 'test',
  });
}

/** Two agents, three dues of which one is cancelled, three confirms of which two are paid out, two statements. */
async function playScenario(rooms: Rooms): Promise<void> {
  await rooms.importAgents('A1', 'A2');
  await rooms.importDues(['D1', 'A1', 100_000], ['D2', 'A2', 50_000], ['D3', 'A2', 7_000]);
  await rooms.dues.cancel('D3', 'typed twice', BY_TEST);
  await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 60_000 }, '2026-03-02T10:00:00+01:00');
  await rooms.confirm({ transactionId: 'T2', agentId: 'A2', amount: 55_500 }, '2026-03-02T11:00:00+01:00');
  await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 1_000 }, '2026-03-03T10:00:00+01:00');
  await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 115_500]]);
  await rooms.importStatement([
    ['04/03/2026', 'COMMISSION', -1_190],
    ['04/03/2026', 'VERSEMENT', 80_000],
  ]);
  rooms.clock.set('2026-03-05T06:30:00+01:00');
  const result = await rooms.reconcile('2026-03-04');
  if (result.matchedMillimes !== 115_500) throw new Error('the scenario has one match');
}

/** Through the other channels: for customers, an agent and a split; a refund, and a fee that was corrected; test money. */
async function takeMoney(database: Database, at: Instant): Promise<void> {
  const first: PaidGiven = { id: 'P1', channel: 'card', amount: 10_000 };
  const charge: PaidGiven = { id: 'P4', channel: 'subscription', amount: 30_000 };
  const others: readonly PaidGiven[] = [
    { id: 'P2', channel: 'wallet', amount: 20_000, agentId: 'A1' },
    { id: 'P3', channel: 'card', amount: 9_000, ourShare: 2_000 },
    { id: 'P5', channel: 'qr', amount: 5_000, agentId: 'A1' },
    { id: 'P6', channel: 'mpayment', amount: 8_000, captured: 7_000 },
    { id: 'P7', channel: 'card', amount: 1_000, isTest: true },
  ];
  for (const given of [first, charge, ...others]) await receive(database, given, at);
  await giveBack(database, { id: 'R1', of: first, amount: 4_000 }, at);
  await reportFee(database, { of: charge, fee: 150, tva: 29 }, at);
  await reportFee(database, { of: charge, fee: 150, tva: 19 }, at);
}

/** Two people give up a part of what the gateway owes for an agent's payment. */
async function writeOff(database: Database): Promise<void> {
  const { workflow, open } = workflowBench(database);
  const subject = { itemIds: ['service:T3'], lineIds: [], facts: {} };
  const id = await open(aBreak('missing', { amount: millimes(1_000), subject }));
  const action = { kind: 'write_off', payload: { amountMillimes: 300 } };
  await workflow.propose({ about: { breakId: id }, action, reason: 'they say no', actor: LEILA });
  await workflow.approve({ id, actor: OMAR });
}

/** One break is assigned and talked about, and one was closed by a person's word. */
async function workOnBreaks(database: Database): Promise<void> {
  const { workflow, open } = workflowBench(database);
  const worked = await open(aBreak('worked', { amount: millimes(2_000) }));
  await workflow.assign({ id: worked, assignee: 'salma', actor: LEILA });
  await workflow.comment({ id: worked, text: 'they look for it', actor: OMAR });
  const settled = await open(aBreak('settled', { amount: undefined }));
  await workflow.resolve({ id: settled, reason: 'they found it', actor: LEILA });
}

/** What a person with the rights of an operator could do, and what only the check would notice then. */
async function removeGuards(database: Database): Promise<void> {
  const names = await database.read((session) =>
    session.raw(
      session.dialect === 'sqlite'
        ? "select name from sqlite_master where type = 'trigger'"
        : 'select trigger_name as name from information_schema.triggers where trigger_schema = database()',
    ),
  );
  for (const { name } of names) await database.pool.raw('drop trigger ??', [name as string]);
  const index = 'ledger_transactions_reference';
  const drop = database.dialect === 'sqlite' ? 'drop index ??' : 'drop index ?? on ledger_transactions';
  await database.pool.raw(drop, [index]);
}
