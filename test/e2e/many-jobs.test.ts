import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';

// Goal: jobs that run concurrently cause no warning of a leak, which an operator would have to explain.
// Method: a process whose twelve jobs wait for each other.

const SCRIPT = join(__dirname, 'support', 'many-jobs-process.cjs');

describeOnOneDatabase('many jobs at once', (harness) => {
  test('cause no warning of Node', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [SCRIPT, harness.url]);
    expect(JSON.parse(stdout)).toEqual({ begun: true, warnings: [] });
    expect(stderr).toBe('');
  }, 60_000);
});
