import { describe, expect, test } from '@jest/globals';
import { logLine } from '../../../src/logging/log-line';

const line = (message: string, fields: unknown = {}): string =>
  logLine({ timestamp: '2026-03-02T08:00:00.000Z', level: 'info', message, fields });

describe('S19 a log line', () => {
  test.each<[string, string]>([
    ['CR LF and a forged line', 'a\r\n{"level":"error","message":"forged"}'],
    ['terminal sequences', '\u001b[2J\u001b]0;title\u0007'],
    ['NUL and DEL', '\u0000\u007f'],
    ['C1 controls', '\u0085\u009b31m'],
    ['Unicode line ends', 'a\u2028b\u2029c'],
    ['marks that turn the writing', '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c'],
    ['a byte order mark', '\ufeffa'],
    ['half a surrogate pair', 'a\ud800b\udc00'],
    ['quotes and backslashes', '"\\u0041\\" \\'],
    ['Arabic and emoji', 'سلمى 🎉'],
  ])('is one line of printable characters that decodes to its input: %s', (_what, text) => {
    const written = line(text, { id: text, [text]: 1 });
    expect(written).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff]/);
    expect(written.isWellFormed()).toBe(true);
    expect(JSON.parse(written)).toMatchObject({ level: 'info', message: text, id: text, [text]: 1 });
  });

  test('begins with time, level and message, which no field can change', () => {
    const written = line('true', { event: 'a.b', level: 'error', message: 'false', timestamp: 0, toJSON: () => 'x' });
    expect(Object.keys(JSON.parse(written))).toEqual(['timestamp', 'level', 'message', 'event', 'toJSON']);
    expect(JSON.parse(written)).toMatchObject({ level: 'info', message: 'true' });
  });

  test.each([
    undefined,
    null,
    'text',
    5,
    [1, 2],
    new Map([['event', 'x']]),
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    ),
  ])('is one line even if the fields are not an object: %#', (fields) => {
    expect(JSON.parse(line('said', fields))).toMatchObject({ level: 'info', message: 'said' });
  });
});
