import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sqliteDriver } from '../../src/db';
import { freshDatabase } from '../support/db';
import type { CliResult, ServerProcess } from '../support/server-process';
import { audit } from './support/audit';
import { bankStatement } from './support/bank-statement';
import { type Answer, call, checkPath } from './support/call';
import { tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { countRows, selectRows } from './support/tables';

// Goal: on the embedded database a large import in a second process does not block the serving process.
// Method: payments throughout the import; only those sent and answered during it count.

const DUES = 20_000;
const STATEMENT_LINES = 20_000;
const CALLERS = 4;
const LIMIT_MS = 180_000;
const AGENTS = Array.from({ length: 50 }, (_, index) => `AG-${index + 1}`);

describe('an import during service on the embedded database', () => {
  // Before the row is recorded, which is what comes next.
  afterAll(() => tally.add(millime, journal));
  const tally = tallyFault({ fault: 'import', what: 'large imports beside payments', database: 'sqlite' });
  let millime: Installation;
  let service: ServerProcess;
  let token: string;
  const opening = new Map<string, number>();
  const journal = new Journal();

  beforeAll(async () => {
    millime = new Installation((await freshDatabase('sqlite')).url);
    for (const [agentId, due] of await millime.seedAgents(AGENTS, 1_000_000)) opening.set(agentId, due);
    token = await millime.token();
  });

  beforeEach(async () => {
    service = await millime.serve({ role: 'http' });
  });

  const confirm = (confirms: ReturnType<typeof confirmsFor>): Promise<void> =>
    sendConfirms({ confirms, clients: 1, baseUrl: () => service.baseUrl, token, journal });
  const check = (agentId: string): Promise<Answer> =>
    call(service.baseUrl, { method: 'GET', path: checkPath(agentId), token });

  /** Sends a confirm and a check by turns from several callers until the import ends. */
  async function payDuring(
    importing: Promise<CliResult>,
    prefix: string,
    isInTheMiddle: () => Promise<boolean>,
  ): Promise<{ result: CliResult; checks: Answer[]; inTheMiddle: number }> {
    let running = true;
    const ended = importing.finally(() => (running = false));
    const checks: Answer[] = [];
    let inTheMiddle = 0;
    const caller = async (number: number): Promise<void> => {
      for (let turn = 0; running; turn += 1) {
        const before = await isInTheMiddle();
        await confirm(confirmsFor(AGENTS.slice(number), 1, `${prefix}-${number}-${turn}`));
        checks.push(await check(AGENTS[(number + turn) % AGENTS.length] as string));
        if (before && (await isInTheMiddle())) inTheMiddle += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
    return { result: await ended, checks, inTheMiddle };
  }

  test(
    `${DUES} dues are imported while checks and confirms are answered`,
    async () => {
      const rows = Array.from({ length: DUES }, (_, index) => {
        const agentId = AGENTS[index % AGENTS.length] as string;
        opening.set(agentId, (opening.get(agentId) ?? 0) + 1_000 + index);
        return `BULK-${index + 1},${agentId},${1_000 + index},2026-02-01,`;
      });
      const file = millime.file('bulk.csv', ['reference,agent_id,amount_millimes,due_date,memo', ...rows].join('\n'));
      const importing = millime.cli('dues', 'import', file, '--json');
      const { result, checks, inTheMiddle } = await payDuring(importing, 'DUES', async () => {
        const imported = await countRows(millime.url, 'dues', "reference like 'BULK-%'");
        return imported > 0 && imported < DUES;
      });

      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(result.stdout)).toMatchObject({ added: DUES, unchanged: 0 });
      expect(checks.filter(({ status }) => status !== 200)).toEqual([]);
      expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
      expect(inTheMiddle).toBeGreaterThanOrEqual(10);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    `a statement of ${STATEMENT_LINES} lines is imported while checks and confirms are answered`,
    async () => {
      const file = millime.file('statement.csv', bankStatement(STATEMENT_LINES));
      const isPosted = async (): Promise<boolean> => {
        const [load] = await selectRows(millime.url, 'select state from statement_loads');
        return load?.['state'] === 'posted';
      };
      const importing = millime.cli('statements', 'import', file, '--json');
      const { result, checks, inTheMiddle } = await payDuring(importing, 'STATEMENT', async () => !(await isPosted()));

      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(result.stdout)).toMatchObject({
        outcome: 'imported',
        statements: [{ entries: STATEMENT_LINES, verdict: 'ok' }],
      });
      expect(await countRows(millime.url, 'bank_statement_lines')).toBe(STATEMENT_LINES);
      expect(checks.filter(({ status }) => status !== 200)).toEqual([]);
      expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
      expect(inTheMiddle).toBeGreaterThanOrEqual(10);
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'checks are answered while confirms wait for a writing process',
    async () => {
      const writer = new (sqliteDriver())(millime.url.slice('sqlite:'.length));
      try {
        writer.exec('begin immediate');
        const sentBefore = journal.attempts.length;
        const waiting = sendConfirms({
          confirms: confirmsFor(AGENTS, 10, 'WAITING'),
          clients: 10,
          baseUrl: () => service.baseUrl,
          token,
          journal,
        });
        for (const agentId of AGENTS.slice(0, 20)) expect((await check(agentId)).status).toBe(200);
        expect(journal.attempts).toHaveLength(sentBefore);
        writer.exec('rollback');
        await waiting;
        expect(journal.attempts.slice(sentBefore).map(({ reply }) => reply)).toEqual(Array(10).fill('0'));
      } finally {
        writer.close();
      }
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'confirms that wait too long get 503 before their deadline, are not stored, and get 0 at the resend',
    async () => {
      const writer = new (sqliteDriver())(millime.url.slice('sqlite:'.length));
      const confirms = confirmsFor(AGENTS, 10, 'TOO-LONG');
      const load = { confirms, clients: 10, baseUrl: () => service.baseUrl, token, journal };
      const sentBefore = journal.attempts.length;
      try {
        writer.exec('begin immediate');
        await sendConfirms(load);
        expect((await check('AG-1')).status).toBe(200);
        writer.exec('rollback');
      } finally {
        writer.close();
      }
      const late = journal.attempts.slice(sentBefore);
      expect(late.map(({ reply }) => reply)).toEqual(confirms.map(() => '503'));
      expect(await countRows(millime.url, 'agent_confirmations', "transaction_id like 'TOO-LONG-%'")).toBe(0);

      await sendConfirms(load);
      expect(journal.attempts.slice(sentBefore + 10).map(({ reply }) => reply)).toEqual(confirms.map(() => '0'));
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );
});
