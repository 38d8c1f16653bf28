// Goal: a finance person closes a month with the commands of docs/FINANCE.md alone, whatever format the bank writes.
// Method: agents pay for a month through the endpoint, and a shell runs the document's blocks as two people.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { runCli } from '../support/server-process';
import { blocksBelow, DocumentShell, type ShellResult } from './support/document-commands';
import { asCamt, asCsv, asMt940, asXlsx, financeMonth, payMonth } from './support/finance-month';
import { Installation } from './support/installation';

const LIMIT_MS = 240_000;
const SHIPPED_PROFILES = join(__dirname, '..', '..', 'reference-data', 'statement-profiles.json');
const MONTH = financeMonth();

/** Runs a block of commands of `millime` alone without a shell, because one file in a shell shows what a shell does. */
async function runSimply(block: string, env: Readonly<Record<string, string>>): Promise<ShellResult> {
  let last: ShellResult = { code: 0, stdout: '', stderr: '' };
  for (const line of block.trim().split('\n')) {
    const [program, ...words] = line.trim().match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    expect(program).toBe('millime');
    const args = words.map((word) =>
      word.startsWith("'")
        ? word.slice(1, -1)
        : word.replaceAll('"', '').replace(/\$(\w+)/g, (_, name: string) => env[name] ?? ''),
    );
    const { code, stdout, stderr } = await runCli(args, env);
    last = { code: code ?? -1, stdout: last.stdout + stdout, stderr };
    if (code !== 0) break;
  }
  return last;
}

describeOnOneDatabase('docs/FINANCE.md', (harness) => {
  test.each([
    ['mars.csv', asCsv, true],
    ['mars.xlsx', asXlsx, false],
    ['mars.sta', asMt940, false],
    ['mars.xml', asCamt, false],
  ] as const)(
    'closes the month of %s with a written-off difference and verified books',
    async (name, write, isShell) => {
      const { url } = await harness.fresh();
      const millime = new Installation(url, { clock: '2026-03-01T08:00:00+01:00' });
      await payMonth(millime, MONTH);
      millime.setClock('2026-04-01T08:00:00+01:00');
      const env = {
        ...millime.env,
        BANK_FILE: millime.file(name, write(MONTH)),
        // The shell has a folder of its own, so profiles go to the default file there. The other commands share one.
        ...(isShell ? {} : { STATEMENT_PROFILES_FILE: millime.file('profiles.json', readFileSync(SHIPPED_PROFILES)) }),
        REPORT: join(millime.folder, 'march.html'),
      };
      const shell = new DocumentShell(millime.folder, env);
      const ids: Record<string, string> = {};
      const run = async (heading: string, index: number, code = 0): Promise<ShellResult> => {
        const block = blocksBelow(heading, 'sh', 'FINANCE.md')[index] ?? '';
        const result = await (isShell ? shell.run(block, ids) : runSimply(block, { ...env, ...ids }));
        if (result.code !== code) throw new Error(`${block}exit code ${result.code}\n${result.stdout}${result.stderr}`);
        return result;
      };
      const asJson = async <T>(...args: string[]): Promise<T> => {
        const { stdout, stderr } = await runCli([...args, '--json'], { ...env, ...ids });
        if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`);
        return JSON.parse(stdout) as T;
      };

      const keys = '## 1. Create a key for each person';
      const salma = (await run(keys, 0)).stdout.trim();
      ids['MILLIME_API_KEY'] = salma;
      const omar = (await run(keys, 1)).stdout.trim();

      const file = '## 2. Import the bank file';
      expect((await run(file, 0)).stdout).toContain('verdict: ok');
      expect((await run(file, 1)).stdout).toContain('proven');
      expect((await run(file, 2)).stdout).toContain('already imported');
      if (isShell) expect(statSync(join(millime.folder, 'data/statement-profiles.json')).mode & 0o777).toBe(0o600);

      expect((await run('## 3. Reconcile', 0, 3)).stdout).toContain('credits matched    19');

      const decide = '## 4. Decide on what is not explained';
      expect((await run(decide, 0)).stdout).toMatch(/fee_unexplained .* 5,000 DT/);
      const { credits } = await asJson<{ credits: { line_id: string; outcome: string }[] }>('reconcile', '--dry-run');
      ids['CREDIT'] = credits.find(({ outcome }) => outcome !== 'resolved')?.line_id ?? '';
      ids['BREAK'] = (await asJson<{ id: string }[]>('breaks', 'list', '--class', 'fee_unexplained'))[0]?.id ?? '';
      expect((await run(decide, 1)).stdout).toContain('-5,000 DT');
      await run(decide, 2);
      const nextProposal = async (): Promise<string> =>
        (await asJson<{ id: string }[]>('breaks', 'proposals'))[0]?.id ?? '';
      ids['PROPOSAL'] = await nextProposal();
      ids['MILLIME_API_KEY'] = omar;
      expect((await run(decide, 3)).stdout).toContain('proposed by  salma');
      ids['MILLIME_API_KEY'] = salma;
      ids['REMAINDER'] = (await asJson<{ id: string }[]>('breaks', 'list', '--class', 'amount_differs'))[0]?.id ?? '';
      expect((await run(decide, 4)).stdout).toContain('5,000 DT posted as write-off');
      ids['WRITE_OFF'] = await nextProposal();
      ids['MILLIME_API_KEY'] = omar;
      await run(decide, 5);
      const explained = await run(decide, 6);
      expect(explained.stdout).toContain('reconciled_with_pending');
      expect(explained.stdout).toContain('written off        1, 5,000 DT');

      const closed = await run('## 5. Close the days and print the report', 0);
      expect(closed.stdout.match(/: closed, seal /g)).toHaveLength(31);
      expect(closed.stdout).toContain('ledger verified');
      const paid = MONTH.entries.filter(({ text = '' }) => text.includes('SERVICE DE PAIEMENT'));
      const banked = paid.reduce((sum, { amount }) => sum + amount, 0);
      expect(await asJson('report', 'daily', '--through', '2026-03-31')).toMatchObject({
        matched: { count: paid.length, amountMillimes: banked },
        forcedMillimes: 5_000,
        proven: true,
      });
      expect(readFileSync(env.REPORT, 'utf8')).toContain('2026-03-31');
    },
    LIMIT_MS,
  );
});
