import { expect, test } from '@jest/globals';
import { RateCounter } from '../../../src/http';
import { fixedClock } from '../../support/fakes';

test('counts each key on its own', () => {
  const counter = new RateCounter(fixedClock(0));
  expect([counter.count('a').inWindow, counter.count('a').inWindow, counter.count('b').inWindow]).toEqual([1, 2, 1]);
  expect([counter.soFar('a'), counter.soFar('b'), counter.soFar('c')]).toEqual([2, 1, 0]);
});

test('restarts a minute after the first event of a key, not after the last', () => {
  const clock = fixedClock(0);
  const counter = new RateCounter(clock);
  counter.count('a');
  clock.set(59_999);
  expect(counter.count('a')).toEqual({ inWindow: 2, inLastWindow: 0, endsInMs: 1 });
  clock.set(60_000);
  expect(counter.soFar('a')).toBe(0);
  expect(counter.count('a')).toEqual({ inWindow: 1, inLastWindow: 2, endsInMs: 60_000 });
});

test('remembers only the minute just before', () => {
  const clock = fixedClock(0);
  const counter = new RateCounter(clock);
  counter.count('a');
  clock.set(120_000);
  expect(counter.count('a').inLastWindow).toBe(0);
});

test('forgets the key whose minute began first when there are too many', () => {
  const clock = fixedClock(0);
  const counter = new RateCounter(clock, 2);
  counter.count('a');
  counter.count('b');
  clock.set(60_000);
  counter.count('a'); // its second minute: now b is the oldest
  counter.count('c');
  expect([counter.soFar('a'), counter.soFar('c')]).toEqual([1, 1]);
  expect(counter.count('b').inLastWindow).toBe(0);
});

test('keeps no more than 10,000 keys', () => {
  const counter = new RateCounter(fixedClock(0));
  for (let key = 0; key <= 10_000; key += 1) counter.count(String(key));
  expect([counter.soFar('0'), counter.soFar('1'), counter.soFar('10000')]).toEqual([0, 1, 1]);
});
