import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { CliIo, RunCommand } from '../../../src/cli/command';
import { registerStatementCommands } from '../../../src/cli/statements';
import type { Millime } from '../../../src/compose';
import { createIdentity } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createStatements } from '../../../src/statements';
import {
  SHIPPED_PROFILES_FILE,
  statementBytes,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const file = join(folder, 'bank.csv');
afterAll(() => rmSync(folder, { recursive: true }));

describeOnEachDatabase('millime statements', (harness) => {
  let lines: string[];
  let documents: unknown[];

  async function run(...args: string[]): Promise<void> {
    lines = [];
    documents = [];
    const io: CliIo = { line: (text = '') => void lines.push(text), json: (value) => void documents.push(value) };
    const { database } = harness;
    const clock = fixedClock('2026-05-04T09:00:00+01:00');
    const identity = createIdentity({ database, clock, logger: silentLogger });
    const statements = createStatements({
      database,
      clock,
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    const program = new Command().exitOverride();
    const runOnRoom = async (work: Parameters<RunCommand>[0]): Promise<void> => {
      await work({ statements, identity, config: { apiKey: undefined } } as unknown as Millime, io);
    };
    registerStatementCommands(program, Object.assign(runOnRoom, { beforeMigration: runOnRoom }));
    await program.parseAsync(['statements', ...args], { from: 'user' });
  }

  beforeEach(() => writeFileSync(file, statementBytes()));

  test('import --dry-run --json prints the verdict and the figures, and stores nothing', async () => {
    await run('import', file, '--dry-run', '--json');
    expect(documents).toEqual([
      {
        verdict: 'ok',
        statements: [
          {
            account: '11222333333333333344',
            currency: 'TND',
            opening: '1000.000',
            closing: '2028.120',
            entries: 5,
            credits: '1330.500',
            debits: '302.380',
          },
        ],
      },
    ]);
    expect(lines).toEqual([]);
    await run('list', '--json');
    expect(documents).toEqual([[]]);
  });

  test('import --dry-run says of an unbalanced file where and by how much, and is no error', async () => {
    writeFileSync(file, windows1252(statementText({ closing: 1 })));
    await run('import', file, '--dry-run');
    expect(lines).toContain('verdict: unbalanced');
    expect(lines.join('\n')).toContain('a difference of 2 028,119 DT');
  });

  test('import --dry-run refuses a file that it cannot read', async () => {
    writeFileSync(file, '');
    await expect(run('import', file, '--dry-run')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(run('import', join(folder, 'none'))).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('import reads amounts and dates back, list and show find the statement again', async () => {
    await run('import', file);
    expect(lines.join('\n')).toContain('2026-04-02        1 250,500 DT  VIR RECU SERVICE DE PAIEMENT SA');
    await run('import', file);
    expect(lines).toContain('nothing was changed');
    await run('list', '--json');
    expect(documents).toMatchObject([
      [{ sequence: 1, closing: '2028.120', file: { name: 'bank.csv', importedBy: 'cli' } }],
    ]);
    await run('list');
    const [id = ''] = (lines[0] ?? '').split(' ');
    await run('show', id, '--json');
    expect(documents).toMatchObject([{ id, lines: [{ amountMillimes: 1_250_500 }, {}, {}, {}, {}] }]);
    await run('show', id);
    expect(lines.join('\n')).toContain('CHÈQUE; N° 7');
    await expect(run('show', 'NOBODY')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('profiles lists what the installation reads', async () => {
    await run('profiles', '--json');
    expect(documents).toMatchObject([[{ name: 'releve-fr-tn', payoutPattern: '\\bSERVICE DE PAIEMENT\\b' }]]);
  });
});
