import { join } from 'node:path';
import { type AgentSettlement, createAgentSettlement } from '../../../src/agent-settlement';
import { decodeConfirm } from '../../../src/agent-settlement/testing';
import { type Agents, createAgents } from '../../../src/agents';
import { type Breaks, createBreaks } from '../../../src/breaks';
import { loadHolidays } from '../../../src/config';
import type { Database } from '../../../src/db';
import { createDues, type Dues } from '../../../src/dues';
import {
  type BusinessCalendar,
  businessCalendar,
  businessDate,
  newId,
  PACKAGE_ROOT,
  WorkingDays,
} from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createReconciliation, linesInUse, type Reconciliation } from '../../../src/reconciliation';
import { createReporting, type Reporting } from '../../../src/reporting';
import { bankFileOfBytes, createStatements, type Statements } from '../../../src/statements';
import { type LineGiven, SHIPPED_PROFILES_FILE, statementBytes } from '../../fixtures/statements/statement-bytes';
import { BY_TEST, TESTER } from '../../support/factories';
import { type FixedClock, fixedClock } from '../../support/fakes';
import { sweepBySums } from '../../support/sweep-by-sums';

/** What the shipped profile takes for a payout of the gateway. */
export const PAYOUT_TEXT = 'VIR RECU SERVICE DE PAIEMENT SA';

export interface Call {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amount: number;
}

/** The rooms that move money, on one database and one clock, and short ways to use them. */
export interface Rooms {
  readonly clock: FixedClock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly agents: Agents;
  readonly dues: Dues;
  readonly breaks: Breaks;
  readonly agentSettlement: AgentSettlement;
  readonly statements: Statements;
  readonly reconciliation: Reconciliation;
  readonly reporting: Reporting;
  importAgents(...agentIds: readonly string[]): Promise<void>;
  /** Each due as `[reference, agentId, amount]`. */
  importDues(...dues: readonly (readonly [string, string, number])[]): Promise<void>;
  /** A confirm that arrives now, or at the instant given. */
  confirm(call: Call, at?: string): ReturnType<AgentSettlement['confirm']>;
  /** The next statement of the account, whose opening balance follows from the ones before. */
  importStatement(lines: readonly LineGiven[], account?: string): Promise<void>;
  reconcile(through: string, options?: { dryRun?: boolean }): Promise<Awaited<ReturnType<Reconciliation['run']>>>;
}

/** `start` is where a clock of its own stands, or the clock. */
export function openRooms(database: Database, start: string | FixedClock, infer = sweepBySums()): Rooms {
  const clock = typeof start === 'string' ? fixedClock(start) : start;
  const calendar = businessCalendar('Africa/Tunis');
  const workingDays = new WorkingDays(loadHolidays(join(PACKAGE_ROOT, 'reference-data', 'holidays.csv')));
  const shared = { database, clock, calendar, logger: silentLogger };
  const agents = createAgents(shared);
  const dues = createDues(shared);
  const agentSettlement = createAgentSettlement({ ...shared, amountMax: undefined });
  const statements = createStatements({ linesInUse, ...shared, profilesFile: SHIPPED_PROFILES_FILE });
  const reconciliation = createReconciliation({ ...shared, workingDays, infer });
  const balances = new Map<string, number>();
  return {
    clock,
    calendar,
    workingDays,
    agents,
    dues,
    breaks: createBreaks({ database }),
    agentSettlement,
    statements,
    reconciliation,
    reporting: createReporting(shared),
    async importAgents(...agentIds) {
      const rows = agentIds.map((agentId) => `${agentId},Agent ${agentId},+216 20 000 000`);
      await agents.importCsv(Buffer.from(['agent_id,full_name,phone', ...rows].join('\n')), BY_TEST);
    },
    async importDues(...given) {
      const rows = given.map(([reference, agentId, amount]) => `${reference},${agentId},${amount},2026-03-01,`);
      await dues.importCsv(
        Buffer.from(['reference,agent_id,amount_millimes,due_date,memo', ...rows].join('\n')),
        BY_TEST,
      );
    },
    async confirm(call, at) {
      if (at !== undefined) clock.set(at);
      const context = {
        attemptId: newId(),
        rawBody: JSON.stringify(call),
        receivedAt: clock.now(),
        caller: { subject: 'gateway', jti: 'token-1' },
      };
      const command = decodeConfirm({ ...call }, context);
      if (command === undefined) throw new Error('a call is an object');
      return agentSettlement.confirm(command);
    },
    async importStatement(lines, account = '11222333333333333344') {
      const opening = balances.get(account) ?? 1_000_000;
      const bytes = statementBytes({ account, opening, lines });
      const outcome = await statements.import({ file: bankFileOfBytes('bank.csv', bytes), actor: TESTER });
      if (outcome.kind !== 'imported') throw new Error('each statement of a scenario is a new one');
      balances.set(
        account,
        lines.reduce((sum, [, , amount]) => sum + amount, opening),
      );
    },
    reconcile: (through, { dryRun = false } = {}) => {
      // No run looks at a day that has not begun.
      if (calendar.dateOf(clock.now()) < through) clock.set(`${through}T23:00:00+01:00`);
      return reconciliation.run({ through: businessDate(through), actor: TESTER, dryRun });
    },
  };
}
