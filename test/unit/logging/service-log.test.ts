import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

// Goal: the log of a service blocks nothing, whoever reads it. Method: separate processes, because a log writes to the
// real stdout; they report their results on stderr.

const ROOT = join(__dirname, '..', '..', '..');
const LINES = 1_500;

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Reader = 'reads at once' | 'reads when it is told' | 'never reads' | 'leaves';

/** Runs a script with `log` (a service log at level info) in it. */
function run(reader: Reader, script: string, stdout: 'pipe' | number = 'pipe'): Promise<Ending> {
  const child = spawn(
    process.execPath,
    [
      '--require',
      'tsx/cjs',
      '--eval',
      `const { createServiceLog } = require('./src/logging');
       const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
       const said = (fact) => process.stderr.write(fact + '\\n');
       const log = createServiceLog({ level: 'info' });
       (async () => { ${script} })();`,
    ],
    { cwd: ROOT, stdio: ['pipe', stdout, 'pipe'] },
  );
  const ending = { code: null as number | null, stdout: '', stderr: '' };
  const read = (): void => void child.stdout?.on('data', (chunk: Buffer) => (ending.stdout += chunk.toString('utf8')));
  if (reader === 'reads at once') read();
  if (reader === 'leaves') child.stdout?.destroy();
  child.stderr?.on('data', (chunk: Buffer) => {
    ending.stderr += chunk.toString('utf8');
    if (reader === 'reads when it is told' && ending.stderr.includes('READ')) read();
  });
  return new Promise((resolve) => {
    const ended = (code: number | null): void => resolve({ ...ending, code });
    child.on(reader === 'never reads' ? 'exit' : 'close', ended);
  });
}

const FLOOD = `for (let i = 0; i < ${LINES}; i += 1) log.logger.info('words '.repeat(800), { event: 'flood', i });`;

const parsed = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('F25: The log of a service', () => {
  test('writes every line in order and waits for the last at its close', async () => {
    const { code, stdout, stderr } = await run(
      'reads at once',
      `for (let i = 0; i < 2000; i += 1) log.logger.info('x', { i }); await log.close(); process.exit(0);`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parsed(stdout).map(({ i }) => i)).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
  });

  test('counts the lines that a slow reader missed and logs their number when it reads again', async () => {
    const { code, stdout } = await run(
      'reads when it is told',
      `${FLOOD} said('READ'); await pause(1500); log.logger.info('after'); await log.close();`,
    );
    expect(code).toBe(0);
    const lines = parsed(stdout);
    const written = lines.filter(({ event }) => event === 'flood').length;
    const dropped = lines.filter(({ event }) => event === 'log.dropped').map((line) => Number(line['dropped']));
    expect(dropped).toHaveLength(1);
    expect(dropped[0]).toBeGreaterThan(0);
    expect(written + Number(dropped[0])).toBe(LINES);
    expect(lines.at(-1)).toMatchObject({ message: 'after' });
  });

  test('delays neither the event loop nor the end of the process while its output is not read', async () => {
    const { code, stderr } = await run(
      'never reads',
      `${FLOOD} await pause(100); const t = performance.now(); await log.close();
       said(performance.now() - t < 3000 ? 'closed' : 'hung');`,
    );
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 0, stderr: 'closed' });
  });

  test('lets the process end if the log is closed during a write that the pipe does not accept', async () => {
    const { code } = await run(
      'never reads',
      `require('node:fs').write = (...args) =>
         setTimeout(() => args.at(-1)(Object.assign(new Error('full'), { code: 'EAGAIN' })), 1500);
       setTimeout(() => process.exit(9), 20000).unref();
       log.logger.info('x'); await log.close();`,
    );
    expect(code).toBe(0);
  });

  test('stops when its reader leaves, and the process continues', async () => {
    const { code, stderr } = await run(
      'leaves',
      `await pause(100); ${FLOOD} await pause(100); ${FLOOD} await log.close(); log.logger.info('late'); said('alive');`,
    );
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 0, stderr: 'alive' });
  });

  test('survives a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const ending = await run(
      'reads at once',
      `${FLOOD} await pause(50); ${FLOOD} await log.close(); said('alive');`,
      full,
    );
    closeSync(full);
    expect(ending).toEqual({ code: 0, stdout: '', stderr: 'alive\n' });
  });

  test('writes the lines that preceded a crash', async () => {
    const { code, stdout } = await run(
      'reads at once',
      `await pause(20); log.logger.error('the last words'); log.logger.error('and more');
       setImmediate(() => process.exit(7));`,
    );
    expect(code).toBe(7);
    expect(parsed(stdout).map(({ message }) => message)).toEqual(
      expect.arrayContaining(['the last words', 'and more']),
    );
  });
});
