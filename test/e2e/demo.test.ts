// Goal: the demo ends with all checks passed, closed days, and a report that can be shared.
// Method: the compiled command, once; then other commands read the resulting books.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { LAST_DAY } from '../../src/demo/testing';
import { runCli, spawnedCli } from '../support/server-process';
import { testRun } from '../support/test-run';

/** Far above what a busy machine needs. */
const LIMIT_MS = 900_000;
const parent = mkdtempSync(join(testRun.folder, 'demo-'));

afterAll(() => rmSync(parent, { recursive: true, force: true }));

test(
  'the demo explains every credit, closes and proves every day, and writes a report',
  async () => {
    const folder = join(parent, 'demo');
    const demo = await spawnedCli(['demo', '--folder', folder], {});
    expect({ code: demo.code, stderr: demo.stderr }).toEqual({ code: 0, stderr: '' });
    expect(demo.stdout).toContain('reconciled_with_pending');
    expect(demo.stdout).toContain(`open the report in a browser: ${join(folder, 'demo-report.html')}`);

    const report = readFileSync(join(folder, 'demo-report.html'), 'utf8');
    expect(report).toMatch(/^<!doctype html>[^]*<svg[^]*<\/html>\s*$/);
    expect(report).not.toMatch(/<script|<link|<img|src=|href="(?!#)|url\(/i);

    const env = {
      DATABASE_URL: `sqlite:${join(folder, 'millime.sqlite3')}`,
      CLOCK_FILE: join(folder, 'clock'),
      SERVICE_JWT_KEYS_FILE: join(folder, 'service-jwt-keys.json'),
    };
    const seals: unknown = JSON.parse((await runCli(['close-day', '--list', '--json'], env)).stdout);
    expect(seals).toContainEqual(expect.objectContaining({ date: LAST_DAY, kind: 'closed', stands: true }));
    expect((await runCli(['ledger', 'verify'], env)).code).toBe(0);
    expect((await runCli(['breaks', 'list', '--json'], env)).stdout.trim()).toBe('[]');
  },
  LIMIT_MS,
);
