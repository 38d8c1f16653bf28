import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { type CliIo, registerTokenCommands, type RunCommand } from '../../../src/cli/testing';
import { compose } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { silentLogger } from '../../../src/logging';
import { describeOnOneDatabase } from '../../support/db';

// Goal: the output of `millime token …` is stable for scripts. Method: the registered commands on the composed rooms.

const folder = mkdtempSync(join(tmpdir(), 'millime-token-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeOnOneDatabase('millime token', (harness) => {
  async function token(...args: string[]): Promise<{ lines: string[]; json: unknown[]; aside: string }> {
    const config = loadConfig({ DATABASE_URL: harness.url, SERVICE_JWT_KEYS_FILE: join(folder, 'keys.json') });
    const millime = compose(config, silentLogger);
    const lines: string[] = [];
    const json: unknown[] = [];
    const io: CliIo = { line: (text = '') => lines.push(text), json: (value) => json.push(value) };
    let aside = '';
    const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      aside += String(text);
      return true;
    });
    try {
      const program = new Command();
      const run = async (work: Parameters<RunCommand>[0]): Promise<void> => {
        await work(millime, io);
      };
      registerTokenCommands(program, Object.assign(run, { onNewBooks: run, beforeMigration: run }));
      await program.parseAsync(['token', ...args], { from: 'user' });
      return { lines, json, aside };
    } finally {
      stderr.mockRestore();
      await millime.close();
    }
  }

  test('mint prints only the token to stdout, and its facts to stderr', async () => {
    const { lines, aside } = await token('mint', '--ttl', '12h');
    expect(lines).toEqual([expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)]);
    expect(aside).toMatch(
      /^minted [0-9A-Z]{26} with key [0-9A-Z]{26}, valid until [-\d]{10} [:\d]{8}; it is not shown again\n$/,
    );
  });

  test('mint --json prints the documented fields, for 90 days by default', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const { json } = await token('mint', '--json');
    expect(json).toEqual([
      {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        jti: expect.stringMatching(/^[0-9A-Z]{26}$/),
        kid: expect.stringMatching(/^[0-9A-Z]{26}$/),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      },
    ]);
    const { expiresAt } = (json as { expiresAt: string }[])[0] ?? { expiresAt: '' };
    expect(Math.abs(Date.parse(expiresAt) - before - 90 * 86_400_000)).toBeLessThan(60_000);
  });

  test('mint --dry-run creates no token', async () => {
    const { json } = await token('mint', '--dry-run', '--json');
    expect(json).toMatchObject([{ token: null, jti: null }]);
    expect((await token('list', '--json')).json).toEqual([[]]);
  });

  test.each(['', '90', 'd', '0d', '-1d', '1.5h', '90D', '1d2h', ' 90d', '401d', '9601h', '999999999s'])(
    'mint refuses --ttl %j',
    async (ttl) => {
      await expect(token('mint', '--ttl', ttl)).rejects.toMatchObject({ code: 'bad_input' });
    },
  );

  test('rotate and mint --alg print the documented fields, and rotate states the step for several machines', async () => {
    const before = (await token('mint', '--json')).json as { kid: string }[];
    const plan = await token('rotate', '--alg', 'ES256', '--dry-run', '--json');
    expect(plan).toMatchObject({ json: [{ kid: null, alg: 'ES256', dryRun: true }], aside: '' });
    const rotated = await token('rotate', '--alg', 'ES256', '--json');
    const [rotation] = rotated.json as { kid: string; verifyOnly: string[] }[];
    expect(rotation).toEqual({
      kid: expect.stringMatching(/^[0-9A-Z]{26}$/),
      alg: 'ES256',
      verifyOnly: expect.arrayContaining([before[0]?.kid]),
      retired: [],
      dryRun: false,
    });
    expect(rotated.aside).toContain('copy the key file to all of them');
    const minted = await token('mint', '--alg', 'ES256', '--json');
    expect(minted.json).toEqual([
      {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        jti: expect.any(String),
        kid: rotation?.kid,
        expiresAt: expect.any(String),
      },
    ]);
    expect((await token('list', '--json')).json).toMatchObject([[{ kid: rotation?.kid }, { kid: before[0]?.kid }]]);

    const { lines } = await token('rotate', '--retire');
    expect(lines[0]).toMatch(/^created key [0-9A-Z]{26} for HS256; it signs from now on$/);
    expect(lines).toContain(`key ${rotation?.kid} only verifies`);
    expect((await token('rotate', '--dry-run')).lines[0]).toBe('Would create a key for HS256 (dry run)');
  });

  test.each(['hs256', 'RS384', 'none', ''])('refuses --alg %j', async (alg) => {
    await expect(token('mint', '--alg', alg)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(token('rotate', '--alg', alg)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('mint --alg without a key is refused, and the error names the command that creates one', async () => {
    await expect(token('mint', '--alg', 'RS256')).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('millime token rotate --alg RS256'),
    });
  });

  test('revoke shows in the list, and a repetition is reported as one', async () => {
    const { json } = await token('mint', '--json', '--subject', 'other gateway');
    const { jti } = (json as { jti: string }[])[0] ?? { jti: '' };
    expect((await token('revoke', jti, '--dry-run', '--json')).json).toMatchObject([
      { outcome: 'revoked', dryRun: true },
    ]);
    expect((await token('list', '--json')).json).toMatchObject([[{ jti, subject: 'other gateway', state: 'active' }]]);
    expect((await token('revoke', jti, '--json')).json).toEqual([
      { jti, outcome: 'revoked', known: true, dryRun: false },
    ]);
    expect((await token('revoke', jti)).lines).toEqual([`token ${jti}: already revoked; nothing was changed`]);
    expect((await token('list', '--json')).json).toMatchObject([[{ jti, state: 'revoked' }]]);
    expect((await token('list')).lines[0]).toContain('revoked');
  });

  test('revoke reports a token that Millime did not mint', async () => {
    const { lines } = await token('revoke', 'foreign');
    expect(lines).toEqual(['revoked token foreign', 'no such token was minted here; check the jti for typing errors']);
  });
});
