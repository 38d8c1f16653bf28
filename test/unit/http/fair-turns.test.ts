import { expect, test } from '@jest/globals';
import { createFairTurns, type Stranger } from '../../../src/http/fair-turns';

// Goal: F30, strangers wait for each other and for nothing else. Method: the order in which requests start.

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function enterAll(callers: readonly [Stranger, string][]): string[] {
  const started: string[] = [];
  const takeTurn = createFairTurns();
  for (const [stranger, name] of callers) takeTurn(stranger, () => void started.push(name));
  return started;
}

test('starts one request without a token and four with one in a turn of the event loop', async () => {
  const started = enterAll([
    ['without_token', 'a1'],
    ['without_token', 'a2'],
    ...['t1', 't2', 't3', 't4', 't5'].map((name): [Stranger, string] => ['with_token', name]),
    ['without_token', 'a3'],
  ]);
  expect(started.splice(0)).toEqual(['a1', 't1', 't2', 't3', 't4']);
  await nextTurn();
  expect(started.splice(0)).toEqual(['t5', 'a2']);
  await nextTurn();
  expect(started).toEqual(['a3']);
});

test('starts a request immediately if none came before it in this turn', async () => {
  const started: string[] = [];
  const takeTurn = createFairTurns();
  for (const name of ['a', 'b', 'c']) {
    takeTurn('without_token', () => void started.push(name));
    expect(started).toContain(name);
    await nextTurn();
    await nextTurn();
  }
});

test('starts a request that another one brings along in a later turn', async () => {
  const started: string[] = [];
  const takeTurn = createFairTurns();
  const again = (left: number): void =>
    takeTurn('without_token', () => {
      started.push(`${left}`);
      if (left > 0) again(left - 1);
    });
  again(2);
  takeTurn('without_token', () => void started.push('other'));
  expect(started).toEqual(['2']);
  await nextTurn();
  expect(started).toEqual(['2', '1']);
  await nextTurn();
  expect(started).toEqual(['2', '1', 'other']);
});
