import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Batches, type BatchOptions, POSTPONED } from '../../../src/agent-settlement/testing';
import { AppError } from '../../../src/kernel';
import { fixedClock } from '../../support/fakes';

// Goal: calls are grouped without delaying, losing or mixing any. Method: batches that end when the test says so.

interface Item {
  readonly name: string;
  readonly key?: string;
}

interface Running {
  readonly names: readonly string[];
  readonly deadlineAt: number;
  /** Answers all items, except for those that are postponed. */
  end(...postponed: readonly string[]): Promise<void>;
  fail(error: Error): Promise<void>;
}

function aQueue(options: Partial<BatchOptions<Item, string>> = {}) {
  const clock = fixedClock(0);
  const running: Running[] = [];
  const queue = new Batches<Item, string>({
    itemsMax: 100,
    waitingMax: 100,
    deadlineMs: 5_000,
    lanes: 1,
    lanesMax: 1,
    monotonic: clock,
    keyOf: ({ key }) => key,
    run: (items, deadlineAt) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ name }) => name);
        running.push({
          names,
          deadlineAt,
          end: async (...postponed) => {
            resolve(names.map((name) => (postponed.includes(name) ? POSTPONED : `${name} done`)));
            await settle();
          },
          fail: async (error) => (reject(error), settle()),
        });
      }),
    ...options,
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  const answers = new Map<string, string>();
  return {
    clock,
    running,
    answers,
    batches: () => running.map(({ names }) => names.join(' ')),
    async arrive(...items: readonly (string | Item)[]): Promise<void> {
      for (const item of items.map((each) => (typeof each === 'string' ? { name: each } : each))) {
        queue.add(item).then(
          (answer) => answers.set(item.name, answer),
          (error: unknown) => answers.set(item.name, error instanceof AppError ? error.code : String(error)),
        );
      }
      await settle();
    },
  };
}

describe('A queue of batches', () => {
  test('starts a single item at once', async () => {
    const { arrive, running, batches, answers } = aQueue();
    await arrive('a');
    expect(batches()).toEqual(['a']);
    await running[0]?.end();
    expect([...answers]).toEqual([['a', 'a done']]);
  });

  test('puts what arrives while a batch runs into the next one, in order', async () => {
    const { arrive, running, batches, answers } = aQueue();
    await arrive('a');
    await arrive('b', 'c');
    await arrive('d');
    expect(batches()).toEqual(['a']);
    await running[0]?.end();
    expect(batches()).toEqual(['a', 'b c d']);
    await running[1]?.end();
    expect(Object.fromEntries(answers)).toEqual({ a: 'a done', b: 'b done', c: 'c done', d: 'd done' });
  });

  test('limits the items of a batch, and takes those that have waited longest', async () => {
    const { arrive, running, batches } = aQueue({ itemsMax: 2 });
    await arrive('a', 'b', 'c', 'd', 'e');
    await running[0]?.end();
    await running[1]?.end();
    expect(batches()).toEqual(['a b', 'c d', 'e']);
  });

  test('F16: refuses an item when the queue is full, and runs it never', async () => {
    const { arrive, running, batches, answers } = aQueue({ waitingMax: 2 });
    await arrive('a');
    await arrive('b', 'c', 'd');
    expect(Object.fromEntries(answers)).toEqual({ d: 'unavailable' });
    await running[0]?.end();
    expect(batches()).toEqual(['a', 'b c']);
  });

  test('refuses an item whose deadline passed while it waited, and runs it never', async () => {
    const { arrive, clock, running, batches, answers } = aQueue();
    await arrive('a');
    await arrive('b');
    clock.advance(4_000);
    await arrive('c');
    clock.advance(1_000);
    await running[0]?.end();
    expect(batches()).toEqual(['a', 'c']);
    expect(answers.get('b')).toBe('unavailable');
  });

  test('gives a batch the deadline of the item that has waited longest', async () => {
    const { arrive, clock, running } = aQueue();
    await arrive('a');
    clock.advance(10);
    await arrive('b');
    clock.advance(10);
    await arrive('c');
    await running[0]?.end();
    expect(running.map(({ deadlineAt }) => deadlineAt)).toEqual([5_000, 5_010]);
  });

  test('never runs two items of one key concurrently, and keeps their order', async () => {
    const { arrive, running, batches } = aQueue({ lanes: 2, lanesMax: 2 });
    await arrive({ name: 'a1', key: 'A' });
    await arrive({ name: 'a2', key: 'A' }, { name: 'b1', key: 'B' }, { name: 'a3', key: 'A' });
    expect(batches()).toEqual(['a1', 'b1']);
    await running[1]?.end();
    expect(batches()).toEqual(['a1', 'b1']);
    await running[0]?.end();
    expect(batches()).toEqual(['a1', 'b1', 'a2 a3']);
  });

  test('does not wait for a batch that stalls, but opens a limited number of lanes', async () => {
    const { arrive, clock, batches } = aQueue({ lanes: 1, lanesMax: 2 });
    await arrive('a');
    await arrive('b');
    expect(batches()).toEqual(['a']);
    clock.advance(100);
    await arrive('c');
    expect(batches()).toEqual(['a', 'b c']);
    clock.advance(100);
    await arrive('d');
    expect(batches()).toEqual(['a', 'b c']);
  });
});

describe('An item that its batch postpones', () => {
  // Otherwise its wait could end before the next items arrive.
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  test('waits with its key for a later batch, and delays no other item', async () => {
    const { arrive, answers, batches, running } = aQueue();
    await arrive({ name: 'a1', key: 'a' }, { name: 'b1', key: 'b' });
    await running[0]?.end('a1');
    expect([...answers]).toEqual([['b1', 'b1 done']]);
    await arrive({ name: 'b2', key: 'b' }, { name: 'a2', key: 'a' });
    expect(batches()).toEqual(['a1 b1', 'b2']);
    await running[1]?.end();
    expect(batches()).toEqual(['a1 b1', 'b2']);
    jest.runAllTimers();
    await until(() => batches().length === 3);
    expect(batches()[2]).toBe('a1 a2');
    await running[2]?.end();
    expect([answers.get('a1'), answers.get('a2')]).toEqual(['a1 done', 'a2 done']);
  });

  test('is refused half a second before its deadline, which would bound that of its batch', async () => {
    const { arrive, answers, clock, batches, running } = aQueue({ deadlineMs: 5_000 });
    await arrive({ name: 'a1', key: 'a' });
    clock.advance(4_500);
    await running[0]?.end('a1');
    jest.runAllTimers();
    await until(() => answers.has('a1'));
    expect([answers.get('a1'), batches()]).toEqual(['unavailable', ['a1']]);
  });
});

/** Waits for the turns of the event loop in which the queue works. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

describe('A batch that fails', () => {
  const mayHalve = (error: unknown): boolean => error instanceof TypeError;

  test('by an error of one item runs again in halves, so that only this item fails', async () => {
    const ran: string[] = [];
    const { arrive, answers } = aQueue({
      mayHalve,
      run: async (items) => {
        const names = items.map(({ name }) => name);
        ran.push(names.join(''));
        if (names.includes('d')) throw new TypeError('bad d');
        return names.map((name) => `${name} done`);
      },
    });
    await arrive('a', 'b', 'c', 'd', 'e');
    expect(ran).toEqual(['abcde', 'abc', 'de', 'd', 'e']);
    expect(Object.fromEntries(answers)).toEqual({
      ...{ a: 'a done', b: 'b done', c: 'c done', e: 'e done' },
      d: 'TypeError: bad d',
    });
  });

  test('by any other error fails as a whole, and runs once', async () => {
    const { arrive, running, batches, answers } = aQueue({ mayHalve });
    await arrive('a', 'b');
    await running[0]?.fail(new AppError('outcome_unknown', 'a COMMIT was sent and not answered'));
    expect(batches()).toEqual(['a b']);
    expect(Object.fromEntries(answers)).toEqual({ a: 'outcome_unknown', b: 'outcome_unknown' });
  });

  test('frees its lane and its keys', async () => {
    const { arrive, running, batches } = aQueue({ mayHalve });
    await arrive({ name: 'a', key: 'A' });
    await arrive({ name: 'b', key: 'A' });
    await running[0]?.fail(new Error('broken'));
    expect(batches()).toEqual(['a', 'b']);
  });
});
