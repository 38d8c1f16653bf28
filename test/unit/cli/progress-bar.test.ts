import { expect, test } from '@jest/globals';
import { createProgressBar } from '../../../src/cli/progress-bar';

/** A terminal that remembers what was written to it. */
function aStream(isTTY: boolean): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { stream, written };
}

test('a bar grows with the bytes, on one line', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('importing', 10_000_000, stream);
  bar.update(0);
  bar.update(5_000_000);
  bar.update(10_000_000);
  expect(written.map((text) => text.trim())).toEqual([
    `importing [${'.'.repeat(30)}] 0 %  0.0 of 10.0 MB`,
    `importing [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  5.0 of 10.0 MB`,
    `importing [${'#'.repeat(30)}] 100 %  10.0 of 10.0 MB`,
  ]);
  expect(written.every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true);
});

test('a bar is written again only when the percentage is another', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('reading', 1_000, stream);
  for (let bytes = 0; bytes <= 1_000; bytes += 1) bar.update(bytes);
  expect(written).toHaveLength(101);
});

test('a file that grew while it was read never makes a bar longer than it is', () => {
  const { stream, written } = aStream(true);
  createProgressBar('reading', 1_000, stream).update(5_000);
  expect(written.join('')).toContain(`[${'#'.repeat(30)}] 100 %`);
});

test('a bar that is taken away leaves an empty line, and a shorter text leaves nothing of the longer one', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('reading', 1_000, stream);
  bar.update(1_000);
  bar.update(0);
  const [long = '', short = ''] = written;
  expect(short).toHaveLength(long.length);
  bar.clear();
  expect(written.at(-1)).toMatch(/^\r +\r$/);
  bar.clear();
  expect(written).toHaveLength(3);
});

test.each([
  ['a pipe', false, 1_000],
  ['an empty file', true, 0],
])('nothing is drawn for %s', (_what, isTTY, totalBytes) => {
  const { stream, written } = aStream(isTTY);
  const bar = createProgressBar('reading', totalBytes, stream);
  bar.update(totalBytes);
  bar.clear();
  expect(written).toEqual([]);
});
