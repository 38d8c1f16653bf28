// Goal: finance gets each report from an installation, in each format, on the terminal and as a file.
// Method: the compiled program as a process, on books with agents who owe.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { Installation } from './support/installation';

const LIMIT_MS = 120_000;
const PERIOD = ['--from', '2026-03-01', '--to', '2026-03-31'];
const REPORTS: readonly (readonly string[])[] = [
  ['daily', '--through', '2026-03-31'],
  ['aging', '--through', '2026-03-31'],
  ['clearing', ...PERIOD],
  ['agents', ...PERIOD],
  ['payouts', ...PERIOD],
  ['fees', ...PERIOD],
];

describeOnOneDatabase('reports', (harness) => {
  let millime: Installation;

  beforeEach(async () => {
    millime = new Installation(harness.url);
    await millime.seedAgents(['004711', '=1+1'], 150_001);
  });

  test(
    'print text, JSON, CSV and HTML',
    async () => {
      for (const report of REPORTS) {
        const printed = async (format: string): Promise<string> => {
          const { code, stdout, stderr } = await millime.cli('report', ...report, '--format', format);
          expect({ report, format, code, stderr }).toEqual({ report, format, code: 0, stderr: '' });
          return stdout;
        };
        expect((await printed('text')).split('\n').length).toBeGreaterThan(2);
        expect(JSON.parse(await printed('json'))).toEqual(expect.any(Object));
        expect(await printed('csv')).toMatch(/^section,/);
        expect(await printed('html')).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
      }
    },
    LIMIT_MS,
  );

  test(
    'write HTML to a private file, which exists only when complete',
    async () => {
      const path = join(millime.folder, 'report.html');
      const { code, stdout } = await millime.cli('report', 'all', ...PERIOD, '--format', 'html', '--out', path);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `written: ${path}\n` });
      expect(readFileSync(path, 'utf8')).toMatch(/<section id="daily">[^]*<section id="fees">[^]*<\/html>\n$/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    },
    LIMIT_MS,
  );

  test(
    'are refused for an invalid date and an unknown line',
    async () => {
      for (const wrong of [
        ['clearing', '--from', '2026-02-30'],
        ['clearing', '--from', '2026-04-01', '--to', '2026-03-01'],
        ['all', '--format', 'csv'],
        ['payouts', '--line', 'nothing'],
      ]) {
        expect([wrong, (await millime.cli('report', ...wrong)).code]).toEqual([wrong, 2]);
      }
    },
    LIMIT_MS,
  );
});
