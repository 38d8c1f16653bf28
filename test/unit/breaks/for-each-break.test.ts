import { expect, test } from '@jest/globals';
import { forEachBreak } from '../../../src/breaks';
import { AppError } from '../../../src/kernel';
import { aFault } from '../../support/a-fault';

test('gives each break its own result: a refusal for one does not affect the others', async () => {
  const results = await forEachBreak(['a', 'b', 'c', 'd', 'a'], (id) => {
    if (id === 'b') return Promise.reject(aFault('conflict', 'is resolved'));
    if (id === 'c') return Promise.reject(new AppError('not_found', { thing: 'break', id: 'c' }));
    return Promise.resolve(id === 'a' ? 'done' : 'unchanged');
  });
  expect(results).toEqual([
    { id: 'a', outcome: 'done' },
    { id: 'b', outcome: 'refused', error: expect.objectContaining({ code: 'conflict', message: 'is resolved' }) },
    { id: 'c', outcome: 'refused', error: expect.objectContaining({ code: 'not_found' }) },
    { id: 'd', outcome: 'unchanged' },
  ]);
});

test.each(['forbidden', 'bad_input', 'unavailable', 'outcome_unknown', 'internal'] as const)(
  'stops at a fault %s, which would be the same for every later break',
  async (code) => {
    const seen: string[] = [];
    const work = forEachBreak(['a', 'b'], (id) => {
      seen.push(id);
      return Promise.reject(aFault(code, 'no'));
    });
    await expect(work).rejects.toMatchObject({ code });
    expect(seen).toEqual(['a']);
  },
);

test('refuses no break and more than ten thousand as bad input', async () => {
  const done = (): Promise<'done'> => Promise.resolve('done');
  await expect(forEachBreak([], done)).rejects.toMatchObject({ code: 'bad_input' });
  const many = Array.from({ length: 10_001 }, (_, index) => `b${index}`);
  await expect(forEachBreak(many, done)).rejects.toMatchObject({ code: 'bad_input' });
  expect(await forEachBreak(many.slice(1), done)).toHaveLength(10_000);
});
