// Goal: a person's decision about matches and fees on the command line is done once, reported in exit codes and JSON,
// and kept by the next run.
// Method: a generated world in the database, the compiled program as a process, and the books after each step.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../scripts/evaluate/score/make-world';
import { inferPayouts } from '../../src/payout-inference';
import { openRooms } from '../integration/ledger/rooms';
import { putWorld } from '../integration/reconciliation/put-world';
import { describeOnEachDatabase } from '../support/db';
import { type CliResult, runCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { Installation } from './support/installation';

const LIMIT_MS = 300_000;
const START = '2026-01-01T00:00:00+01:00';
const LONG_AFTER = '2026-12-01T09:00:00+01:00';
const REASON = 'the letter of the gateway';

interface Credit {
  readonly line_id: string;
  readonly outcome: string;
  readonly evidence: string | null;
  readonly item_ids: readonly string[];
  readonly proposal: readonly string[];
  readonly fee_millimes: number;
}

describeOnEachDatabase('decisions on matches and fees by command', (harness) => {
  let millime: Installation;
  let leila: string;
  let through: string;
  let first: Credit;

  const as = (key: string, ...args: string[]): Promise<CliResult> =>
    runCli(args, { ...millime.env, MILLIME_API_KEY: key });

  /** A run that finds breaks ends with 3. */
  async function reconcile(): Promise<Credit[]> {
    const { code, stdout, stderr } = await millime.cli('reconcile', '--through', through, '--json');
    expect({ stderr, known: code === 0 || code === 3 }).toEqual({ stderr: '', known: true });
    return (JSON.parse(stdout) as { credits: Credit[] }).credits;
  }

  const creditNow = async (): Promise<Credit | undefined> =>
    (await reconcile()).find(({ line_id }) => line_id === first.line_id);

  async function decided<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await as(leila, ...args, '--json');
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return JSON.parse(stdout) as T;
  }

  beforeEach(async () => {
    const world = scenarioNamed('fees-learned')?.generate(1, { items: 300, days: 40 });
    if (world === undefined) throw new Error('the scenario is there');
    millime = new Installation(harness.url, { clock: LONG_AFTER });
    await putWorld(harness.database, openRooms(harness.database, START, inferPayouts), world);
    through = world.files.lines.at(-1)?.bookingDate ?? '';
    const args = ['keys', 'create', '--recover', '--reason', 'first', '--name', 'leila', '--scopes', 'all'];
    leila = (await millime.cli(...args)).stdout.trim();
    const found = (await reconcile()).find(({ outcome }) => outcome === 'resolved');
    if (found === undefined) throw new Error('the world has a payout that is explained');
    first = found;
  }, LIMIT_MS);

  test(
    'a match is taken back, left open by the next run, and forced again',
    async () => {
      const { line_id: line, item_ids: items } = first;
      expect((await millime.cli('reconcile', 'unmatch', line, '--reason', REASON)).code).toBe(2);
      expect((await as(leila, 'reconcile', 'unmatch', line)).code).toBe(2);
      expect(await decided('reconcile', 'unmatch', line, '--reason', REASON, '--dry-run')).toMatchObject({
        dryRun: true,
        itemIds: items,
      });
      expect(await decided('reconcile', 'unmatch', line, '--reason', REASON)).toMatchObject({
        lineId: line,
        itemIds: items,
        dryRun: false,
      });
      const again = await as(leila, 'reconcile', 'unmatch', line, '--reason', REASON);
      expect({ code: again.code, stderr: again.stderr }).toEqual({
        code: 2,
        stderr: `millime: matched line not found: "${line}"; run "millime report payouts"\n`,
      });
      // A run does not make again what a person took back; alone behind later payouts the credit proves little.
      expect(await creditNow()).toMatchObject({ outcome: 'ambiguous', item_ids: [] });
      expect(await millime.brokenInvariants()).toEqual([]);

      const tooFew = await as(leila, 'reconcile', 'match', line, '--items', items.slice(1).join(','), '--reason', 'x');
      expect(tooFew.code).toBe(2);
      expect(tooFew.stderr).toContain('differ from the credit by');
      const matched = await decided('reconcile', 'match', line, '--items', items.join(','), '--reason', REASON);
      expect(matched).toMatchObject({ lineId: line, remainderMillimes: 0, feeMillimes: first.fee_millimes });
      expect(await creditNow()).toMatchObject({ outcome: 'resolved', evidence: 'asserted', item_ids: items });
      expect(await millime.brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'learned fees are shown as inferred until they are confirmed, once',
    async () => {
      const shown = await millime.json<unknown[]>(['reconcile', 'fees']);
      expect(shown).toMatchObject([{ state: 'inferred', confirmedBy: null }]);
      expect((await millime.cli('reconcile', 'fees', '--confirm', '--reason', REASON)).code).toBe(2);
      const dry = await decided<unknown[]>('reconcile', 'fees', '--confirm', '--reason', REASON, '--dry-run');
      expect(dry).toEqual(shown);
      const confirmed = await decided<unknown[]>('reconcile', 'fees', '--confirm', '--reason', REASON);
      expect(confirmed).toMatchObject([{ state: 'confirmed', confirmedBy: 'leila' }]);
      expect((await as(leila, 'reconcile', 'fees', '--confirm', '--reason', REASON)).code).toBe(2);
      expect((await reconcile()).filter(({ outcome }) => outcome === 'resolved').length).toBeGreaterThan(0);
      expect(await millime.json(['reconcile', 'fees'])).toEqual(confirmed);
    },
    LIMIT_MS,
  );

  test(
    'contract fees come from a file, which is validated as a whole before anything is stored',
    async () => {
      const [learned] = await millime.json<{ fees: Record<string, unknown>[] }[]>(['reconcile', 'fees']);
      const fees = (learned?.fees ?? []).map((rule) => ({ ...rule, from: '2026-01-01' }));
      const path = join(mkdtempSync(join(testRun.folder, 'fees-')), 'fees.json');
      const give = ['reconcile', 'fees', '--file', path, '--reason', REASON];
      writeFileSync(path, JSON.stringify(fees.map((rule) => ({ ...rule, rate_ppm: -1 }))));
      const refused = await as(leila, ...give);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${path}, [0].rate_ppm: `) });
      writeFileSync(path, JSON.stringify(fees));
      expect((await as(leila, ...give, '--confirm')).code).toBe(2);
      expect((await millime.cli(...give)).code).toBe(2);
      expect(await millime.json(['reconcile', 'fees'])).toEqual([learned]);
      const given = { state: 'given', confirmedBy: 'leila', credits: [], fees };
      expect(await decided<unknown[]>(...give, '--dry-run')).toMatchObject([given, { state: 'inferred' }]);
      expect(await millime.json(['reconcile', 'fees'])).toEqual([learned]);
      expect(await decided<unknown[]>(...give)).toMatchObject([given, { state: 'inferred' }]);
      expect((await as(leila, ...give)).stderr).toContain('already in force');
      expect((await reconcile()).filter(({ outcome }) => outcome === 'resolved').length).toBeGreaterThan(0);
      expect(await millime.brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );
});
