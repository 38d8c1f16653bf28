// Goal: the JSON of a dry run and of a refused import is one document on stdout with the same refusals, whatever database
// the installation has. Method: the commands of the built program on each database, and on none.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase, unmigratedDatabaseUrl } from '../support/db';
import { runCli } from '../support/server-process';

const folder = mkdtempSync(join(tmpdir(), 'import-refusals-'));
const bare = join(folder, "relevé d'avril.csv");
const good = join(folder, 'good.csv');
const missing = join(folder, 'none.csv');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  writeFileSync(bare, 'Date;Libellé;Débit;Crédit\n03/04/2026;VIREMENT;;1 250,500\n15/04/2026;COMMISSION;1,190;\n');
  writeFileSync(
    good,
    'Compte;08006012345678901231;;\nDevise;TND;;\nSolde initial;;;0,000\nDate;Libellé;Débit;Crédit\n' +
      '15/04/2026;VIREMENT;;1 250,500\nSolde final;;;1 250,500\n',
  );
});

interface Printed {
  readonly verdict: string | null;
  readonly wouldImport: boolean;
  readonly refusals: readonly { readonly code: string; readonly message: string; readonly action: string }[];
  readonly notChecked: readonly { readonly check: string; readonly reason: string }[];
  readonly next: string | null;
}

const EVERY_OPTION = ['--account', '08006012345678901231', '--currency', 'TND', '--profile', 'proposed'];

describeOnEachDialect('statements import --json', (dialect) => {
  let url: string;

  beforeAll(async () => {
    ({ url } = await freshDatabase(dialect));
  });

  async function run(...args: string[]): Promise<{ code: number | null; printed: Printed; stderr: string }> {
    const { code, stdout, stderr } = await runCli(['statements', 'import', ...args, '--json'], { DATABASE_URL: url });
    return { code, printed: JSON.parse(stdout) as Printed, stderr };
  }

  test('prints the refusals of a dry run again for the import, which exits with 2', async () => {
    const dry = await run(bare, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.printed).toMatchObject({ verdict: 'no-proof', wouldImport: false, notChecked: [] });
    expect(dry.printed.refusals.map(({ code }) => code)).toEqual([
      'profile_unconfirmed',
      'account_missing',
      'currency_missing',
    ]);
    expect(dry.printed.next).toBe(
      `millime statements import '${bare.replace("'", String.raw`'\''`)}' ` +
        '--save-profile <name> --account <account> --currency <currency>',
    );
    const real = await run(bare);
    expect(real.code).toBe(2);
    expect(real.stderr).toContain(dry.printed.refusals[0]?.message);
    expect(real.printed).toEqual(dry.printed);
  });

  test('prints a file that cannot be read as a refusal, in a dry run and in an import', async () => {
    for (const args of [[missing], [missing, '--dry-run']]) {
      const { code, printed } = await run(...args);
      expect(code).toBe(2);
      expect(printed).toMatchObject({ verdict: null, statements: [], wouldImport: false });
      expect(printed.refusals).toMatchObject([{ code: 'file_faults', message: expect.stringContaining('ENOENT') }]);
    }
  });

  test('imports with the options that the refusals name, and then changes nothing', async () => {
    expect((await run(bare, '--dry-run', ...EVERY_OPTION)).printed).toMatchObject({ wouldImport: true, refusals: [] });
    expect(await run(bare, ...EVERY_OPTION)).toMatchObject({ code: 0, printed: { outcome: 'imported' } });
    const again = await run(bare, '--dry-run');
    expect(again.printed).toMatchObject({ verdict: 'no-proof', wouldImport: true, outcome: 'already_imported' });
    expect(await run(bare)).toMatchObject({ code: 0, printed: { outcome: 'already_imported' } });
  });
});

describe('statements import --dry-run without a database', () => {
  const NOT_CHECKED = ['stored_file', 'account_currency', 'account_name', 'stored_statements'];

  async function dryRun(env: Record<string, string>): Promise<Printed> {
    const { code, stdout } = await runCli(
      ['statements', 'import', good, '--dry-run', '--json', '--profile', 'proposed'],
      env,
    );
    expect(code).toBe(0);
    return JSON.parse(stdout) as Printed;
  }

  test('names what it could not check for a file that does not exist', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'none.sqlite3')}` };
    const { notChecked, ...printed } = await dryRun(env);
    expect(printed).toMatchObject({ verdict: 'ok', wouldImport: true });
    expect(notChecked).toEqual(NOT_CHECKED.map((check) => ({ check, reason: 'no database exists at DATABASE_URL' })));
    expect((await dryRun({ ...env, MILLIME_API_KEY: 'mk_any' })).notChecked[0]).toMatchObject({ check: 'scope' });
  });

  test('names what it could not check for a server that accepts a connection and never answers', async () => {
    const silent = createServer();
    await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening));
    try {
      const { port } = silent.address() as { port: number };
      const { notChecked } = await dryRun({ DATABASE_URL: `mysql://u:p@127.0.0.1:${port}/x` });
      expect(notChecked.map(({ check }) => check)).toEqual(NOT_CHECKED);
    } finally {
      silent.close();
    }
  });
});

describeOnEachDialect('statements import --dry-run on a database without tables', (dialect) => {
  test('names what it could not check', async () => {
    const env = { DATABASE_URL: await unmigratedDatabaseUrl(dialect) };
    const { code, stdout } = await runCli(['statements', 'import', good, '--dry-run', '--json'], env);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Printed).notChecked.map(({ check }) => check)).toContain('stored_file');
  });
});
