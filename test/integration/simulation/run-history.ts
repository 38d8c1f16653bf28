import { expect } from '@jest/globals';
import type { Database } from '../../../src/db';
import { addDays, isAppError, parseInstant } from '../../../src/kernel';
import { BY_TEST } from '../../support/factories';
import { type Random, randomFrom } from '../../support/random';
import { check, type Damage, damage } from './check';
import { converge } from './converge';
import type { Gateway } from './gateway';
import type { HistoryPlan, Step, Wait } from './history';
import { type InjectedFaults, injectFaults } from './injected-faults';
import { Model } from './model';
import { clearNetworkFaults, orderNetworkFaults } from './network-faults';
import { OPERATIONS } from './operations';
import { beginPauses } from './pauses';
import { type GatewayAddress, type ProcessRooms, processRooms } from './process';
import type { Answer, Scene, Settle, Settled, Work } from './scene';
import { Turnstile } from './turnstile';

const START = '2026-03-02T09:00:00+01:00';
const AGENTS = ['004711', '4711', 'é', 'É', 'closed'];
const FAULT_CODES = ['unavailable', 'outcome_unknown', 'storage_broken', 'interrupted'] as const;
const SHOWN_MAX = 200;

/** One of the two processes: its rooms, the faults between it and the database, and how wrong its clock is. */
interface Process {
  readonly rooms: ProcessRooms;
  readonly database: Database;
  readonly faults: InjectedFaults;
  skewMs: number;
}

export interface HistoryParts {
  /** One database, opened twice. */
  readonly databases: readonly [Database, Database];
  readonly gateway: Gateway | undefined;
  readonly address: GatewayAddress | undefined;
}

/** Executes a history with the model beside it. All that happens follows from the plan. */
export class History {
  /** What was done, and which faults struck, for the reader of a failure. */
  readonly log: string[] = [];
  readonly model = new Model();
  readonly struckPlaces = new Set<string>();
  longestMs = 0;
  readonly #gateway: Gateway | undefined;
  readonly #processes: readonly [Process, Process];
  readonly #turnstile = new Turnstile();
  #now = parseInstant(START) ?? 0;

  constructor({ databases, gateway, address }: HistoryParts) {
    const [first, second] = databases;
    this.#gateway = gateway;
    this.#processes = [this.#process(first, 0, address), this.#process(second, 1, address)];
  }

  async run({ tidy, steps }: HistoryPlan): Promise<void> {
    beginPauses((ms) => this.#setNow(this.#now + ms));
    const [{ rooms }] = this.#processes;
    await rooms.importAgents(...AGENTS);
    for (const agentId of AGENTS) this.model.agents.set(agentId, 'open');
    await rooms.agents.close('closed', BY_TEST);
    this.model.agents.set('closed', 'closed');
    for (const [index, step] of steps.entries()) {
      await this.#step(step, index + 1, tidy);
      await this.check();
    }
    for (const process of this.#processes) process.skewMs = 0;
    await this.#passUntil(this.#now);
    if (this.#gateway !== undefined) {
      await converge(this.#gateway, rooms, (ms) => this.#passUntil(this.#now + ms));
    }
    await this.check(true);
    expect(await rooms.closing.verify()).toEqual([]);
  }

  /** The books say what the model says, and no invariant is broken. */
  check(isLast = false): Promise<void> {
    const [{ rooms, database }] = this.#processes;
    return check({ database, rooms, model: this.model, gateway: this.#gateway, isLast });
  }

  damage(): Promise<Damage> {
    return damage(this.#processes[0].database, this.model);
  }

  #process(opened: Database, number: number, address: GatewayAddress | undefined): Process {
    const faults = injectFaults(opened, () => this.#now);
    const database = this.#turnstile.around(opened, number);
    return { rooms: processRooms(database, this.#now, address), database, faults, skewMs: 0 };
  }

  async #step(step: Step, number: number, tidy: boolean): Promise<void> {
    const process = this.#processes[step.process];
    const random = randomFrom(step.seed);
    if (step.skewMs !== undefined) process.skewMs = step.skewMs;
    this.log.push(`${number}. ${step.operation} by process ${step.process}${clockText(step)}`);
    // Webhooks that are sent meanwhile meet the faults of the step too; the gateway repeats what was not taken.
    process.faults.plan(step.database);
    await this.#passUntil(this.#now + waitedMs(step.wait, this.#now, process), process);
    process.faults.plan([]);
    const simulator = this.#gateway?.simulator;
    if (simulator !== undefined) orderNetworkFaults(simulator, step.network);
    const scene: Scene = {
      ...{ rooms: process.rooms, database: process.database, model: this.model, random, step: number, tidy },
      gateway: this.#gateway,
      isInPeace: step.database.length === 0,
      settle: this.#settleOf(process, step),
      now: () => this.#now,
      pass: (ms) => this.#passUntil(this.#now + ms),
      beside: (skewMs, work) => this.#beside(step, skewMs, work),
      race: (pausedMs, works, onSwitch) =>
        this.#race(step, random, works, () => {
          this.#setNow(this.#now + pausedMs);
          onSwitch?.();
        }),
    };
    await OPERATIONS[step.operation](scene);
    if (simulator !== undefined) clearNetworkFaults(simulator);
  }

  /** The process of the step is the first; the faults strike it, and not the other one. */
  async #race(step: Step, random: Random, works: readonly [Work, Work], onSwitch: () => void): Promise<void> {
    const [one, other] = step.process === 0 ? this.#processes : [this.#processes[1], this.#processes[0]];
    const sides = [
      { process: one, settle: this.#settleOf(one, step) },
      { process: other, settle: this.#settleOf(other, { ...step, database: [] }) },
    ];
    const turns = step.process === 0 ? sides : sides.toReversed();
    await this.#turnstile.run(
      turns.map(({ process: { rooms, database }, settle }) => {
        const work = works[settle === sides[0]?.settle ? 0 : 1];
        return () => work({ rooms, database, settle });
      }),
      random,
      onSwitch,
    );
    await this.#passUntil(this.#now);
  }

  async #beside(step: Step, skewMs: number, work: Work): Promise<void> {
    const other = this.#processes[step.process === 0 ? 1 : 0];
    const before = other.skewMs;
    other.skewMs = skewMs;
    this.#setNow(this.#now);
    await work({ ...other, settle: this.#settleOf(other, { ...step, database: [] }) });
    other.skewMs = before;
    this.#setNow(this.#now);
  }

  async #passUntil(instant: number, { rooms }: Process = this.#processes[0]): Promise<void> {
    this.#setNow(instant);
    if (this.#gateway?.isInUse === true) await this.#gateway.passUntil(instant, rooms.webhooks);
  }

  #setNow(instant: number): void {
    this.#now = instant;
    for (const { rooms, skewMs } of this.#processes) rooms.clock.set(instant + skewMs);
  }

  #settleOf(process: Process, step: Step): Settle {
    let calls = 0;
    return async <T>(what: string, call: () => Promise<T>): Promise<Settled<T>> => {
      calls += 1;
      this.log.push(`  ${what}`);
      process.faults.plan(step.database.filter((fault) => fault.call === calls));
      const startedAt = performance.now();
      const first = await answerOf(call);
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      const struck = process.faults.struck();
      process.faults.plan([]);
      for (const fault of struck) this.struckPlaces.add(/ at (\w+)/.exec(fault)?.[1] ?? fault);
      this.log.push(...struck.map((fault) => `    ${fault}`), `    -> ${say(first.answer)}`);
      if (first.answered) return { ...first, struck };
      // Nothing may fail by itself, and in peace nothing may fail at all.
      expect(struck).not.toEqual([]);
      const second = await answerOf(call);
      this.log.push(`    again -> ${say(second.answer)}`);
      expect(second).toMatchObject({ answered: true });
      return { ...second, answered: false, struck };
    };
  }
}

async function answerOf<T>(call: () => Promise<T>): Promise<Omit<Settled<T>, 'struck'>> {
  try {
    return { answered: true, answer: await call() };
  } catch (error) {
    if (!isAppError(error) || error.code === 'internal') throw error;
    const answered = !FAULT_CODES.some((code) => code === error.code);
    return { answered, answer: `refused: ${error.code}` };
  }
}

function waitedMs(wait: Wait, now: number, { rooms: { calendar } }: Process): number {
  if (typeof wait === 'number') return wait;
  const midnight = calendar.startOf(addDays(calendar.dateOf(now), 1));
  return Math.max(0, midnight + wait.midnightPlusMs - now);
}

function clockText({ wait, skewMs }: Step): string {
  const waited = typeof wait === 'number' ? `${wait} ms later` : `midnight and ${wait.midnightPlusMs} ms`;
  return `, ${waited}${skewMs === undefined ? '' : `, clock wrong by ${skewMs} ms`}`;
}

function say(answer: Answer<unknown>): string {
  const text = JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return typeof text === 'string' && text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
