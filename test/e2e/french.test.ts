import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../support/db';
import { type CliResult, runCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { Installation } from './support/installation';

// Goal: the command line speaks French by LANG or --lang, and programs read the same in each language.
// Method: the compiled program as a process, once in each language, on the same rows.

const LIMIT_MS = 120_000;

describeOnEachDatabase('the command line in French', (harness) => {
  let millime: Installation;
  beforeEach(async () => {
    millime = new Installation(harness.url);
    const folder = mkdtempSync(join(testRun.folder, 'french-'));
    const file = (name: string, ...lines: readonly string[]): string => {
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
      return join(folder, name);
    };
    const dues = file('dues.csv', 'reference,agent_id,amount_millimes,due_date,memo', 'D-1,A-1,1234567,2026-03-31,');
    expect(await millime.cli('agents', 'add', '--id', 'A-1', '--name', 'Société Un')).toMatchObject({ code: 0 });
    expect(await french('dues', 'import', dues)).toEqual({
      code: 0,
      stdout: 'sommes dues importées : ajoutées 1 (1 234,567 DT), inchangées 0\n',
      stderr: '',
    });
  });

  const french = (...args: string[]): Promise<CliResult> =>
    runCli(args, { ...millime.env, LC_ALL: '', LANG: 'fr_TN.UTF-8' });

  test(
    'states what an agent owes, by LANG and by --lang, and English for --lang en',
    async () => {
      const due = ['agents', 'due', 'A-1'];
      const inFrench = { code: 0, stdout: 'Société Un doit 1 234,567 DT\n', stderr: '' };
      expect(await french(...due)).toEqual(inFrench);
      expect(await millime.cli('--lang', 'fr', ...due)).toEqual(inFrench);
      expect(await millime.cli(...due, '--lang', 'fr')).toEqual(inFrench);
      const inEnglish = { code: 0, stdout: 'Société Un owes 1 234,567 DT\n', stderr: '' };
      expect(await french('--lang', 'en', ...due)).toEqual(inEnglish);
      expect(await millime.cli(...due)).toEqual(inEnglish);
    },
    LIMIT_MS,
  );

  test(
    'refuses wrong use and wrong input with the exit codes of English',
    async () => {
      const cases: [args: string[], stderr: string][] = [
        [['agents', 'show', 'nobody'], 'millime: agent introuvable : "nobody"\n'],
        [['agents', 'add', '--id', 'A-1', '--name', 'X'], "millime: L'agent A-1 existe déjà.\n"],
        [['breaks', 'list', '--since', 'x'], 'millime: --since : attendu : une date comme AAAA-MM-JJ ; reçu : "x"\n'],
        [['agents', 'show'], 'erreur : argument « id » manquant\n'],
      ];
      for (const [args, stderr] of cases) {
        const { code } = await millime.cli(...args);
        const said = await french(...args);
        expect(said).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(stderr) as unknown });
        expect(code).toBe(2);
      }
    },
    LIMIT_MS,
  );

  test(
    'prints the same JSON, CSV and exit code in each language',
    async () => {
      const commands = [
        ['agents', 'list', '--json'],
        ['agents', 'show', 'A-1', '--json'],
        ['agents', 'close', 'A-1', '--dry-run', '--json'],
        ['breaks', 'list', '--csv'],
        ['payments', 'list', '--json'],
        ['statements', 'list', '--json'],
        ['close-day', '2026-03-02', '--dry-run', '--json'],
        ['reconcile', '--through', '2026-03-02', '--dry-run', '--json'],
        ['users', 'list', '--json'],
        ['keys', 'list', '--json'],
        ['statements', 'profiles', '--json'],
      ];
      for (const args of commands) {
        const english = await millime.cli(...args);
        expect([0, 3]).toContain(english.code);
        expect(await french(...args)).toEqual(english);
      }
    },
    LIMIT_MS,
  );
});
