// Goal: whatever order people, the gateway and the bank do things in, the books are right after each step.
// Method: seeded random operations through the rooms, a small model of what each agent owes beside them, and every
// invariant of the books after each step. MILLIME_RANDOM_OPERATIONS sets how many, MILLIME_RANDOM_SEED which.
import { expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { openRooms, PAYOUT_TEXT, type Call, type Rooms } from './rooms';

const OPERATIONS = Number(process.env['MILLIME_RANDOM_OPERATIONS'] ?? 60);
const SEED = Number(process.env['MILLIME_RANDOM_SEED'] ?? 20_260_302);
const MS_PER_HOUR = 3_600_000;
const AGENTS = ['004711', '4711', 'é', 'closed'];

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Story {
  readonly log: string[] = [];
  readonly #rooms: Rooms;
  readonly #random: () => number;
  readonly #balances = new Map(AGENTS.map((agentId) => [agentId, 0]));
  readonly #dues = new Map<string, { agentId: string; amount: number; cancelled: boolean }>();
  readonly #calls: Call[] = [];
  #count = 0;
  #unpaid = 0;
  #inBank = 0;
  #matched = 0;

  constructor(rooms: Rooms, seed: number) {
    this.#rooms = rooms;
    this.#random = randomFrom(seed);
  }

  async begin(): Promise<void> {
    await this.#rooms.importAgents(...AGENTS);
    await this.#rooms.agents.close('closed', BY_TEST);
  }

  async step(): Promise<void> {
    this.#count += 1;
    this.#rooms.clock.advance(this.#below(8 * MS_PER_HOUR));
    const operation = this.#oneOf([
      () => this.#importDues(),
      () => this.#cancelDue(),
      () => this.#confirmNew(),
      () => this.#confirmNew(),
      () => this.#confirmNew(),
      () => this.#confirmAgain(),
      () => this.#confirmBadly(),
      () => this.#payOut(),
      () => this.#otherLines(),
      () => this.#reconcile(),
    ]);
    await operation();
  }

  /** What the rooms say is what the model says, and no invariant is broken. */
  async check(): Promise<void> {
    for (const [agentId, balance] of this.#balances) {
      const { due, credit } = await this.#rooms.dues.dueOf(agentId);
      expect([agentId, due - credit]).toEqual([agentId, balance]);
    }
    expect(await this.#rooms.reporting.verifyBooks()).toEqual([]);
  }

  async #importDues(): Promise<void> {
    const dues = Array.from({ length: 1 + this.#below(3) }, (_, index): [string, string, number] => [
      `D${this.#count}-${index}`,
      this.#oneOf(AGENTS.slice(0, 3)),
      1 + this.#below(500_000),
    ]);
    this.log.push(`import dues ${JSON.stringify(dues)}`);
    await this.#rooms.importDues(...dues);
    await this.#rooms.importDues(...dues);
    for (const [reference, agentId, amount] of dues) {
      this.#dues.set(reference, { agentId, amount, cancelled: false });
      this.#move(agentId, amount);
    }
  }

  async #cancelDue(): Promise<void> {
    if (this.#dues.size === 0) return;
    const [reference, due] = this.#oneOf([...this.#dues]);
    this.log.push(`cancel due ${reference}`);
    const outcome = await this.#rooms.dues.cancel(reference, 'by chance', BY_TEST);
    expect(outcome).toBe(due.cancelled ? 'already_cancelled' : 'cancelled');
    if (!due.cancelled) this.#move(due.agentId, -due.amount);
    due.cancelled = true;
  }

  async #confirmNew(): Promise<void> {
    const call = {
      transactionId: `T${this.#count}`,
      agentId: this.#oneOf(AGENTS.slice(0, 3)),
      amount: 1 + this.#below(300_000),
    };
    this.log.push(`confirm ${JSON.stringify(call)}`);
    expect(await this.#rooms.confirm(call)).toBe('stored');
    this.#calls.push(call);
    this.#move(call.agentId, -call.amount);
    this.#unpaid += call.amount;
  }

  async #confirmAgain(): Promise<void> {
    if (this.#calls.length === 0) return;
    const call = this.#oneOf(this.#calls);
    const again = this.#oneOf([call, { ...call, amount: call.amount + 1 }, { ...call, agentId: 'nobody' }]);
    this.log.push(`confirm again ${JSON.stringify(again)}`);
    expect(await this.#rooms.confirm(again)).toBe('duplicate_transaction');
  }

  async #confirmBadly(): Promise<void> {
    const transactionId = `B${this.#below(5)}`;
    const agentId = this.#oneOf(['nobody', 'closed', '04711', '4711']);
    const call = { transactionId, agentId, amount: agentId === '4711' ? -this.#below(3) : 5 };
    this.log.push(`confirm badly ${JSON.stringify(call)}`);
    expect(await this.#rooms.confirm(call)).toBe(agentId === '4711' ? 'invalid_amount' : 'unknown_agent');
  }

  /** Everything that was confirmed until now, in one transfer, booked today. */
  async #payOut(): Promise<void> {
    if (this.#unpaid === 0) return;
    this.log.push(`pay out ${this.#unpaid} on ${this.#today()}`);
    await this.#rooms.importStatement([[this.#today(), PAYOUT_TEXT, this.#unpaid]]);
    this.#inBank += this.#unpaid;
    this.#unpaid = 0;
    this.#rooms.clock.advance(1); // what comes next is after the cut
  }

  async #otherLines(): Promise<void> {
    const amounts = Array.from({ length: 1 + this.#below(3) }, () => this.#below(9_000_000) - 4_500_000);
    this.log.push(`other lines ${JSON.stringify(amounts)} on ${this.#today()}`);
    await this.#rooms.importStatement(amounts.map((amount) => [this.#today(), `LIGNE ${this.#count}`, amount]));
  }

  async #reconcile(): Promise<void> {
    const dryRun = this.#below(3) === 0;
    const through = this.#rooms.calendar.dateOf(this.#rooms.clock.now());
    const result = await this.#rooms.reconcile(through, { dryRun });
    this.log.push(`reconcile through ${through}${dryRun ? ' (dry run)' : ''}: ${JSON.stringify(result)}`);
    expect(await this.#rooms.reconcile(through, { dryRun })).toEqual(result);
    // No credit is ever missing and the cuts are days apart, so every payout is found.
    expect(result.matchedMillimes).toBe(this.#inBank);
    if (!dryRun) this.#matched = this.#inBank;
    const report = await this.#rooms.reporting.daily(through);
    expect(report).toMatchObject({ proven: true, matched: { amount: BigInt(this.#matched) } });
  }

  #today(): string {
    return this.#rooms.calendar.dateOf(this.#rooms.clock.now()).split('-').reverse().join('/');
  }

  #move(agentId: string, amount: number): void {
    this.#balances.set(agentId, (this.#balances.get(agentId) ?? 0) + amount);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}

describeOnEachDatabase('the books after random operations', (harness) => {
  test(
    `are right after each of ${OPERATIONS} of them, seed ${SEED}`,
    async () => {
      const story = new Story(openRooms(harness.database, '2026-03-02T09:00:00+01:00'), SEED);
      await story.begin();
      for (let left = OPERATIONS; left > 0; left -= 1) {
        try {
          await story.step();
          await story.check();
        } catch (error) {
          throw new Error(`seed ${SEED}, after:\n${story.log.join('\n')}`, { cause: error });
        }
      }
      expect(story.log.length).toBeGreaterThan(OPERATIONS / 2);
    },
    20_000 + OPERATIONS * 500,
  );
});
