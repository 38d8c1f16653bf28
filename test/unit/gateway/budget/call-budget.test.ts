// Goal: the budget sends one request where one suffices and none where none is allowed, over all processes on one
// store.
// Method: several budgets on one memory store represent processes; the gateway is a counting function; the clock is
// fixed.
import { describe, expect, test } from '@jest/globals';
import { type BudgetStore, GatewayError, type GatewayErrorCode } from '../../../../src/gateway';
import { type CallBudget, type CallBudgetOptions, createCallBudget } from '../../../../src/gateway/budget/call-budget';
import { memoryBudgetStore } from '../../../../src/gateway/budget/memory-budget-store';
import { sha256Hex } from '../../../../src/kernel';
import { fixedClock, recordingLogger } from '../../../support/fakes';

const START = '2026-03-02T09:00:00+01:00';
const SPACING_MS = 30_000;
const CIRCUIT_MS = 900_000;
const TIMEOUT_MS = 15_000;

interface Scene {
  readonly budget: CallBudget;
  /** One more process. */
  other(more?: Partial<CallBudgetOptions>): CallBudget;
  readonly asked: string[];
  /** Verifies through `budget`, or the given one; the gateway answers what `answers` says. */
  verify(paymentId: string, answers?: () => unknown, by?: CallBudget, timeoutMs?: number): Promise<unknown>;
}

function scene(given: Partial<CallBudgetOptions> = {}) {
  const clock = fixedClock(START);
  const logger = recordingLogger();
  const store = memoryBudgetStore(clock);
  const other: Scene['other'] = (more = {}) => createCallBudget({ store, clock, logger, ...given, ...more });
  const budget = other();
  const asked: string[] = [];
  const verify: Scene['verify'] = (paymentId, answers = () => ({ paymentId }), by = budget, timeoutMs = TIMEOUT_MS) =>
    by.verify(
      paymentId,
      async () => {
        asked.push(paymentId);
        return answers();
      },
      { timeoutMs },
    );
  return { clock, logger, store, other, budget, asked, verify };
}

function failing(code: GatewayErrorCode, httpStatus?: number, retryAfterMs?: number): () => never {
  return () => {
    throw new GatewayError(code, 'no', { operation: 'payments.verify', httpStatus, retryAfterMs });
  };
}

/** A gateway that answers when it is told to. */
function held(): { answers: () => Promise<unknown>; began: Promise<void>; answer: (body: unknown) => void } {
  let begin: () => void = () => undefined;
  let answer: (body: unknown) => void = () => undefined;
  const began = new Promise<void>((resolve) => (begin = resolve));
  const body = new Promise<unknown>((resolve) => (answer = resolve));
  return {
    began,
    answer,
    answers: () => {
      begin();
      return body;
    },
  };
}

const tooSoon = (retryAfterMs: number): object => ({
  code: 'rate_limited',
  retryAfterMs,
  operation: 'payments.verify',
});
const keyOf = (paymentId: string): string => `verify:${sha256Hex(paymentId)}`;

describe('one payment', () => {
  test('is verified once for 1,000 parallel callers, and each gets the answer', async () => {
    const { verify, asked, clock } = scene();
    const gateway = held();
    const calls = Array.from({ length: 1_000 }, () => verify('p', gateway.answers));
    await gateway.began;
    gateway.answer({ status: 'SUCCESS' });
    const answers = await Promise.all(calls);
    expect(answers).toHaveLength(1_000);
    const at = clock.now();
    for (const answer of answers) {
      expect(answer).toEqual({ body: { status: 'SUCCESS' }, askedAt: at, observedAt: at, reused: false });
    }
    expect(asked).toEqual(['p']);
  });

  test('is verified once for callers of several processes; waiting callers get the answer marked as reused', async () => {
    const { verify, asked, other } = scene();
    const gateway = held();
    const first = verify('p', gateway.answers);
    await gateway.began;
    const processes = [other(), other()];
    const waiting = processes.flatMap((by) => Array.from({ length: 50 }, () => verify('p', gateway.answers, by)));
    gateway.answer({ status: 'SUCCESS' });
    expect(await first).toMatchObject({ reused: false });
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toMatchObject({ body: { status: 'SUCCESS' }, reused: true });
    }
    expect(asked).toEqual(['p']);
  });

  test('returns the request time of a shared answer to each caller, even to later ones', async () => {
    const { verify, clock, other } = scene();
    const gateway = held();
    const askedAt = clock.now();
    const first = verify('p', gateway.answers);
    await gateway.began;
    clock.advance(2_000);
    const joined = verify('p', gateway.answers);
    const elsewhere = verify('p', gateway.answers, other());
    clock.advance(1_000);
    gateway.answer('of then');
    const observedAt = askedAt + 3_000;
    expect(await first).toMatchObject({ askedAt, observedAt, reused: false });
    expect(await joined).toMatchObject({ askedAt, observedAt, reused: false });
    expect(await elsewhere).toMatchObject({ askedAt, observedAt, reused: true });
    clock.advance(10_000);
    expect(await verify('p')).toMatchObject({ askedAt, observedAt, reused: true });
  });

  test('returns an answer recorded by a fast clock again, without its request time', async () => {
    const { verify, clock, other } = scene();
    const fast = fixedClock(clock.now() + 600_000);
    await verify('p', () => 'of a fast clock', other({ clock: fast }));
    const given = { body: 'of a fast clock', askedAt: undefined, observedAt: clock.now(), reused: true };
    expect(await verify('p')).toEqual(given);
    clock.advance(1_000);
    expect(await verify('p')).toEqual(given);
  });

  test('returns an answer stored without its request time again, without that time', async () => {
    const { verify, clock, store } = scene();
    const kept = { kind: 'answered', flightId: 'f', at: clock.now(), body: { value: 'of before' } };
    const written = { value: JSON.stringify(kept), keepUntil: clock.now() + 3_600_000 };
    await store.replace(keyOf('p'), written, undefined);
    expect(await verify('p')).toMatchObject({ body: 'of before', askedAt: undefined, reused: true });
  });

  test('fails for all callers that share the request', async () => {
    const { verify, asked } = scene();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => verify('p', failing('unavailable', 503))),
    );
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'unavailable', httpStatus: 503 } });
    expect(asked).toEqual(['p']);
  });

  test('returns its last answer again within the spacing, then is verified again', async () => {
    const { verify, asked, clock } = scene();
    let count = 0;
    const answers = (): unknown => ({ count: (count += 1) });
    const askedAt = clock.now();
    const observedAt = askedAt;
    await verify('p', answers);
    clock.advance(SPACING_MS - 1);
    expect(await verify('p', answers)).toEqual({ body: { count: 1 }, askedAt, observedAt, reused: true });
    clock.advance(1);
    const at = clock.now();
    expect(await verify('p', answers)).toEqual({ body: { count: 2 }, askedAt: at, observedAt: at, reused: false });
    expect(asked).toEqual(['p', 'p']);
  });

  test.each(['timeout', 'unavailable', 'not_found'] as const)(
    'is not verified within the spacing after a try that ended with %s',
    async (code) => {
      const { verify, asked, clock } = scene();
      await expect(verify('p', failing(code))).rejects.toMatchObject({ code });
      clock.advance(1_000);
      await expect(verify('p')).rejects.toMatchObject(tooSoon(SPACING_MS - 1_000));
      clock.advance(SPACING_MS - 1_000);
      expect(await verify('p')).toMatchObject({ reused: false });
      expect(asked).toEqual(['p', 'p']);
    },
  );

  test('is not verified within the spacing after an answer too long to store', async () => {
    const { verify, asked } = scene();
    expect(await verify('p', () => ({ text: 'x'.repeat(70_000) }))).toMatchObject({ reused: false });
    await expect(verify('p')).rejects.toMatchObject(tooSoon(SPACING_MS));
    expect(asked).toEqual(['p']);
  });

  test('may have an id of any length and any characters', async () => {
    const { verify } = scene();
    const paymentId = `${'/?é\n'.repeat(2_000)}end`;
    await verify(paymentId);
    expect(await verify(paymentId)).toMatchObject({ body: { paymentId }, reused: true });
    expect(await verify(`${paymentId} `)).toMatchObject({ reused: false });
  });

  test('waits at most one spacing when the clock steps back', async () => {
    const { verify, asked, clock } = scene();
    await expect(verify('p', failing('timeout'))).rejects.toMatchObject({ code: 'timeout' });
    clock.advance(-3_600_000);
    await expect(verify('p')).rejects.toMatchObject(tooSoon(SPACING_MS));
    clock.advance(SPACING_MS);
    expect(await verify('p')).toMatchObject({ reused: false });
    expect(asked).toHaveLength(2);
  });

  test('passes to the next caller when its caller died, after the end of the lease', async () => {
    const { verify, asked, clock, other } = scene();
    const dead = held();
    const forgotten = verify('p', dead.answers);
    await dead.began;
    const next = other();
    clock.advance(TIMEOUT_MS + 9_999);
    await expect(verify('p', undefined, next, 1)).rejects.toMatchObject({ code: 'timeout' });
    expect(asked).toEqual(['p']);
    clock.advance(1);
    expect(await verify('p', undefined, next)).toMatchObject({ reused: false });
    expect(asked).toEqual(['p', 'p']);
    dead.answer('of a ghost');
    await forgotten;
  });

  test('keeps the newer answer when a caller with an expired lease ends late', async () => {
    const { verify, clock, other } = scene();
    const slow = held();
    const first = verify('p', slow.answers);
    await slow.began;
    clock.advance(TIMEOUT_MS + 10_000);
    await verify('p', () => 'newer', other());
    slow.answer('older');
    expect(await first).toMatchObject({ body: 'older', reused: false });
    expect(await verify('p')).toMatchObject({ body: 'newer', reused: true });
  });

  test('keeps the current claim when a caller with an expired lease ends late', async () => {
    const { verify, asked, clock, other } = scene();
    const [slow, heir] = [held(), held()];
    const first = verify('p', slow.answers);
    await slow.began;
    clock.advance(TIMEOUT_MS + 10_000);
    const second = verify('p', heir.answers, other());
    await heir.began;
    slow.answer('older');
    await first;
    await expect(verify('p', undefined, other(), 1)).rejects.toMatchObject({ code: 'timeout' });
    heir.answer('newer');
    expect(await second).toMatchObject({ body: 'newer' });
    expect(asked).toEqual(['p', 'p']);
  });

  test('counts as just verified if its entry cannot be read', async () => {
    const { verify, asked, clock, store } = scene();
    await store.replace(keyOf('p'), { value: '{"kind":"asking"}', keepUntil: clock.now() + 3_600_000 }, undefined);
    await expect(verify('p')).rejects.toMatchObject(tooSoon(SPACING_MS));
    clock.advance(SPACING_MS);
    expect(await verify('p')).toMatchObject({ reused: false });
    expect(asked).toEqual(['p']);
  });
});

describe('a payment that is changed', () => {
  const REFUND = { operation: 'payments.refund', timeoutMs: TIMEOUT_MS };

  test('returns the answer of a verify in transit only to the callers that asked before', async () => {
    const { budget, verify, asked, clock, other } = scene();
    const gateway = held();
    const before = [verify('p', gateway.answers), verify('p', gateway.answers)];
    await gateway.began;
    await budget.beginChange('p', REFUND);
    const after = Promise.allSettled([verify('p'), verify('p', undefined, other())]);
    gateway.answer('before');
    for (const answer of await Promise.all(before)) expect(answer).toMatchObject({ body: 'before', reused: false });
    for (const result of await after) expect(result).toMatchObject({ reason: tooSoon(SPACING_MS) });
    expect(asked).toEqual(['p']);
    clock.advance(SPACING_MS);
    expect(await verify('p', () => 'after')).toMatchObject({ body: 'after', reused: false });
  });

  test('drops an answer that arrived while the change was in transit, when the change ends', async () => {
    const { budget, verify, other } = scene();
    await budget.beginChange('p', REFUND);
    const elsewhere = other();
    expect(await verify('p', () => 'meanwhile', elsewhere)).toMatchObject({ reused: false });
    expect(await verify('p')).toMatchObject({ body: 'meanwhile', reused: true });
    await budget.endChange('p', 'payments.refund');
    for (const by of [budget, elsewhere]) {
      await expect(verify('p', undefined, by)).rejects.toMatchObject(tooSoon(SPACING_MS));
    }
  });

  test('is verified anew by a caller that waited for a dropped answer, once the spacing ended', async () => {
    const { budget, verify, asked, other } = scene({ verifySpacingMs: 0 });
    const gateway = held();
    const before = verify('p', gateway.answers);
    await gateway.began;
    await budget.beginChange('p', REFUND);
    const after = verify('p', () => 'after', other());
    gateway.answer('before');
    await before;
    expect(await after).toMatchObject({ body: 'after', reused: false });
    expect(asked).toEqual(['p', 'p']);
  });

  test('returns no answer from before the change if the store failed at its end', async () => {
    let isDown = false;
    const clock = fixedClock(START);
    const store = memoryBudgetStore(clock);
    const failing: BudgetStore = {
      read: (key) => (isDown ? Promise.reject(new Error('down')) : store.read(key)),
      replace: store.replace,
    };
    const { verify, budget, logger } = scene({ store: failing, clock });
    await budget.beginChange('p', REFUND);
    await verify('p', () => 'meanwhile');
    isDown = true;
    await budget.endChange('p', 'payments.refund');
    expect(logger.events('gateway.budget_not_noted')).toHaveLength(1);
    await expect(verify('p')).rejects.toMatchObject({ code: 'unavailable' });
    isDown = false;
    await expect(verify('p')).rejects.toMatchObject(tooSoon(SPACING_MS));
  });

  test('needs no entry of its own', async () => {
    const { budget, store, verify } = scene();
    await budget.beginChange('p', REFUND);
    await budget.endChange('p', 'payments.refund');
    expect(await store.read(keyOf('p'))).toBeUndefined();
    expect(await verify('p')).toMatchObject({ reused: false });
  });
});

describe('all payments together', () => {
  test('are verified within the limit per minute, and a refused call uses no spacing', async () => {
    const { verify, asked, clock } = scene({ verifiesPerMinute: 2 });
    await verify('p1');
    clock.advance(10_000);
    await verify('p2');
    await expect(verify('p3')).rejects.toMatchObject(tooSoon(50_000));
    expect(await verify('p1')).toMatchObject({ reused: true });
    clock.advance(49_999);
    await expect(verify('p3')).rejects.toMatchObject(tooSoon(1));
    clock.advance(1);
    expect(await verify('p3')).toMatchObject({ reused: false });
    expect(asked).toEqual(['p1', 'p2', 'p3']);
  });

  test('share the minute over processes, even if many payments arrive concurrently', async () => {
    const { verify, asked, other } = scene({ verifiesPerMinute: 30 });
    const processes = [other(), other(), other()];
    const calls = processes.flatMap((by, n) =>
      Array.from({ length: 40 }, (_, each) => verify(`p${n}-${each}`, undefined, by)),
    );
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    expect(asked).toHaveLength(30);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'rate_limited' });
    }
  });

  test.each([
    ['a 403', failing('permission', 403), CIRCUIT_MS],
    ['a 503, as long as it says', failing('unavailable', 503, 3_600_000), 3_600_000],
    ['a 429, as long as it says', failing('rate_limited', 429, 90_000), 90_000],
    ['a refused connection', failing('connection'), 30_000],
  ])('are not verified after %s; then one probe precedes the others', async (_what, answers, openMs) => {
    const { verify, asked, clock, other, logger } = scene();
    const elsewhere = other();
    await expect(verify('p1', answers)).rejects.toBeInstanceOf(GatewayError);
    await expect(verify('p2')).rejects.toMatchObject(tooSoon(openMs));
    await expect(verify('p3', undefined, elsewhere)).rejects.toMatchObject(tooSoon(openMs));
    clock.advance(openMs - 1);
    await expect(verify('p2')).rejects.toMatchObject(tooSoon(1));
    expect(asked).toEqual(['p1']);
    expect(logger.events('gateway.circuit_opened')).toHaveLength(1);

    clock.advance(1);
    const gateway = held();
    const probe = verify('p2', gateway.answers, elsewhere);
    await gateway.began;
    await expect(verify('p3')).rejects.toMatchObject({ code: 'rate_limited' });
    gateway.answer('good');
    await probe;
    expect(await verify('p3')).toMatchObject({ reused: false });
    expect(asked).toEqual(['p1', 'p2', 'p3']);
  });

  test.each([
    ['one of them does not exist', 'not_found', 404],
    ['our key is not known, which may be mended at once', 'authentication', 401],
    ['nobody can answer now, without a time', 'unavailable', 503],
  ] as const)('are verified after an answer that %s', async (_what, code, httpStatus) => {
    const { verify } = scene();
    await expect(verify('p1', failing(code, httpStatus))).rejects.toMatchObject({ code });
    expect(await verify('p2')).toMatchObject({ reused: false });
  });

  test.each([
    ['a 403', failing('permission', 403), CIRCUIT_MS],
    ['a 503 with a time', failing('unavailable', 503, 3_600_000), 3_600_000],
    ['a 429 with a time shorter than the spacing', failing('rate_limited', 429, 5_000), SPACING_MS],
  ])('wait equally after %s, including the payment just verified', async (_what, answers, waitMs) => {
    const { verify, asked, clock, other } = scene();
    await expect(verify('p', answers)).rejects.toBeInstanceOf(GatewayError);
    await expect(verify('p')).rejects.toMatchObject(tooSoon(waitMs));
    clock.advance(waitMs - 1);
    await expect(verify('p', undefined, other())).rejects.toMatchObject(tooSoon(1));
    clock.advance(1);
    expect(await verify('p')).toMatchObject({ reused: false });
    expect(asked).toEqual(['p', 'p']);
  });

  test('wait at most one circuit time when the clock steps back', async () => {
    const { verify, clock } = scene();
    await expect(verify('p1', failing('permission', 403))).rejects.toMatchObject({ code: 'permission' });
    clock.advance(-86_400_000);
    await expect(verify('p2')).rejects.toMatchObject(tooSoon(CIRCUIT_MS));
    clock.advance(CIRCUIT_MS);
    expect(await verify('p2')).toMatchObject({ reused: false });
  });

  test('wait a minute if their shared entry cannot be read', async () => {
    const { verify, asked, clock, store, logger } = scene();
    await store.replace('verify-gate', { value: 'of tomorrow', keepUntil: clock.now() + 3_600_000 }, undefined);
    await expect(verify('p')).rejects.toMatchObject(tooSoon(60_000));
    expect(logger.events('gateway.budget_unreadable')).toHaveLength(1);
    clock.advance(60_000);
    expect(await verify('p')).toMatchObject({ reused: false });
    expect(asked).toEqual(['p']);
  });
});

describe('creations', () => {
  test('are limited to sixty in any minute over all processes', async () => {
    const { budget, other, clock } = scene();
    const elsewhere = other();
    for (let n = 0; n < 30; n += 1) await budget.takeCreation('subscriptions.create');
    clock.advance(20_000);
    await Promise.all(Array.from({ length: 30 }, () => elsewhere.takeCreation('subscriptions.create')));
    await expect(budget.takeCreation('subscriptions.create')).rejects.toMatchObject({
      code: 'rate_limited',
      operation: 'subscriptions.create',
      retryAfterMs: 40_000,
    });
    clock.advance(40_000);
    const results = await Promise.allSettled(
      Array.from({ length: 31 }, () => budget.takeCreation('subscriptions.create')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  });

  test('are not blocked by the circuit of verifies', async () => {
    const { budget, verify } = scene();
    await expect(verify('p', failing('permission', 403))).rejects.toMatchObject({ code: 'permission' });
    await expect(budget.takeCreation('subscriptions.create')).resolves.toBeUndefined();
  });
});

describe('a store that fails', () => {
  const secret = 'mysql://user:secret@host';
  const broken: BudgetStore = {
    read: () => Promise.reject(new Error(secret)),
    replace: () => Promise.reject(new Error(secret)),
  };

  test('blocks every call and is reported without its error text', async () => {
    const { other, verify, asked, logger } = scene();
    const budget = other({ store: broken });
    for (const call of [verify('p', undefined, budget), budget.takeCreation('subscriptions.create')]) {
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(JSON.stringify(error) + String(error)).not.toContain('secret');
    }
    expect(asked).toEqual([]);
    expect(logger.events('gateway.budget_store_failed').map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  test('that fails at writing blocks every call', async () => {
    const { other, verify, asked } = scene();
    const budget = other({ store: { ...broken, read: async () => undefined } });
    await expect(verify('p', undefined, budget)).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toEqual([]);
  });

  test('does not discard an answer of the gateway', async () => {
    const { other, verify, store, logger } = scene();
    let works = true;
    const failingLater: BudgetStore = {
      read: (key) => (works ? store.read(key) : broken.read(key)),
      replace: (...given) => (works ? store.replace(...given) : broken.replace(...given)),
    };
    const answers = (): unknown => {
      works = false;
      return 'paid';
    };
    const budget = other({ store: failingLater });
    expect(await verify('p', answers, budget)).toMatchObject({ body: 'paid', reused: false });
    expect(logger.events('gateway.budget_not_noted').length).toBeGreaterThan(0);
  });

  test('that hangs delays an answer of the gateway by at most the caller’s time', async () => {
    const { other, verify, store } = scene();
    const [gateway, goesOn] = [held(), held()];
    let answered = false;
    const hanging: BudgetStore = {
      ...store,
      read: async (key) => {
        if (answered) await goesOn.answers();
        return store.read(key);
      },
    };
    const budget = other({ store: hanging });
    const first = verify('p', gateway.answers, budget);
    await gateway.began;
    answered = true;
    gateway.answer('paid');
    await goesOn.began;
    expect(await verify('p', undefined, budget, 1)).toMatchObject({ body: 'paid', reused: false });
    goesOn.answer(undefined);
    expect(await first).toMatchObject({ body: 'paid', reused: false });
  });

  test('that refuses every write fails the call, and nothing is sent', async () => {
    const { other, verify, asked } = scene();
    const budget = other({ store: { read: async () => undefined, replace: async () => false } });
    await expect(verify('p', undefined, budget)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 1_000 });
    expect(asked).toEqual([]);
  });

  test('that hangs delays a creation by at most the caller’s time', async () => {
    const { other, store, logger } = scene();
    const goesOn = held();
    const budget = other({ store: { ...store, read: async (key) => goesOn.answers().then(() => store.read(key)) } });
    await expect(budget.takeCreation('subscriptions.create', { timeoutMs: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      operation: 'subscriptions.create',
    });
    // It is the caller's time that ended, not the longer one that the store has.
    expect(logger.events('gateway.budget_store_failed')).toEqual([]);
    goesOn.answer(undefined);
  });
});

test('a caller waits at most its own time, and the others continue', async () => {
  const { verify, asked } = scene();
  const gateway = held();
  const patient = verify('p', gateway.answers);
  await gateway.began;
  await expect(verify('p', gateway.answers, undefined, 1)).rejects.toMatchObject({ code: 'timeout' });
  gateway.answer('late, but good');
  expect(await patient).toMatchObject({ body: 'late, but good' });
  expect(asked).toEqual(['p']);
});
