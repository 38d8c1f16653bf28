import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';

const PROGRAM = 'promtool';

const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0;
if (!isInstalled) {
  process.stderr.write('promtool: not installed; its checks are skipped (it is in Debian package prometheus)\n');
}

/** For tests that ask promtool. Reported as skipped where it is not installed. */
export const testWithPromtool: typeof test.skip = isInstalled ? test : test.skip;

/** Runs promtool, and returns its exit code and what it wrote. */
export function promtool(args: readonly string[], input = ''): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { input, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}
