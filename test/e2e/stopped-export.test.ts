// Goal: a command stopped while it writes a file leaves no half of it.
// Method: the compiled writer in a separate process, which reports when half is written and then waits to be stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testRun } from '../support/test-run';

const WRITER = join(__dirname, '..', '..', 'dist', 'src', 'cli', 'export-output.js');
const LIMIT_MS = 60_000;
const WRITE_HALF = `
  const { writeWholeFile } = require(${JSON.stringify(WRITER)});
  void writeWholeFile(process.argv[1], async (write) => {
    await write('half');
    process.stdout.write('half is written');
    await new Promise(() => setInterval(() => undefined, 1_000));
  });`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s removes an unfinished export and ends the process by that signal',
  async (signal) => {
    const folder = mkdtempSync(join(testRun.folder, 'stopped-export-'));
    const writer = spawn(process.execPath, ['-e', WRITE_HALF, join(folder, 'books.csv')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit');
    try {
      await once(writer.stdout, 'data');
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^books\.csv\.\d+\.part$/)]);
      writer.kill(signal);
      expect(await ended).toEqual([null, signal]);
    } finally {
      writer.kill('SIGKILL');
    }
    expect(readdirSync(folder)).toEqual([]);
  },
  LIMIT_MS,
);
