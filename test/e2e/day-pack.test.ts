import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import type { ServerProcess } from '../support/server-process';
import { type Answer, call } from './support/call';
import { Installation } from './support/installation';
import { contentsOf, selectRows } from './support/tables';

// Goal: a month of real gateway traffic yields every answer and figure that was computed for it in advance.
// Method: the day pack, replayed call by call over HTTP with the business clock at the instant of each call.

const PACK = join(__dirname, '..', '..', '..', 'shared', 'samples', 'day-pack');
const MINUTES_3 = 180_000;

interface PackCall {
  readonly at: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: { readonly transactionId?: unknown };
  readonly group?: string;
  readonly expect: { readonly status: number; readonly body: unknown };
}

interface Expected {
  readonly agents: number;
  readonly dues: number;
  readonly calls: number;
  readonly due_before_millimes: number;
  readonly agents_with_due_before: number;
  readonly confirmed_millimes: number;
  readonly due_after_millimes: number;
  readonly agents_with_due_after: number;
  readonly credit_after_millimes: number;
  readonly agents_with_credit_after: number;
  readonly answers: { readonly check: Record<string, number>; readonly confirm: Record<string, number> };
  readonly kinds: Readonly<Record<string, number>>;
  readonly concurrent_groups: number;
  readonly breaks: Readonly<Record<string, number>>;
  readonly statement: Readonly<Record<string, number>>;
  readonly pending_millimes: number;
  readonly payouts: readonly {
    readonly confirms: number;
    readonly amount_millimes: number;
    readonly booking_date: string | null;
  }[];
  readonly agent_balances_after: Readonly<Record<string, number>>;
}

interface Credit {
  readonly line_id: string;
  readonly outcome: string;
  readonly item_ids: readonly string[];
  readonly gross_millimes: number;
  readonly remainder_millimes: number;
}

interface Reconciled {
  readonly verdict: string;
  readonly credits: readonly Credit[];
  readonly matchedMillimes: number;
  readonly pendingMillimes: number;
  readonly breaks: readonly { readonly class: string }[];
}

if (existsSync(PACK)) describeOnEachDialect('the day pack', defineReplay);
else {
  process.stderr.write('day pack: ../shared/samples/day-pack is not here; its replay is skipped\n');
  describe.skip('the day pack', () => {
    test('is replayed', () => undefined);
  });
}

function defineReplay(dialect: 'sqlite' | 'mariadb'): void {
  const expected = JSON.parse(readFileSync(join(PACK, 'expected.json'), 'utf8')) as Expected;
  const calls = readFileSync(join(PACK, 'gateway-calls.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PackCall);
  const moments = inMoments(calls);
  let millime: Installation;

  beforeAll(async () => {
    const { url } = await freshDatabase(dialect);
    millime = new Installation(url, {
      clock: '2026-03-01T09:00:00+01:00',
      env: { HOLIDAYS_FILE: join(PACK, 'holidays.csv') },
    });
  });

  test('imports the agents and their dues', async () => {
    expect(await millime.json(['agents', 'import', join(PACK, 'agents.csv')])).toEqual({
      added: expected.agents,
      updated: 0,
      unchanged: 0,
      dryRun: false,
    });
    expect(await millime.json(['dues', 'import', join(PACK, 'dues.csv')])).toEqual({
      added: expected.dues,
      unchanged: 0,
      addedMillimes: expected.due_before_millimes,
      dryRun: false,
    });
    expect([...(await balances(millime)).values()].filter((due) => due > 0)).toHaveLength(
      expected.agents_with_due_before,
    );
  });

  test(
    'answers each call as expected',
    async () => {
      expect(calls).toHaveLength(expected.calls);
      expect(moments.filter((moment) => moment.length > 1)).toHaveLength(expected.concurrent_groups);
      const token = await millime.token();
      const server = await millime.serve();
      const wrong: unknown[] = [];
      const answers = { check: {} as Record<string, number>, confirm: {} as Record<string, number> };
      for (const moment of moments) {
        millime.setClock((moment[0] as PackCall).at);
        const given = await Promise.all(moment.map((each) => send(server, each, token)));
        wrong.push(...differences(moment, given));
        for (const [index, { body }] of given.entries()) {
          const counted = moment[index]?.method === 'GET' ? answers.check : answers.confirm;
          const { code = 'none' } = body as { code?: string };
          counted[code] = (counted[code] ?? 0) + 1;
        }
      }
      expect(wrong).toEqual([]);
      expect(answers).toEqual(expected.answers);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    },
    MINUTES_3,
  );

  test('stores each payment with the due at that moment, and nothing else', async () => {
    const stored = await selectRows(
      millime.url,
      'select amount_millimes as amount, balance_before_millimes as due from agent_confirmations',
    );
    const kinds = { exact: 0, partial: 0, over: 0 };
    let confirmed = 0;
    for (const row of stored) {
      const [amount, due] = [Number(row['amount']), Number(row['due'])];
      kinds[amount === due ? 'exact' : amount < due ? 'partial' : 'over'] += 1;
      confirmed += amount;
    }
    const { exact, partial, over } = expected.kinds;
    expect(kinds).toEqual({ exact, partial, over });
    expect(confirmed).toBe(expected.confirmed_millimes);
    const refused = await selectRows(millime.url, 'select kind, sum(times) as n from confirm_refusals group by kind');
    expect(Object.fromEntries(refused.map((row) => [row['kind'], Number(row['n'])]))).toEqual({
      identical: expected.kinds['identical_duplicate'],
      conflicting: expected.kinds['conflicting_duplicate'],
      unusable_transaction: expected.kinds['invalid_transaction_id'],
      unknown_agent: expected.kinds['unknown_agent'],
      invalid_amount: expected.kinds['bad_amount'],
    });
  });

  test('leaves each agent with the expected balance', async () => {
    const after = await balances(millime);
    const wanted = Object.entries(expected.agent_balances_after);
    expect(wanted.filter(([agentId, balance]) => (after.get(agentId) ?? 0) !== balance)).toEqual([]);
    const all = [...after.values()];
    expect(all.filter((balance) => balance > 0)).toHaveLength(expected.agents_with_due_after);
    expect(all.filter((balance) => balance < 0)).toHaveLength(expected.agents_with_credit_after);
    expect(sum(all.filter((balance) => balance > 0))).toBe(expected.due_after_millimes);
    expect(-sum(all.filter((balance) => balance < 0))).toBe(expected.credit_after_millimes);
  });

  test('shows due and credit of agents with similar ids', async () => {
    for (const agentId of ['004711', '04711', '4711', '100%25', '20540460']) {
      const balance = expected.agent_balances_after[agentId] as number;
      expect(await millime.json(['agents', 'due', agentId])).toEqual({
        agentId,
        fullName: expect.any(String),
        dueMillimes: Math.max(balance, 0),
        creditMillimes: Math.max(-balance, 0),
      });
    }
  });

  test('proves and imports the bank statement', async () => {
    const file = join(PACK, 'statement.csv');
    const { statement } = expected;
    const dinars = (millimes: number | undefined): string => ((millimes as number) / 1_000).toFixed(3);
    const figures = {
      currency: 'TND',
      opening: dinars(statement['opening_millimes']),
      closing: dinars(statement['closing_millimes']),
      entries: statement['lines'],
      credits: dinars(statement['credits_millimes']),
      debits: dinars(statement['debits_millimes']),
    };
    const before = await contentsOf(millime.url);
    const dry = await millime.json(['statements', 'import', file, '--dry-run']);
    const read = { account: expect.any(String), ...figures, verdict: 'ok' };
    expect(dry).toMatchObject({ verdict: 'ok', wouldImport: true, refusals: [], statements: [read] });
    expect(await contentsOf(millime.url)).toEqual(before);
    expect(await millime.json(['statements', 'import', file])).toMatchObject({
      outcome: 'imported',
      statements: [{ verdict: 'ok', ...figures }],
    });
    const imported = await contentsOf(millime.url);
    expect(await millime.json(['statements', 'import', file])).toMatchObject({ outcome: 'already_imported' });
    expect(await contentsOf(millime.url)).toEqual(imported);
  });

  test('explains each payout to the millime, and a second run changes nothing', async () => {
    const first = await millime.cli('reconcile', '--through', '2026-03-31', '--json');
    const after = await contentsOf(millime.url);
    const second = await millime.cli('reconcile', '--through', '2026-03-31', '--json');
    expect([first.code, second.code]).toEqual([3, 3]);
    expect(second.stdout).toBe(first.stdout);
    expect(await contentsOf(millime.url)).toEqual(after);

    const result = JSON.parse(first.stdout) as Reconciled;
    const resolved = result.credits.filter(({ outcome }) => outcome === 'resolved');
    expect(resolved).toHaveLength(expected.statement['payout_credits'] as number);
    expect(result.matchedMillimes).toBe(expected.statement['matched_millimes']);
    expect(result.pendingMillimes).toBe(expected.pending_millimes);
    expect(sum(resolved.map(({ remainder_millimes }) => remainder_millimes))).toBe(0);
    expect(result.verdict).toBe('breaks');
    expect(countedBy(result.breaks)).toEqual(expected.breaks);

    const bookedOn = new Map(
      (await selectRows(millime.url, 'select id, booking_date, amount_minor from bank_statement_lines')).map((row) => [
        row['id'],
        row,
      ]),
    );
    const paid = resolved.map(({ line_id, item_ids, gross_millimes }) => ({
      booking_date: bookedOn.get(line_id)?.['booking_date'],
      confirms: item_ids.length,
      amount_millimes: gross_millimes,
    }));
    expect(paid.map((each) => JSON.stringify(each)).sort()).toEqual(
      expected.payouts
        .filter((payout) => payout.booking_date !== null)
        .map(({ booking_date, confirms, amount_millimes }) =>
          JSON.stringify({ booking_date, confirms, amount_millimes }),
        )
        .sort(),
    );
    for (const { line_id, gross_millimes } of resolved) {
      expect(Number(bookedOn.get(line_id)?.['amount_minor'])).toBe(gross_millimes);
    }
  });

  test('does not match the unrelated credit', async () => {
    const credits = await selectRows(
      millime.url,
      'select id, amount_minor from bank_statement_lines where amount_minor > 0',
    );
    const matched = new Set(
      (await selectRows(millime.url, 'select line_id from payout_claimed_lines')).map((row) => row['line_id']),
    );
    const others = credits.filter((row) => !matched.has(row['id']));
    expect(others.map((row) => Number(row['amount_minor']))).toEqual([expected.statement['unrelated_millimes']]);
  });

  test('matches each confirm at most once', async () => {
    const items = await selectRows(millime.url, 'select item_id, amount_millimes from payout_match_items');
    const confirms = await selectRows(millime.url, 'select transaction_id, amount_millimes from agent_confirmations');
    const amounts = new Map(
      confirms.map((row) => [`service:${String(row['transaction_id'])}`, row['amount_millimes']]),
    );
    expect(items.filter((row) => amounts.get(String(row['item_id'])) !== row['amount_millimes'])).toEqual([]);
    expect(new Set(items.map((row) => row['item_id'])).size).toBe(items.length);
    expect(items).toHaveLength(sum(expected.payouts.filter((p) => p.booking_date !== null).map((p) => p.confirms)));
  });

  test('lists exactly the expected breaks', async () => {
    const breaks = await millime.json<{ class: string; status: string }[]>(['breaks', 'list']);
    expect(countedBy(breaks)).toEqual(expected.breaks);
    expect(breaks.filter(({ status }) => status === 'resolved')).toEqual([]);
  });

  test('reports the day with the same proven figures', async () => {
    const report = await millime.json<{ breaks: { class: string; count: number }[] }>([
      'report',
      'daily',
      '--through',
      '2026-03-31',
    ]);
    expect(report).toMatchObject({
      agentsNow: {
        open: expected.agents,
        owing: expected.agents_with_due_after,
        dueMillimes: expected.due_after_millimes,
        inCredit: expected.agents_with_credit_after,
        creditMillimes: expected.credit_after_millimes,
      },
      confirmed: { count: expected.answers.confirm['0'], amountMillimes: expected.confirmed_millimes },
      matched: { count: expected.statement['payout_credits'], amountMillimes: expected.statement['matched_millimes'] },
      onTheWay: { amountMillimes: expected.pending_millimes },
      proven: true,
    });
    expect(Object.fromEntries(report.breaks.map((each) => [each.class, each.count]))).toEqual(expected.breaks);
  });

  test('keeps a ledger that verifies', async () => {
    expect(await millime.brokenInvariants()).toEqual([]);
    const { due_before_millimes, due_after_millimes, credit_after_millimes, confirmed_millimes } = expected;
    expect(due_before_millimes - confirmed_millimes).toBe(due_after_millimes - credit_after_millimes);
    const clearing = await selectRows(
      millime.url,
      `select p.debit_account as debit, p.amount_millimes as amount from postings p
       where p.debit_account = 'gateway_clearing:agent' or p.credit_account = 'gateway_clearing:agent'`,
    );
    const owed = sum(
      clearing.map((row) => Number(row['amount']) * (row['debit'] === 'gateway_clearing:agent' ? 1 : -1)),
    );
    expect(owed).toBe(expected.pending_millimes);
  });
}

/** The calls in order; those of one group are one moment. */
function inMoments(calls: readonly PackCall[]): PackCall[][] {
  const moments: PackCall[][] = [];
  for (const each of calls) {
    const last = moments.at(-1);
    if (each.group !== undefined && last?.[0]?.group === each.group) last.push(each);
    else moments.push([each]);
  }
  return moments;
}

function send(server: ServerProcess, { method, path, body }: PackCall, token: string): Promise<Answer> {
  return call(server.baseUrl, { method, path, token, ...(body === undefined ? {} : { body }) });
}

/** What was answered otherwise than expected. Calls of one moment are compared without regard to their order. */
function differences(moment: readonly PackCall[], given: readonly Answer[]): unknown[] {
  const text = (each: PackCall, status: number, body: unknown): string =>
    JSON.stringify([each.method === 'GET' ? each.path : (each.body?.transactionId ?? null), status, body]);
  const wanted = moment.map((each) => text(each, each.expect.status, each.expect.body)).sort();
  const got = moment.map((each, index) => text(each, given[index]?.status ?? 0, given[index]?.body)).sort();
  return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [{ at: moment[0]?.at, wanted, got }];
}

/** What each agent owes by the ledger; below zero is his credit. */
async function balances(millime: Installation): Promise<Map<string, number>> {
  const rows = await selectRows(
    millime.url,
    "select account, balance_millimes from ledger_balances where account like 'agent_receivable:%'",
  );
  return new Map(
    rows.map((row) => [String(row['account']).slice('agent_receivable:'.length), Number(row['balance_millimes'])]),
  );
}

function countedBy(breaks: readonly { readonly class: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of breaks) counts[each.class] = (counts[each.class] ?? 0) + 1;
  return counts;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
