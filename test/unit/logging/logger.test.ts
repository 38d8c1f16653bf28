import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { lineLogger } from '../../../src/logging/line-logger';
import { logLine } from '../../../src/logging/log-line';

const ROOT = join(__dirname, '..', '..', '..');

/** Logs from a process of its own, because the logger writes to the real stderr. */
async function log(level: string, calls: string): Promise<{ stdout: string; stderr: string }> {
  const script = `const { createLogger } = require('./src/logging');
    const logger = createLogger({ level: '${level}' }); ${calls}`;
  return promisify(execFile)(process.execPath, ['--require', 'tsx/cjs', '--eval', script], { cwd: ROOT });
}

describe('the logger', () => {
  test('writes one redacted JSON object per line, whatever the text contains', async () => {
    const { stdout, stderr } = await log(
      'info',
      String.raw`logger.info('line\nfeed \u001b[31m', { transactionId: 'a\r\nb', token: 'canary' });
      logger.error('failed', { error: new Error('Bearer canary', { cause: new Error('mysql://u:canary@h/d') }) });`,
    );
    expect(stdout).toBe('');
    expect(stderr).not.toContain('canary');
    expect(stderr).not.toContain('\u001b');
    const [first, second, ...more] = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    expect(first).toMatchObject({ level: 'info', message: 'line\nfeed \u001b[31m', transactionId: 'a\r\nb' });
    expect(second).toMatchObject({ level: 'error', error: { name: 'Error', cause: { name: 'Error' } } });
    expect(second.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('writes nothing to stdout, and nothing below its level', async () => {
    const { stdout, stderr } = await log('warn', `logger.info('no'); logger.warn('yes'); logger.debug('no');`);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ level: 'warn', message: 'yes' });
  });
});

// winston is a stream: by default it holds lines back in the turn in which it is created, and whenever 16 wait.
test('the logger passes each line on as it is logged, however many one turn logs', () => {
  const lines: string[] = [];
  const logger = lineLogger('info', (text) => void lines.push(text));
  for (let count = 1; count <= 10_000; count += 1) {
    logger.info('confirm answered', { count });
    expect(lines).toHaveLength(count);
  }
  expect(JSON.parse(lines[9_999] ?? '')).toMatchObject({ level: 'info', message: 'confirm answered', count: 10_000 });
});

const line = (message: string, fields: unknown = {}): string =>
  logLine({ timestamp: '2026-03-02T08:00:00.000Z', level: 'info', message, fields });

describe('S19: a log line', () => {
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
