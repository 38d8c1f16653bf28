import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

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
