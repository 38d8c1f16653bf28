import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import {
  type CliIo,
  registerAgentCommands,
  registerAuditCommands,
  registerDueCommands,
  registerKeyCommands,
  registerReconcileCommand,
  registerStatementCommands,
  registerTokenCommands,
  type RunCommand,
} from '../../../src/cli/testing';
import { compose } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { SCOPES } from '../../../src/identity';
import { silentLogger } from '../../../src/logging';
import { SHIPPED_PROFILES_FILE, statementBytes } from '../../fixtures/statements/statement-bytes';
import { describeOnOneDatabase } from '../../support/db';
import { contents } from '../ledger/row-counts';

// Goal: every command requires the actor that its kind needs: decisions, writes, and reads.
// Method: the registered commands on the composed rooms, with and without MILLIME_API_KEY.

const folder = mkdtempSync(join(tmpdir(), 'millime-key-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

interface MadeKey {
  readonly key: string;
  readonly id: string;
}

interface Printed {
  readonly lines: readonly string[];
  readonly json: unknown;
  readonly aside: string;
}

describeOnOneDatabase('the commands', (harness) => {
  const bank = file('bank.csv', statementBytes());
  const agents = file('agents.csv', 'agent_id,full_name,phone\nA1,Amel Trabelsi,\n');
  const dues = file('dues.csv', 'reference,agent_id,amount_millimes,due_date,memo\nD-1,A1,5000,2026-03-01,\n');

  async function as(apiKey: string | undefined, ...args: readonly string[]): Promise<Printed> {
    const config = loadConfig({
      DATABASE_URL: harness.url,
      SERVICE_JWT_KEYS_FILE: join(folder, 'jwt-keys.json'),
      STATEMENT_PROFILES_FILE: SHIPPED_PROFILES_FILE,
      ...(apiKey === undefined ? {} : { MILLIME_API_KEY: apiKey }),
    });
    const millime = compose(config, silentLogger);
    const lines: string[] = [];
    let json: unknown;
    const io: CliIo = { line: (text = '') => lines.push(text), json: (value) => (json = value) };
    let aside = '';
    const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      aside += String(text);
      return true;
    });
    try {
      const program = new Command().exitOverride();
      const work = async (each: Parameters<RunCommand>[0]): Promise<void> => {
        await each(millime, io);
      };
      const run = Object.assign(work, { onNewBooks: work, beforeMigration: work });
      registerAgentCommands(program, run);
      registerAuditCommands(program, run);
      registerDueCommands(program, run);
      registerKeyCommands(program, run);
      registerReconcileCommand(program, run);
      registerStatementCommands(program, run);
      registerTokenCommands(program, run);
      await program.parseAsync([...args], { from: 'user' });
      return { lines, json, aside };
    } finally {
      stderr.mockRestore();
      await millime.close();
    }
  }

  async function create(apiKey: string | undefined, name: string, scopes: string): Promise<MadeKey> {
    return (await as(apiKey, 'keys', 'create', '--name', name, '--scopes', scopes, '--json')).json as MadeKey;
  }

  beforeEach(async () => {
    await as(undefined, 'agents', 'import', agents);
    await as(undefined, 'dues', 'import', dues);
  });

  const decisions = (keyId: string): string[][] => [
    ['agents', 'close', 'A1'],
    ['dues', 'cancel', 'D-1', '--reason', 'a test'],
    ['statements', 'accept', 'some-id', '--reason', 'a test'],
    ['token', 'mint'],
    ['token', 'revoke', 'some-jti'],
    ['token', 'rotate'],
    ['keys', 'create', '--name', 'omar', '--scopes', 'keys:manage'],
    ['keys', 'revoke', keyId, '--reason', 'a test'],
  ];

  const otherWork = (): string[][] => [
    ['agents', 'import', file('more.csv', 'agent_id,full_name,phone\nA2,Sami Ben Ali,\n')],
    ['agents', 'add', '--id', 'A3', '--name', 'Nour Said'],
    [
      'dues',
      'import',
      file('more-dues.csv', 'reference,agent_id,amount_millimes,due_date,memo\nD-2,A1,1,2026-03-01,\n'),
    ],
    ['statements', 'import', bank],
    ['reconcile', '--through', '2026-04-30'],
  ];

  test('that decide are refused without a key after the first one exists, and others run', async () => {
    const { id } = await create(undefined, 'salma', 'agents:write');
    const before = await contents(harness.database);
    for (const args of decisions(id)) {
      const refused = {
        code: 'forbidden',
        message: expect.stringContaining('MILLIME_API_KEY: expected an API key, got nothing; set it'),
      };
      await expect(as(undefined, ...args)).rejects.toMatchObject(refused);
      if (args[1] !== 'rotate' && args[1] !== 'accept') {
        await expect(as(undefined, ...args, '--dry-run')).rejects.toMatchObject(refused);
      }
    }
    expect(await contents(harness.database)).toEqual(before);
    for (const args of otherWork()) await as(undefined, ...args);
    const { json } = await as(undefined, 'audit', 'list', '--subject', 'agent:A3', '--json');
    expect(json).toMatchObject([{ actor: { kind: 'operator', name: 'cli', keyId: null } }]);
  });

  test('that write use the key if set, and are refused with an invalid one or without the scope', async () => {
    const { key, id } = await create(undefined, 'salma', 'agents:write');
    const before = await contents(harness.database);
    for (const args of [...decisions(id), ...otherWork()]) {
      await expect(as('nonsense', ...args)).rejects.toMatchObject({
        code: 'forbidden',
        message: 'MILLIME_API_KEY: expected an active API key; create one with "millime keys create"',
      });
      if (args[0] === 'agents') continue; // salma may
      await expect(as(key, ...args)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('salma lacks the scope'),
      });
    }
    expect(await contents(harness.database)).toEqual(before);
  });

  test('that only read ignore the key', async () => {
    for (const args of [
      ['agents', 'due', 'A1'],
      ['agents', 'show', 'A1'],
      ['statements', 'list'],
      ['statements', 'import', bank, '--dry-run'],
      ['token', 'list'],
      ['keys', 'list'],
      ['audit', 'list'],
    ]) {
      await expect(as('nonsense', ...args)).resolves.toBeDefined();
    }
  });

  test('keys create prints the key alone, and a note on the first key on standard error', async () => {
    const first = await as(undefined, 'keys', 'create', '--name', 'salma', '--scopes', 'agents:write', '--ttl', '365d');
    expect(first.lines).toEqual([expect.stringMatching(/^mlm_[0-9A-Z]{26}_[\w-]{43}$/)]);
    expect(first.aside).toMatch(
      /^created key [0-9A-Z]{26} for salma, with agents:write, valid until [-\d]{10} [:\d]{8}; it is not shown again\n/,
    );
    expect(first.aside).toContain('from now on a command that decides needs MILLIME_API_KEY');
    expect(first.aside).toContain(`no key has ${SCOPES.filter((scope) => scope !== 'agents:write').join(', ')};`);
    const more = ['keys', 'create', '--name', 'salma', '--recover', '--reason', 'a test'];
    const dry = await as(undefined, ...more, '--dry-run', '--json');
    expect(dry.json).toEqual({ key: null, id: null, name: 'salma', scopes: ['keys:manage'], expiresAt: null });
    expect((await as(undefined, ...more)).aside).not.toContain('from now on');
  });

  test('keys create grants every scope with --scopes all', async () => {
    const { json, aside } = await as(undefined, 'keys', 'create', '--name', 'salma', '--scopes', 'all', '--json');
    expect(json).toMatchObject({ scopes: [...SCOPES] });
    expect(aside).not.toContain('no key has');
  });

  test('keys create refuses invalid options', async () => {
    for (const args of [
      ['--name', 'omar'],
      ['--name', 'omar', '--scopes', ''],
      ['--name', 'omar', '--scopes', 'agents:write,'],
      ['--name', 'omar', '--scopes', 'agents:write', '--ttl', '1y'],
      ['--name', 'omar', '--scopes', 'agents:write', '--ttl', '3651d'],
      ['--name', 'omar', '--scopes', 'agents:write', '--reason', 'a reason is for --recover'],
      ['--name', 'omar', '--recover'],
      ['--name', 'omar', '--recover', '--reason', ' '],
      ['--name', 'Omar', '--recover', '--reason', 'a test'],
    ]) {
      await expect(as(undefined, 'keys', 'create', ...args)).rejects.toMatchObject({ code: 'bad_input' });
    }
    expect((await as(undefined, 'keys', 'list')).lines).toEqual([]);
  });

  test('keys create --recover is refused with an active key', async () => {
    const { key } = await create(undefined, 'salma', 'agents:write');
    await expect(
      as(key, 'keys', 'create', '--name', 'salma', '--recover', '--reason', 'more rights'),
    ).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('audit list refuses a limit outside 1 to 10000', async () => {
    for (const limit of ['0', '-1', '1.5', '10001', 'all', '']) {
      await expect(as(undefined, 'audit', 'list', '--limit', limit)).rejects.toMatchObject({ code: 'bad_input' });
    }
  });
});
