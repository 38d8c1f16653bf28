import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ConfirmCommand,
  type ConfirmFacts,
  type ConfirmOutcome,
  decide,
  type Decision,
  type EarlierRefusal,
  outcomeOf,
  refusalKey,
} from '../../../src/agent-settlement/testing';
import { millimes } from '../../../src/kernel';
import { aCommand, someFacts } from './commands';

const BIGGEST = 9_007_199_254_740_991;

const decideOne = (command: ConfirmCommand, facts: ConfirmFacts): Decision => {
  const [decision] = decide([command], facts);
  if (decision === undefined) throw new Error('one command has one decision');
  return decision;
};
const outcomesOf = (commands: readonly ConfirmCommand[], facts: ConfirmFacts): ConfirmOutcome[] =>
  decide(commands, facts).map(outcomeOf);

describe('precedence 3, 1, 2 (open point 88)', () => {
  interface State {
    readonly name: string;
    readonly command: Partial<ConfirmCommand>;
    readonly facts: Partial<ConfirmFacts>;
    /** What this alone makes of the call; undefined when there is nothing wrong with it. */
    readonly answer: ConfirmOutcome | undefined;
  }

  const transactions: State[] = [
    { name: 'a fresh id', command: {}, facts: {}, answer: undefined },
    {
      name: 'an unusable id',
      command: { transactionId: undefined },
      facts: {},
      answer: 'duplicate_transaction',
    },
    {
      name: 'an id that another attempt registered with the same call',
      command: { fingerprint: 'same' },
      facts: { registered: new Map([['T1', { fingerprint: 'same', attemptId: 'another' }]]) },
      answer: 'duplicate_transaction',
    },
    {
      name: 'an id that is registered with another call',
      command: {},
      facts: { registered: new Map([['T1', { fingerprint: 'of another call', attemptId: 'another' }]]) },
      answer: 'duplicate_transaction',
    },
    {
      name: 'an id that this very attempt registered',
      command: {},
      facts: { registered: new Map([['T1', { fingerprint: 'any', attemptId: 'attempt-1' }]]) },
      answer: 'stored',
    },
  ];
  const agents: State[] = [
    { name: 'an open agent', command: { agentId: 'A1' }, facts: {}, answer: undefined },
    { name: 'no usable agent id', command: { agentId: undefined }, facts: {}, answer: 'unknown_agent' },
    { name: 'an unknown agent id', command: { agentId: 'unknown' }, facts: {}, answer: 'unknown_agent' },
    { name: 'a closed agent', command: { agentId: 'closed' }, facts: {}, answer: 'unknown_agent' },
  ];
  const amounts: State[] = [
    { name: 'a good amount', command: { amount: millimes(1) }, facts: {}, answer: undefined },
    { name: 'no usable amount', command: { amount: undefined }, facts: {}, answer: 'invalid_amount' },
    {
      name: 'an amount above the cap',
      command: { amount: millimes(501) },
      facts: { amountMax: 500 },
      answer: 'invalid_amount',
    },
    {
      name: 'an amount that the balance cannot hold',
      command: { amount: millimes(BIGGEST) },
      facts: {
        balances: new Map([
          ['A1', millimes(-1)],
          ['closed', millimes(-1)],
        ]),
      },
      answer: 'invalid_amount',
    },
  ];
  const combinations = transactions.flatMap((transaction) =>
    agents.flatMap((agent) => amounts.map((amount) => [transaction, agent, amount] as const)),
  );

  test.each(combinations.map((states) => [states.map(({ name }) => name).join(', '), states] as const))(
    '%s',
    (_name, states) => {
      const [transaction, agent, amount] = states;
      const command = aCommand(Object.assign({}, ...states.map((state) => state.command)));
      const facts = someFacts(Object.assign({}, ...states.map((state) => state.facts)));
      expect(outcomesOf([command], facts)).toEqual([transaction.answer ?? agent.answer ?? amount.answer ?? 'stored']);
    },
  );
});

describe('a registered transactionId', () => {
  const registered = new Map([['T1', { fingerprint: 'first call', attemptId: 'first' }]]);

  test('of the same attempt is stored: its COMMIT succeeded', () => {
    const command = aCommand({ attemptId: 'first', fingerprint: 'first call' });
    expect(decideOne(command, someFacts({ registered }))).toEqual({ kind: 'stored_already', command });
  });

  test('is refused as identical for the same call and as conflicting otherwise', () => {
    expect(decideOne(aCommand({ fingerprint: 'first call' }), someFacts({ registered }))).toMatchObject({
      kind: 'refuse',
      reason: 'identical',
    });
    expect(decideOne(aCommand({ fingerprint: 'another call' }), someFacts({ registered }))).toMatchObject({
      kind: 'refuse',
      reason: 'conflicting',
    });
  });

  test('is refused if registered earlier in the same batch', () => {
    const decisions = decide(
      [
        aCommand({ attemptId: 'one' }),
        aCommand({ attemptId: 'two' }),
        aCommand({ attemptId: 'three', agentId: 'A2' }),
        aCommand({ attemptId: 'four', amount: millimes(999) }),
      ],
      someFacts(),
    );
    expect(decisions.map((decision) => (decision.kind === 'refuse' ? decision.reason : decision.kind))).toEqual([
      'store',
      'identical',
      'conflicting',
      'conflicting',
    ]);
  });

  test('is not registered by a refused call of the same batch', () => {
    expect(
      outcomesOf(
        [
          aCommand({ attemptId: 'one', agentId: 'unknown' }),
          aCommand({ attemptId: 'two', amount: undefined }),
          aCommand(),
        ],
        someFacts(),
      ),
    ).toEqual(['unknown_agent', 'invalid_amount', 'stored']);
  });
});

describe('S26: a caller whose refusals are no longer admitted', () => {
  const registered = new Map([['T1', { fingerprint: 'first call', attemptId: 'first' }]]);
  const conflict = { kind: 'conflicting', fingerprint: 'another call' } as const;
  const conflicts = new Map([['id:T1', [conflict]]]);
  const limitedOne = (command: ConfirmCommand, facts: ConfirmFacts): ConfirmOutcome[] =>
    decide([command], facts, () => false).map(outcomeOf);

  test.each<[string, Partial<ConfirmCommand>, Partial<ConfirmFacts>]>([
    ['an unknown agent', { agentId: 'unknown' }, {}],
    ['a closed agent', { agentId: 'closed' }, {}],
    ['an invalid amount of a known agent', { amount: undefined }, {}],
    ['an amount above the cap', { amount: millimes(501) }, { amountMax: 500 }],
    [
      'an amount that the balance cannot hold',
      { amount: millimes(BIGGEST) },
      { balances: new Map([['A1', millimes(-1)]]) },
    ],
    ['an unusable transactionId', { transactionId: undefined }, {}],
    ['a second different conflict of one transaction', {}, { registered, refusals: conflicts }],
  ])('gets no answer to %s', (_what, command, facts) => {
    expect(decideOne(aCommand(command), someFacts(facts)).kind).toBe('refuse');
    expect(limitedOne(aCommand(command), someFacts(facts))).toEqual(['limited']);
  });

  test.each<[string, Partial<ConfirmCommand>, Partial<ConfirmFacts>, ConfirmOutcome]>([
    ['a good confirm', {}, {}, 'stored'],
    ['a confirm that its COMMIT stored', { attemptId: 'first' }, { registered }, 'stored'],
    ['a resend of a stored one', { fingerprint: 'first call' }, { registered }, 'duplicate_transaction'],
    ['the first conflict of a transaction', {}, { registered }, 'duplicate_transaction'],
    [
      'a conflict that is recorded already',
      { fingerprint: conflict.fingerprint },
      { registered, refusals: conflicts },
      'duplicate_transaction',
    ],
  ])('gets its answer to %s, which does not count', (_what, command, facts, outcome) => {
    expect(limitedOne(aCommand(command), someFacts(facts))).toEqual([outcome]);
  });

  test('leaves no refusal behind for the later calls of a batch', () => {
    const leave = [false, true];
    const said = { agentId: 'unknown' };
    const decisions = decide([aCommand(said), aCommand({ ...said, attemptId: 'two' })], someFacts(), () =>
      Boolean(leave.shift()),
    );
    expect(decisions).toMatchObject([{ kind: 'limit' }, { kind: 'refuse', before: undefined }]);
  });
});

describe('earlier refusals', () => {
  const refusal = (kind: EarlierRefusal['kind'], fingerprint: string): EarlierRefusal => ({
    kind,
    fingerprint,
  });

  test('with the same content and reason are attached to a refusal', () => {
    const command = aCommand({ agentId: 'unknown' });
    const same = refusal('unknown_agent', command.fingerprint);
    const refusals = new Map([
      ['id:T1', [refusal('unknown_agent', 'another call'), refusal('invalid_amount', command.fingerprint), same]],
    ]);
    expect(decideOne(command, someFacts({ refusals }))).toEqual({
      kind: 'refuse',
      command,
      reason: 'unknown_agent',
      before: same,
    });
  });

  test('with another reason or content are not attached to a refusal', () => {
    const command = aCommand({ agentId: 'unknown' });
    const refusals = new Map([
      ['id:T1', [refusal('unknown_agent', 'another call'), refusal('invalid_amount', command.fingerprint)]],
    ]);
    expect(decideOne(command, someFacts({ refusals }))).toMatchObject({ kind: 'refuse', before: undefined });
  });

  test('of a call without a valid transactionId are found by its content', () => {
    const command = aCommand({ transactionId: undefined });
    const same = refusal('unusable_transaction', command.fingerprint);
    const refusals = new Map([[`call:${command.fingerprint}`, [same]]]);
    expect(decideOne(command, someFacts({ refusals }))).toMatchObject({ kind: 'refuse', before: same });
  });

  test('with 1 or 2 for an id that is now stored are attached to its decision', () => {
    const unknown = refusal('unknown_agent', 'one call');
    const invalid = refusal('invalid_amount', 'another call');
    const refusals = new Map([
      ['id:T1', [unknown, refusal('identical', 'x'), invalid, refusal('conflicting', 'y')]],
      ['id:T2', [refusal('unknown_agent', 'of another id')]],
    ]);
    expect(decideOne(aCommand(), someFacts({ refusals }))).toMatchObject({
      kind: 'store',
      refusedBefore: [unknown, invalid],
    });
  });

  test('are stored under the id, so that an id cannot pass for a fingerprint', () => {
    expect(refusalKey({ transactionId: 'abc', fingerprint: 'f' })).toBe('id:abc');
    expect(refusalKey({ transactionId: undefined, fingerprint: 'abc' })).toBe('call:abc');
  });
});

describe('the amount', () => {
  test.each([
    ['a part of the due', 1_000, 400],
    ['the whole due', 1_000, 1_000],
    ['more than the due', 1_000, 1_700],
    ['something although nothing is due', 0, 5],
    ['something although the agent is in credit', -20, 5],
  ])('may be %s', (_what, balance, amount) => {
    const facts = someFacts({ balances: new Map([['A1', millimes(balance)]]) });
    expect(decideOne(aCommand({ amount: millimes(amount) }), facts)).toMatchObject({
      kind: 'store',
      amount,
      balanceBefore: balance,
    });
  });

  test('may be the cap and not one millime more', () => {
    const facts = someFacts({ amountMax: 500 });
    expect(outcomesOf([aCommand({ amount: millimes(500) })], facts)).toEqual(['stored']);
    expect(outcomesOf([aCommand({ amount: millimes(501) })], facts)).toEqual(['invalid_amount']);
  });

  test('may raise the credit to the largest safe integer, and not one millime more', () => {
    const confirms = ['T1', 'T2', 'T3'].map((transactionId, index) =>
      aCommand({ transactionId, attemptId: transactionId, amount: millimes([BIGGEST - 1, 1, 1][index] ?? 0) }),
    );
    expect(outcomesOf(confirms, someFacts())).toEqual(['stored', 'stored', 'invalid_amount']);
  });

  test('changes the balance for the next confirm of this agent in the batch', () => {
    const decisions = decide(
      [
        aCommand({ transactionId: 'T1', amount: millimes(300) }),
        aCommand({ transactionId: 'T2', amount: millimes(50), agentId: 'A2' }),
        aCommand({ transactionId: 'T3', amount: millimes(900) }),
        aCommand({ transactionId: 'T4', amount: millimes(1) }),
      ],
      someFacts({ balances: new Map([['A1', millimes(1_000)]]) }),
    );
    expect(decisions.map((decision) => decision.kind === 'store' && decision.balanceBefore)).toEqual([
      1_000, 0, 700, -200,
    ]);
  });
});

describe('a batch', () => {
  // Few ids, agents and amounts, so that random batches are full of resends, conflicts and refusals.
  const command = fc
    .record({
      transactionId: fc.constantFrom('T1', 'T2', 'T3', undefined),
      agentId: fc.constantFrom('A1', 'A2', 'closed', 'unknown', undefined),
      amount: fc.constantFrom(1, 2, 400, BIGGEST - 400, BIGGEST, undefined),
    })
    .map(({ amount, ...ids }) => ({ ...ids, amount: amount === undefined ? undefined : millimes(amount) }));
  const batch = fc
    .array(command, { maxLength: 12 })
    .map((triples) => triples.map((triple, index) => aCommand({ ...triple, attemptId: `attempt-${index}` })));
  const startingFacts = fc
    .record({
      balance: fc.constantFrom(-BIGGEST, -400, 0, 1_000, BIGGEST),
      amountMax: fc.constantFrom(undefined, 1, 400),
    })
    .map(({ balance, amountMax }) => someFacts({ amountMax, balances: new Map([['A1', millimes(balance)]]) }));

  /** What the book knows after a decision was written. */
  function after(facts: ConfirmFacts, decision: Decision): ConfirmFacts {
    const { command: decided } = decision;
    if (decision.kind === 'refuse') {
      const key = refusalKey(decided);
      const { fingerprint } = decided;
      const same = (each: EarlierRefusal): boolean => each.kind === decision.reason && each.fingerprint === fingerprint;
      const noted = { kind: decision.reason, fingerprint };
      const before = (facts.refusals.get(key) ?? []).filter((each) => !same(each));
      return { ...facts, refusals: new Map(facts.refusals).set(key, [...before, noted]) };
    }
    if (decision.kind !== 'store') return facts;
    const { transactionId, agentId, amount, balanceBefore } = decision;
    const { fingerprint, attemptId } = decided;
    return {
      ...facts,
      registered: new Map(facts.registered).set(transactionId, { fingerprint, attemptId }),
      balances: new Map(facts.balances).set(agentId, millimes(balanceBefore - amount)),
    };
  }

  function oneByOne(commands: readonly ConfirmCommand[], start: ConfirmFacts): Decision[] {
    let facts = start;
    return commands.map((each) => {
      const decision = decideOne(each, facts);
      facts = after(facts, decision);
      return decision;
    });
  }

  test('of n is decided like n batches of one', () => {
    fc.assert(
      fc.property(batch, startingFacts, (commands, facts) => {
        expect(decide(commands, facts)).toEqual(oneByOne(commands, facts));
      }),
    );
  });

  test('stores each transactionId at most once and keeps balances safe integers', () => {
    fc.assert(
      fc.property(batch, startingFacts, (commands, facts) => {
        const stored = decide(commands, facts).filter((decision) => decision.kind === 'store');
        expect(new Set(stored.map(({ transactionId }) => transactionId)).size).toBe(stored.length);
        for (const { balanceBefore, amount } of stored) {
          expect(Number.isSafeInteger(balanceBefore - amount)).toBe(true);
        }
      }),
    );
  });

  test('does not change its input', () => {
    const facts = someFacts({ balances: new Map([['A1', millimes(10)]]) });
    decide([aCommand(), aCommand({ attemptId: 'two', agentId: 'unknown' })], facts);
    expect(facts).toEqual(someFacts({ balances: new Map([['A1', millimes(10)]]) }));
  });
});
