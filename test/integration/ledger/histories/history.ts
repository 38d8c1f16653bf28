import { expect } from '@jest/globals';
import { type Database, rowsOf } from '../../../../src/db';
import { isAppError, toTotal } from '../../../../src/kernel';
import {
  agentReceivable,
  bankAccount,
  DUES_ASSESSED,
  gatewayClearing,
  OPENING_BALANCES,
  openLedger,
  PAYMENTS_RECEIVED,
} from '../../../../src/ledger';
import { BY_TEST } from '../../../support/factories';
import { type Random, randomFrom } from '../../../support/random';
import { sweepBySums } from '../../../support/sweep-by-sums';
import { ITEM_CHANNELS } from '../gateway-money';
import { openRooms, type Rooms } from '../rooms';
import {
  earlierStatement,
  otherLines,
  overlappingStatement,
  payOut,
  payOutOddly,
  sameFileAgain,
  statementAfterGap,
  unprovenStatement,
} from './bank';
import {
  correctFee,
  payAgain,
  payDifferently,
  payForAgent,
  payThroughChannel,
  refund,
  refundTooMuch,
  testMoney,
} from './channels';
import { confirmAgain, confirmBadly, confirmBatch, confirmNew, overpay } from './gateway';
import { type InjectedFaults, injectFaults, someFaults } from './injected-faults';
import { Model } from './model';
import {
  cancelDue,
  cancelUnknownDue,
  closeAgent,
  importAgents,
  importBadDues,
  importDues,
  importDuesOnTrial,
  reverseByHand,
} from './people';
import { lookBack, reconcile, reconcileOnTrial } from './reconciling';
import type { Answer, Operation, Scene, Settled } from './scene';

const START = '2026-03-02T09:00:00+01:00';
const MS_PER_HOUR = 3_600_000;
const STEPS_MIN = 5;
const STEPS_MAX = 40;
const AGENTS = ['004711', '4711', 'é', 'É', 'closed'];
const FAULT_CODES = ['unavailable', 'outcome_unknown', 'storage_broken', 'interrupted'] as const;

/** Those that stand here more often happen more often. */
const OPERATIONS: readonly Operation[] = [
  ...[
    confirmNew,
    confirmNew,
    confirmNew,
    confirmNew,
    confirmAgain,
    confirmAgain,
    confirmBadly,
    confirmBatch,
    confirmBatch,
  ],
  ...[overpay, importDues, importDues, importDuesOnTrial, importBadDues, cancelDue, cancelDue, cancelUnknownDue],
  ...[importAgents, closeAgent, reverseByHand, payOut, payOut, payOutOddly, payOutOddly, otherLines, sameFileAgain],
  ...[payThroughChannel, payThroughChannel, payThroughChannel, payForAgent, payForAgent, payAgain, payDifferently],
  ...[refund, refund, refund, refundTooMuch, correctFee, correctFee, correctFee, testMoney],
  ...[unprovenStatement, statementAfterGap, overlappingStatement, earlierStatement],
  ...[reconcile, reconcile, reconcileOnTrial, lookBack],
];

/** What the books were found to be wrong about, against what the callers were told. */
export interface Damage {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

/** A few dozen random operations under random faults, with the model beside them. All of it follows from the seeds. */
export class History {
  /** What was done, and which faults struck, for whoever has to find out. */
  readonly log: string[] = [];
  longestMs = 0;
  readonly model = new Model();
  readonly #database: Database;
  readonly #faults: InjectedFaults;
  readonly #rooms: Rooms;
  readonly #random: Random;
  readonly #tidy: boolean;

  constructor(database: Database, ...seeds: readonly number[]) {
    this.#database = database;
    this.#faults = injectFaults(database);
    // The bank of these histories pays what agents confirmed, and nothing of the other channels.
    this.#rooms = openRooms(
      database,
      START,
      sweepBySums([], ({ channel }) => channel === 'agent'),
    );
    this.#random = randomFrom(...seeds);
    this.#tidy = this.#random.onceIn(2);
  }

  async run(): Promise<void> {
    await this.#rooms.importAgents(...AGENTS);
    for (const agentId of AGENTS) this.model.agents.set(agentId, 'open');
    await this.#rooms.agents.close('closed', BY_TEST);
    this.model.agents.set('closed', 'closed');
    const steps = STEPS_MIN + this.#random.below(STEPS_MAX - STEPS_MIN + 1);
    for (let step = 1; step <= steps; step += 1) {
      this.#rooms.clock.advance(1 + this.#random.below(8 * MS_PER_HOUR));
      await this.#random.oneOf(OPERATIONS)(this.#scene(step));
      await this.check();
    }
  }

  /** The books say what the model says, and no invariant is broken. */
  async check(): Promise<void> {
    const { model } = this;
    const said = await this.#database.read(async (session) => {
      const ledger = openLedger(session);
      const accounts = [...model.agents.keys()].map(agentReceivable);
      const balances = await ledger.balances(accounts);
      const opened = [...model.banks.keys()];
      const [refusals] = await rowsOf(session('confirm_refusals').sum('times as times'));
      const gaps = await rowsOf(
        session('recon_breaks').select('id').where('class', 'statement_gap').whereNot('status', 'resolved'),
      );
      const [matches] = await rowsOf(
        session('payout_claimed_lines as k')
          .join('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'k.line_id'))
          .select(session.fragment('cast(sum(m.gross_millimes) as char) as total')),
      );
      return {
        owed: accounts.map((account) => BigInt(balances.get(account) ?? 0)),
        assessed: -(await ledger.sumOf(DUES_ASSESSED)),
        clearing: await ledger.sumOf(gatewayClearing('agent')),
        channels: await Promise.all(ITEM_CHANNELS.map((channel) => ledger.sumOf(gatewayClearing(channel)))),
        received: -(await ledger.sumOf(PAYMENTS_RECEIVED)),
        opening: -(await ledger.sumOf(OPENING_BALANCES)),
        banks: await Promise.all(opened.map((account) => ledger.sumOf(bankAccount(account)))),
        gaps: gaps.length,
        refusals: Number(refusals?.['times'] ?? 0),
        matched: toTotal(matches?.['total']),
      };
    });
    const { assessed, opening, confirmed } = model.sums();
    expect(said).toEqual({
      owed: [...model.agents.keys()].map((agentId) => model.owed(agentId)),
      assessed,
      clearing: confirmed - said.matched,
      channels: ITEM_CHANNELS.map((channel) => model.clearing(channel)),
      received: model.kept(({ given }) => given.agentId === undefined),
      opening,
      banks: [...model.banks.values()].map(({ booked }) => BigInt(booked)),
      gaps: [...model.banks.values()].reduce((total, { gaps }) => total + gaps, 0),
      refusals: expect.anything(),
      matched: said.matched,
    });
    expect(said.refusals).toBeGreaterThanOrEqual(model.refusalsAnswered);
    expect(said.refusals).toBeLessThanOrEqual(model.refusalsMade);
    expect(await this.damage()).toEqual({ acknowledged: model.acknowledged.size, lost: 0, doubled: 0 });
    expect(await this.#rooms.reporting.verifyBooks()).toEqual([]);
  }

  async damage(): Promise<Damage> {
    const rows = await this.#database.read((session) =>
      rowsOf(session('agent_confirmations').select('transaction_id', 'agent_id', 'amount_millimes')),
    );
    const stored = new Map(rows.map((row) => [String(row['transaction_id']), row]));
    const { acknowledged } = this.model;
    const unasked = [...stored].filter(([id, row]) => {
      const call = this.model.stored.get(id);
      return call?.agentId !== row['agent_id'] || call?.amount !== Number(row['amount_millimes']);
    });
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => !stored.has(id)).length,
      doubled: rows.length - stored.size + unasked.length,
    };
  }

  #scene(step: number): Scene {
    return {
      rooms: this.#rooms,
      database: this.#database,
      model: this.model,
      random: this.#random,
      step,
      tidy: this.#tidy,
      settle: (what, call) => this.#settle(what, call),
    };
  }

  async #settle<T>(what: string, call: () => Promise<T>): Promise<Settled<T>> {
    this.log.push(what);
    this.#faults.plan(someFaults(this.#random));
    const startedAt = performance.now();
    const first = await this.#answerOf(call);
    this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
    const struck = this.#faults.struck();
    this.#faults.plan([]);
    this.log.push(...struck.map((fault) => `    ${fault}`), `  -> ${say(first.answer)}`);
    if (first.answered) return first;
    // Nothing may fail by itself, and in peace nothing may fail at all.
    expect(struck).not.toEqual([]);
    const second = await this.#answerOf(call);
    this.log.push(`  again -> ${say(second.answer)}`);
    expect(second).toMatchObject({ answered: true });
    return { ...second, answered: false };
  }

  async #answerOf<T>(call: () => Promise<T>): Promise<Settled<T>> {
    try {
      return { answered: true, answer: await call() };
    } catch (error) {
      if (!isAppError(error) || error.code === 'internal') throw error;
      const answered = !FAULT_CODES.some((code) => code === error.code);
      return { answered, answer: `refused: ${error.code}` };
    }
  }
}

const SHOWN_MAX = 200;

function say(answer: Answer<unknown>): string {
  const text = JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return typeof text === 'string' && text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
