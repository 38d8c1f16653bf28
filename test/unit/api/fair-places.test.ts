import { expect, test } from '@jest/globals';
import { ApiRefusal } from '../../../src/api/operation/problem';
import { fairPlaces } from '../../../src/api/requests/fair-places';

// Goal: two owners have a place each, those that wait take turns, and none can fill the queue.

/** Places, and the owners that got one, in order. */
function places() {
  const { enter, leave, close } = fairPlaces();
  const begun: string[] = [];
  const ask = (owner: string, name = owner, left = new AbortController().signal): Promise<string> =>
    enter(owner, left).then(
      () => `${begun.push(name)}`,
      (error: unknown) => (error as ApiRefusal).code,
    );
  const leaveAs = async (owner: string): Promise<void> => {
    leave(owner);
    await settled();
  };
  return { begun, ask, leave: leaveAs, close };
}

/** Lets what may begin begin. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an owner has one place, and leaves the other one to another owner', async () => {
  const { begun, ask, leave } = places();
  await ask('a', 'a1');
  void ask('a', 'a2');
  await ask('b');
  expect(begun).toEqual(['a1', 'b']);
  await leave('b');
  expect(begun).toEqual(['a1', 'b']);
  await leave('a');
  expect(begun).toEqual(['a1', 'b', 'a2']);
});

test('owners that wait take turns', async () => {
  const { begun, ask, leave } = places();
  await ask('a', 'a1');
  await ask('b', 'b1');
  for (const name of ['a2', 'a3', 'c1', 'd1', 'c2', 'b2']) void ask(name.slice(0, 1), name);
  for (const owner of ['a', 'c', 'b', 'd', 'a', 'c']) await leave(owner);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'c2', 'b2', 'a3']);
});

test('a third operation of an owner that would wait is busy', async () => {
  const { ask } = places();
  await ask('a');
  void ask('a');
  void ask('a');
  expect(await ask('a')).toBe('busy');
  expect(await ask('b')).toBe('2');
});

test('the ninth operation that would wait is busy', async () => {
  const { ask } = places();
  await ask('a');
  await ask('b');
  for (const owner of ['c', 'd', 'e', 'f']) for (const _ of [1, 2]) void ask(owner);
  expect(await ask('g')).toBe('busy');
});

test('an owner that leaves frees its place in the queue', async () => {
  const { begun, ask, leave } = places();
  await ask('a', 'a1');
  const left = new AbortController();
  const abandoned = ask('a', 'a2', left.signal);
  void ask('a', 'a3');
  left.abort();
  expect(await abandoned).toBe('unavailable');
  void ask('a', 'a4');
  expect(await ask('a', 'a5', left.signal)).toBe('unavailable');
  await leave('a');
  await leave('a');
  expect(begun).toEqual(['a1', 'a3', 'a4']);
});

test('a closing refuses those that wait and those that would, and a free place stays free for others', async () => {
  const { begun, ask, leave, close } = places();
  await ask('a', 'a1');
  const waiting = ask('a', 'a2');
  close(new ApiRefusal('draining', 'the process stops'));
  expect(await waiting).toBe('draining');
  expect(await ask('a', 'a3')).toBe('draining');
  await ask('b');
  await leave('a');
  expect(begun).toEqual(['a1', 'b']);
});
