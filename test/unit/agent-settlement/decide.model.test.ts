// Goal: a batch is answered like its commands one by one, by precedence 3, 1, 2, whatever their content.
// Method: random batches and facts with frequent id collisions, against a model of one expression. FAULT_LENGTH sets
// their number.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ConfirmCommand,
  type ConfirmFacts,
  type ConfirmOutcome,
  decide,
  decodeConfirm,
  outcomeOf,
} from '../../../src/agent-settlement/testing';
import { compareBytes, millimes } from '../../../src/kernel';
import { FAULT_LENGTH } from '../../support/faults';
import { aClosedAgent, anOpenAgent, someFacts } from './commands';

const RUNS = 1_000 * FAULT_LENGTH;
const BIGGEST = Number.MAX_SAFE_INTEGER;

/** What the gateway says, bad values included, and which attempt it is. */
interface Said {
  readonly attemptId: string;
  readonly transactionId: unknown;
  readonly agentId: unknown;
  readonly amount: unknown;
}

const anAmount = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.constantFrom(499, 500, 501, BIGGEST - 1, BIGGEST),
  fc.constantFrom(0, -1, 1.5, BIGGEST + 1, Number.NaN, Infinity, '1', null, undefined, true, [1], {}),
);

const aCall: fc.Arbitrary<Said> = fc.record({
  attemptId: fc.constantFrom('a1', 'a2', 'a3', 'a4'),
  transactionId: fc.constantFrom('T1', 'T2', 't1', '', 7, null, undefined),
  agentId: fc.constantFrom('A1', 'A2', 'a1', 'closed', 'unknown', '', 0, undefined),
  amount: anAmount,
});

const someRegistered = fc.dictionary(
  fc.constantFrom('T1', 'T2'),
  fc.record({ fingerprint: fc.constant('of another call'), attemptId: fc.constantFrom('a1', 'another') }),
  { noNullPrototype: true },
);

const someBalances = fc.dictionary(
  fc.constantFrom('A1', 'A2'),
  fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-BIGGEST, -BIGGEST + 1, BIGGEST)).map(millimes),
  { noNullPrototype: true },
);

const facts: fc.Arbitrary<ConfirmFacts> = fc
  .record({
    registered: someRegistered,
    balances: someBalances,
    closed: fc.boolean(),
    amountMax: fc.constantFrom(undefined, 1, 500, BIGGEST),
  })
  .map(({ registered, balances, closed, amountMax }) =>
    someFacts({
      registered: new Map(Object.entries(registered)),
      balances: new Map(Object.entries(balances)),
      agents: new Map([
        ['A1', anOpenAgent('A1')],
        ['A2', closed ? aClosedAgent('A2') : anOpenAgent('A2')],
        ['closed', aClosedAgent('closed')],
      ]),
      amountMax,
    }),
  );

/** The book as the model sees it: who registered an id, and what each open agent owes. */
interface Book {
  readonly holders: Map<unknown, string>;
  readonly owed: Map<unknown, bigint>;
  readonly amountMax: number;
}

function bookOf({ registered, balances, agents, amountMax }: ConfirmFacts): Book {
  const open = [...agents.values()].filter(({ status }) => status === 'open').map(({ agentId }) => agentId);
  return {
    holders: new Map([...registered].map(([id, { attemptId }]) => [id, attemptId])),
    owed: new Map(open.map((agentId) => [agentId, BigInt(balances.get(agentId) ?? 0)])),
    amountMax: amountMax ?? BIGGEST,
  };
}

/** 3, 1, 2; one's own attempt is no resend. */
const modelOutcome = ({ attemptId, transactionId, agentId, amount }: Said, book: Book): ConfirmOutcome =>
  typeof transactionId !== 'string' ||
  transactionId === '' ||
  (book.holders.get(transactionId) ?? attemptId) !== attemptId
    ? 'duplicate_transaction'
    : book.holders.has(transactionId)
      ? 'stored'
      : !book.owed.has(agentId)
        ? 'unknown_agent'
        : Number.isSafeInteger(amount) &&
            Number(amount) > 0 &&
            Number(amount) <= book.amountMax &&
            isCountable(book, agentId, Number(amount))
          ? 'stored'
          : 'invalid_amount';

function isCountable({ owed }: Book, agentId: unknown, amount: number): boolean {
  return (owed.get(agentId) ?? 0n) - BigInt(amount) >= -BigInt(BIGGEST);
}

/** The outcomes of one after the other; `book` is then what the batch made of it. */
function modelOutcomes(calls: readonly Said[], book: Book): ConfirmOutcome[] {
  return calls.map((said) => {
    const outcome = modelOutcome(said, book);
    if (outcome === 'stored' && !book.holders.has(said.transactionId)) {
      book.holders.set(said.transactionId, said.attemptId);
      book.owed.set(said.agentId, (book.owed.get(said.agentId) ?? 0n) - BigInt(Number(said.amount)));
    }
    return outcome;
  });
}

function commandOf({ attemptId, ...said }: Said): ConfirmCommand {
  const context = { attemptId, rawBody: '{}', receivedAt: 0, caller: { subject: 'gateway', jti: 'jti-1' } };
  const command = decodeConfirm(said, context);
  if (command === undefined) throw new Error('a call is an object');
  return { ...command, followedUnavailable: false };
}

describe('a batch of confirms', () => {
  test('gets the model’s answers, command by command', () => {
    fc.assert(
      fc.property(fc.array(aCall, { maxLength: 12 }), facts, (calls, known) => {
        const decisions = decide(calls.map(commandOf), known);
        expect(decisions.map(outcomeOf)).toEqual(modelOutcomes(calls, bookOf(known)));
      }),
      { numRuns: RUNS },
    );
  });

  test('stores what the model stores, with the agent’s balance just before', () => {
    fc.assert(
      fc.property(fc.array(aCall, { maxLength: 12 }), facts, (calls, known) => {
        const owed = new Map(bookOf(known).owed);
        const ids = new Set(known.registered.keys());
        for (const decision of decide(calls.map(commandOf), known)) {
          if (decision.kind !== 'store') continue;
          const { transactionId, agentId, amount, balanceBefore } = decision;
          expect([ids.has(transactionId), BigInt(balanceBefore)]).toEqual([false, owed.get(agentId)]);
          ids.add(transactionId);
          owed.set(agentId, BigInt(balanceBefore) - BigInt(amount));
        }
        const book = bookOf(known);
        modelOutcomes(calls, book);
        expect([[...ids].sort(compareBytes), owed]).toEqual([
          [...book.holders.keys()].map(String).sort(compareBytes),
          book.owed,
        ]);
      }),
      { numRuns: RUNS },
    );
  });

  test('gets the same answers in one batch and in two that follow each other', () => {
    fc.assert(
      fc.property(fc.array(aCall, { maxLength: 8 }), facts, fc.nat(8), (calls, known, cut) => {
        const whole = decide(calls.map(commandOf), known);
        const first = decide(calls.slice(0, cut).map(commandOf), known);
        const registered = new Map(known.registered);
        const balances = new Map(known.balances);
        for (const decision of first) {
          if (decision.kind !== 'store') continue;
          registered.set(decision.transactionId, decision.command);
          balances.set(decision.agentId, millimes(decision.balanceBefore - decision.amount));
        }
        const second = decide(calls.slice(cut).map(commandOf), { ...known, registered, balances });
        expect([...first, ...second].map(outcomeOf)).toEqual(whole.map(outcomeOf));
      }),
      { numRuns: RUNS },
    );
  });
});
