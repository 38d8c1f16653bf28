import { beforeEach, expect, test } from '@jest/globals';
import { openDatabase, rowsOf } from '../../../src/db';
import { type Actor, createIdentity, OPERATOR } from '../../../src/identity';
import { AppError, HOUR_MS, MINUTE_MS, newId, sha256Hex } from '../../../src/kernel';
import { createWebhooks, type InboxEntry, type Webhooks } from '../../../src/webhooks';
import {
  type EntryClaim,
  type HintKind,
  hintReceiver,
  openInboxClaims,
  webhookReceiver,
} from '../../../src/webhooks/testing';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { BY_TEST, TESTER } from '../../support/factories';
import { aPayment } from '../../support/factories/a-payment';
import { fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';
import { FAULT_LENGTH, FAULT_SEED } from '../../support/faults';
import { randomFrom } from '../../support/random';
import {
  KEY,
  paymentBody,
  PREVIOUS_KEY,
  signedPost,
  signedQuery,
  subscriptionBody,
} from '../../unit/webhooks/signed-webhook';
import { contents } from '../ledger/row-counts';
import { type KnownPayments, knownPayments } from './known-payments';

// Goal: a webhook answered 200 is stored once and leads to a status check, whatever happens in between.
// Method: the room on both databases, with a clock that stands still, and stub payments that record their status
// checks.

const START = '2026-03-02T09:00:00+01:00';
const SETTINGS = { keys: [KEY, PREVIOUS_KEY], hintToken: 'a-hint-token-of-ours', timeZone: 'Africa/Tunis' };

describeOnEachDatabase('the inbox of webhooks', (harness) => {
  const clock = fixedClock(START);
  let logger: RecordingLogger;
  let known: KnownPayments;
  let webhooks: Webhooks;

  const roomOn = (database = harness.database): Webhooks =>
    createWebhooks({
      ...SETTINGS,
      database,
      clock,
      logger,
      payments: known.payments,
      subscriptions: known.subscriptions,
    });

  beforeEach(() => {
    clock.set(START);
    logger = recordingLogger();
    known = knownPayments(harness.database, clock);
    known.trackingIds.set('pay_1', 'order-7');
    known.amounts.set('order-7', 125_500);
    webhooks = roomOn();
  });

  const receive = async (body: string, at = clock.now()): Promise<string> =>
    (await webhooks.receive(signedPost(body, { at }))).kind;
  const entries = (): Promise<readonly InboxEntry[]> => webhooks.list({ limit: 100 }).then(({ rows }) => rows);
  async function only(): Promise<InboxEntry> {
    const [entry, ...others] = await entries();
    if (entry === undefined || others.length > 0) throw new Error(`${others.length + 1} entries, not one`);
    return entry;
  }

  /** Stores processed copies of the only entry, with contents of so many KiB. */
  async function storeCopies(sizes: readonly number[]): Promise<void> {
    await harness.database.transact(async (session) => {
      const [entry] = await rowsOf(session('webhook_inbox').select('*'));
      for (const size of sizes) {
        const id = newId();
        const content = Buffer.alloc(size * 1_024);
        await session('webhook_inbox').insert({ ...entry, id, dedupe_digest: sha256Hex(id), content, state: 'done' });
      }
    });
  }

  test('stores an event as it was signed, and answers before the first status check', async () => {
    const body = paymentBody({ developer_tracking_id: null });
    expect(await receive(body)).toBe('stored');
    expect(known.asked).toEqual([]);
    expect(await only()).toMatchObject({
      family: 'payment_v2',
      proof: 'authentic',
      event: 'payment.succeeded',
      paymentId: 'pay_1',
      trackingId: undefined,
      content: Buffer.from(body),
      signedAt: clock.now(),
      receivedAt: clock.now(),
      times: 1,
      conflicts: 0,
      state: 'received',
      doneAt: undefined,
    });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.asked).toEqual(['order-7']);
    expect(await only()).toMatchObject({ state: 'done', outcome: 'looked', doneAt: clock.now() });
    expect(await webhooks.processInbox()).toBe(0);
  });

  test('counts a repeat and changes nothing else, with the current or the previous key', async () => {
    await receive(paymentBody());
    await webhooks.processInbox();
    clock.advance(MINUTE_MS);
    const again = await webhooks.receive(signedPost(paymentBody(), { at: clock.now(), key: PREVIOUS_KEY }));
    expect(again).toEqual({ kind: 'duplicate' });
    expect(await only()).toMatchObject({ state: 'done', times: 2, lastReceivedAt: clock.now() });
    expect(await webhooks.processInbox()).toBe(0);
    expect(known.asked).toHaveLength(1);
  });

  test('stores concurrent deliveries of one event as one entry', async () => {
    const kinds = await Promise.all(Array.from({ length: 8 }, () => receive(paymentBody())));
    expect(kinds.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'duplicate'), 'stored']);
    expect((await only()).times).toBe(8);
  });

  test('stores a success and a failure of version 1 as two entries, and another spelling as the same one', async () => {
    const at = clock.now();
    for (const [id, success] of [
      ['pay%2f1', 'True'],
      ['pay%2F1', 'true'],
      ['pay%2F1', 'False'],
    ] as const) {
      await webhooks.receive(signedQuery(id, success, { at }));
    }
    expect(
      (await entries()).map(({ event, times, conflicts, paymentId }) => ({ event, times, conflicts, paymentId })),
    ).toEqual(
      expect.arrayContaining([
        { event: 'payment.succeeded', times: 2, conflicts: 0, paymentId: 'pay/1' },
        { event: 'payment.failed', times: 1, conflicts: 0, paymentId: 'pay/1' },
      ]),
    );
  });

  test('F13: stores the same event with other bytes once as a conflict, and compares the payment with both', async () => {
    await receive(paymentBody());
    await webhooks.processInbox();
    expect(known.mismatches.size).toBe(0);
    clock.advance(1_000);
    expect(await receive(paymentBody({ amount: 1 }))).toBe('conflict');
    expect(await receive(paymentBody({ amount: 1 }))).toBe('conflict');
    expect(await only()).toMatchObject({ times: 3, conflicts: 1, state: 'received' });
    await webhooks.processInbox();
    expect(known.mismatches).toEqual(new Set(['order-7']));
    expect(known.asked).toHaveLength(2);
    expect(await only()).toMatchObject({ state: 'done', outcome: 'mismatch' });
    expect(logger.events('webhooks.conflict')).toHaveLength(2);
  });

  test('processes the facts that were stored on arrival without reading the bytes again', async () => {
    await receive(paymentBody());
    await harness.database.transact((session) => session('webhook_inbox').update({ content: Buffer.from('lost') }));
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.event).toMatchObject([{ gatewayId: 'pay_1', succeeded: true, amount: 125_500, currency: 'TND' }]);
    expect(await only()).toMatchObject({ state: 'done', outcome: 'looked' });
  });

  test('decodes entries of versions that stored no facts when it claims them, to the same events', async () => {
    known.subscriptionIds.add('sub_1');
    known.trackingIds.set('pay/1', 'order-7');
    const at = clock.now();
    await receive(paymentBody());
    await receive(paymentBody({ event_id: 'evt_unreadable', amount: null }));
    await receive(paymentBody({ event_id: 'evt_unknown', event: 'payment.disputed' }));
    await receive(paymentBody({ event_id: 'evt_stale' }), at - 301_000);
    await webhooks.receive(signedQuery('pay%2f1', 'True', { at }));
    await webhooks.receive(signedPost(subscriptionBody(), { at }, 'subscription'));
    const outcomes = async (): Promise<string[]> =>
      (await entries())
        .filter(({ state }) => state !== 'received')
        .map(({ id, state, outcome }) => `${id} ${state} ${outcome}`)
        .toSorted();
    await webhooks.processInbox();
    const [events, ended] = [known.event.splice(0), await outcomes()];
    expect(events).toHaveLength(4);

    clock.advance(MINUTE_MS);
    for (const { id } of await entries()) await webhooks.replay(id, BY_TEST);
    await harness.database.transact((session) => session('webhook_inbox').update({ facts: null }));
    await webhooks.processInbox();
    const sorted = (given: readonly unknown[]): string[] => given.map((event) => JSON.stringify(event)).toSorted();
    expect(sorted(known.event)).toEqual(sorted(events));
    expect(await outcomes()).toEqual(ended);
  });

  test('decodes conflicts of versions that stored no facts, and compares the payment with both contents', async () => {
    await receive(paymentBody());
    const { id } = await only();
    const content = Buffer.from(paymentBody({ amount: 1 }));
    await harness.database.transact(async (session) => {
      await session('webhook_inbox').update({ facts: null });
      const row = { id: newId(), inbox_id: id, content, content_digest: sha256Hex(content), received_at: clock.now() };
      await session('webhook_conflicts').insert(row);
    });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.event.map(({ amount }) => amount)).toEqual([125_500, 1]);
    expect(await only()).toMatchObject({ state: 'done', outcome: 'mismatch' });
  });

  test('rejects a stale webhook, stores it once and schedules a status check', async () => {
    const signedAt = clock.now() - 301_000;
    expect(await receive(paymentBody({ amount: 1 }), signedAt)).toBe('stale');
    expect(await receive(paymentBody({ amount: 1 }), signedAt)).toBe('stale');
    expect(logger.events('webhooks.stale_authentic').map(({ fields }) => fields['offBySecs'])).toEqual([301]);
    expect(await only()).toMatchObject({ proof: 'stale', times: 2 });
    await webhooks.processInbox();
    expect(known.asked).toEqual(['order-7']);
    expect(known.event).toEqual([
      expect.objectContaining({ gatewayId: 'pay_1', succeeded: false, amount: undefined, occurredAt: undefined }),
    ]);
    // The same event, freshly signed, is a new event all the same.
    expect(await receive(paymentBody())).toBe('stored');
  });

  test('F13: stores an event of an unknown name and never acts on it', async () => {
    await receive(paymentBody({ event: 'payment.disputed' }));
    expect(await webhooks.processInbox()).toBe(1);
    expect(await only()).toMatchObject({ event: 'payment.disputed', state: 'ignored', outcome: 'unknown_event' });
    expect(known.event).toEqual([]);
  });

  test('stores names and ids that fit no column in the content only', async () => {
    const long = 'x'.repeat(300);
    const body = paymentBody({ payment_id: long, event_id: `${long}1`, developer_tracking_id: 'order-7 ' });
    expect(await receive(body)).toBe('stored');
    expect(await only()).toMatchObject({ paymentId: undefined, trackingId: undefined, content: Buffer.from(body) });
    await receive(paymentBody({ event: long, event_id: 'evt_long' }));
    await webhooks.processInbox();
    expect((await entries()).map(({ state, outcome }) => `${state} ${outcome}`).toSorted()).toEqual([
      'ignored unknown_event',
      'ignored unusable_id',
    ]);
  });

  test.each([
    ['a NUL', 'pay%00'],
    ['another control character', 'pay%1b'],
    ['more than 255 bytes', 'x'.repeat(256)],
  ])('does not park a version 1 webhook whose id is unusable: %s', async (_what, id) => {
    await webhooks.receive(signedQuery(id, 'True', { at: clock.now() }));
    expect(await webhooks.processInbox()).toBe(1);
    expect(await only()).toMatchObject({ state: 'ignored', outcome: 'unusable_id', content: expect.any(Buffer) });
    expect(known.event).toEqual([]);
  });

  test.each([
    ['created', undefined],
    ['created', '2026-03-02'],
    ['payment_method', null],
    ['developer_tracking_id', 1],
    ['amount', null],
    ['amount', -1],
    ['currency', undefined],
    ['event', undefined],
  ])('stores a signed event whose %s is %p once, and only schedules a status check', async (field, value) => {
    const body = paymentBody({ [field]: value });
    expect(await receive(body)).toBe('stored');
    expect(await receive(body)).toBe('duplicate');
    const logged = logger.events('webhooks.unreadable').map(({ fields }) => fields);
    expect(logged).toMatchObject([{ family: 'payment_v2', fields: [field] }]);
    expect(JSON.stringify(logged)).not.toMatch(/pay_1|order-7|evt_1/);
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.asked).toEqual(['order-7']);
    expect(known.event).toMatchObject([
      { gatewayId: 'pay_1', succeeded: false, amount: undefined, currency: undefined, occurredAt: undefined },
    ]);
    expect(await only()).toMatchObject({
      state: 'done',
      outcome: 'unreadable_field',
      content: Buffer.from(body),
      times: 2,
    });
  });

  test.each([
    ['attempt', '1'],
    ['period_start', '2026-13-45'],
    ['status', null],
  ])('stores a signed subscription event whose %s is %p, and only schedules a status check', async (field, value) => {
    known.subscriptionIds.add('sub_1');
    const signed = signedPost(subscriptionBody({ [field]: value }), { at: clock.now() }, 'subscription');
    expect(await webhooks.receive(signed)).toEqual({ kind: 'stored' });
    await webhooks.processInbox();
    expect(known.asked).toEqual(['sub_1']);
    expect(logger.events('webhooks.unreadable')).toMatchObject([{ fields: { fields: [field] } }]);
  });

  test('stores and ignores a signed event with no readable id except its event id', async () => {
    expect(await receive('{"event":"payment.succeeded","event_id":"evt_1","payment_id":7}')).toBe('stored');
    expect(await webhooks.processInbox()).toBe(1);
    expect(await only()).toMatchObject({ state: 'ignored', outcome: 'unreadable_field', paymentId: undefined });
    expect(known.event).toEqual([]);
  });

  test('rejects and stores a stale webhook with an unreadable field like other stale ones', async () => {
    expect(await receive(paymentBody({ amount: null }), clock.now() - 301_000)).toBe('stale');
    expect(await only()).toMatchObject({ proof: 'stale', paymentId: 'pay_1' });
    await webhooks.processInbox();
    expect(known.asked).toEqual(['order-7']);
  });

  test('compares the payment with a readable repeat of an unreadable event', async () => {
    await receive(paymentBody({ amount: null }));
    await webhooks.processInbox();
    clock.advance(1_000);
    expect(await receive(paymentBody({ amount: 1 }))).toBe('conflict');
    await webhooks.processInbox();
    expect(await only()).toMatchObject({ state: 'done', outcome: 'mismatch' });
  });

  test('applies an event again if the status check finds that the attached session does not exist', async () => {
    await receive(paymentBody());
    const notFound = { checks: 0, failedChecks: 1, lastCheckError: 'not_found' };
    const payment = aPayment({ trackingId: 'order-7', gatewayId: 'no-such-session', ...notFound });
    known.answers.push({ kind: 'looked', payment });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.event.map(({ gatewayId }) => gatewayId)).toEqual(['pay_1', 'pay_1']);
    expect(known.asked).toEqual(['order-7']);
  });

  test('parks a webhook that arrives before its payment is stored, and applies it afterwards', async () => {
    known.amounts.clear();
    await receive(paymentBody());
    expect(await webhooks.processInbox()).toBe(0);
    const parkedUntil = clock.now() + MINUTE_MS / 2;
    expect(await only()).toMatchObject({ state: 'parked', outcome: 'unknown_payment', availableAt: parkedUntil });
    known.amounts.set('order-7', 125_500);
    expect(await webhooks.processInbox()).toBe(0);
    clock.set(parkedUntil);
    expect(await webhooks.processInbox()).toBe(1);
    expect(await only()).toMatchObject({ state: 'done', outcome: 'looked' });
  });

  test('F13: applies payment webhooks of a charge and subscription events to their subscription', async () => {
    known.subscriptionIds.add('pay_of_charge').add('sub_1');
    await receive(paymentBody({ payment_id: 'pay_of_charge', developer_tracking_id: null }));
    await webhooks.receive(signedPost(subscriptionBody(), { at: clock.now() }, 'subscription'));
    await webhooks.processInbox();
    expect(known.asked.toSorted()).toEqual(['pay_of_charge', 'sub_1']);
    expect(new Set((await entries()).map(({ state, availableAt }) => `${state} ${availableAt - clock.now()}`))).toEqual(
      new Set(['received 30000']),
    );
  });

  test('checks a payment once for three of its events', async () => {
    for (const event_id of ['evt_a', 'evt_b', 'evt_c']) await receive(paymentBody({ event_id }));
    expect(await webhooks.processInbox()).toBe(3);
    expect(known.asked).toEqual(['order-7']);
  });

  test('claims no further payment in a run after the gateway is closed to checks, and all wait', async () => {
    for (const event_id of ['evt_a', 'evt_b', 'evt_c']) await receive(paymentBody({ event_id }));
    await webhooks.receiveHint('pos', undefined);
    known.answers.push({ kind: 'later', retryAfterMs: 90_000, affectsAll: true, reason: 'banned' });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.hints).toEqual(['pos']);
    const { rows: waiting } = await webhooks.list({ states: ['received'], limit: 10 });
    expect(waiting.map(({ tries }) => tries).toSorted()).toEqual([0, 0, 1]);
    expect(waiting.find(({ tries }) => tries === 1)?.availableAt).toBe(clock.now() + 90_000);
    clock.advance(90_000);
    expect(await webhooks.processInbox()).toBe(3);
  });

  test('processes a hint behind 201 payments that may not be checked', async () => {
    for (let n = 0; n < 201; n += 1) await receive(paymentBody({ event_id: `evt_${n}` }));
    clock.advance(1_000);
    await webhooks.receiveHint('partner', undefined);
    known.answers.push({ kind: 'later', retryAfterMs: 90_000, affectsAll: true, reason: 'banned' });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.hints).toEqual(['wallet']);
  });

  test('checks one subscription and each payment when the gateway does not answer about subscriptions', async () => {
    known.subscriptionsAreSilent = true;
    for (const id of ['sub_1', 'sub_2', 'pay_of_sub_3']) known.subscriptionIds.add(id);
    for (const subscription_id of ['sub_1', 'sub_2']) {
      const body = subscriptionBody({ subscription_id, event_id: `evt_of_${subscription_id}` });
      await webhooks.receive(signedPost(body, { at: clock.now() }, 'subscription'));
    }
    await receive(paymentBody({ event_id: 'evt_b', payment_id: 'pay_of_sub_3', developer_tracking_id: null }));
    await receive(paymentBody({ event_id: 'evt_c' }));
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.asked.toSorted()).toEqual(['order-7', 'sub_1']);
  });

  test('processes a payment webhook behind 201 subscription webhooks in the same run', async () => {
    for (let n = 0; n < 201; n += 1) {
      const body = subscriptionBody({ event_id: `evt_${n}`, subscription_id: `sub_of_nobody_${n}`, payment_id: null });
      await webhooks.receive(signedPost(body, { at: clock.now() }, 'subscription'));
    }
    await receive(paymentBody({ event_id: 'evt_payment' }));
    await webhooks.processInbox();
    expect(known.asked).toEqual(['order-7']);
  });

  test('ends a run after three payments in a row without an answer', async () => {
    for (let n = 0; n < 5; n += 1) await receive(paymentBody({ event_id: `evt_${n}` }));
    const busy = { kind: 'later', retryAfterMs: 30_000, affectsAll: false, reason: 'timeout' } as const;
    known.answers.push(busy, busy, busy, busy, busy);
    expect(await webhooks.processInbox()).toBe(0);
    expect(known.answers).toHaveLength(2);
    expect((await entries()).map(({ tries }) => tries).toSorted()).toEqual([0, 0, 1, 1, 1]);
  });

  test('stores an internal error without its text and retries after growing pauses', async () => {
    await receive(paymentBody());
    known.answers.push(new AppError('internal', 'pay_1 of Amal'), new TypeError('pay_1'));
    expect(await webhooks.processInbox()).toBe(0);
    const first = await only();
    expect(first).toMatchObject({ state: 'received', tries: 1, error: 'internal' });
    clock.set(first.availableAt);
    await webhooks.processInbox();
    const second = await only();
    expect(second).toMatchObject({ tries: 2, error: 'TypeError' });
    expect(second.availableAt - clock.now()).toBeGreaterThan(first.availableAt - first.receivedAt);
    clock.set(second.availableAt);
    expect(await webhooks.processInbox()).toBe(1);
    expect(await only()).toMatchObject({ state: 'done', error: undefined });
  });

  test('leaves entries that a stopped run has not begun to the next run', async () => {
    await receive(paymentBody({ event_id: 'evt_a' }));
    await receive(paymentBody({ event_id: 'evt_b' }));
    const stopping = new AbortController();
    known.whileChecking = async () => stopping.abort(new Error('the process stops'));
    await expect(webhooks.processInbox(stopping.signal)).rejects.toThrow('the process stops');
    expect((await entries()).map(({ state }) => state).toSorted()).toEqual(['done', 'received']);
  });

  test('stores hints once per minute and body, and only schedules status checks', async () => {
    expect(['another token', '', SETTINGS.hintToken].map((token) => webhooks.isHintToken(token))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await entries()).toEqual([]);
    for (const kind of ['pos', 'pos', 'partner', 'payout'] as const) {
      await webhooks.receiveHint(kind, Buffer.from('{"status":"PS"}'));
    }
    await webhooks.processInbox();
    expect(known.hints.toSorted()).toEqual(['pos', 'wallet']);
    expect(known.event).toEqual([]);
    const kept = (await entries()).map(({ event, state, times, proof }) => ({ event, state, times, proof }));
    expect(kept.toSorted((a, b) => (a.event < b.event ? -1 : 1))).toEqual([
      { event: 'partner', state: 'done', times: 1, proof: 'unsigned' },
      { event: 'payout', state: 'ignored', times: 1, proof: 'unsigned' },
      { event: 'pos', state: 'done', times: 2, proof: 'unsigned' },
    ]);
  });

  test('logs a limited number of refusals a minute, with the reason and without the content', async () => {
    const monotonic = fixedClock(START);
    const receiver = webhookReceiver({ ...SETTINGS, database: harness.database, clock, logger }, monotonic);
    const forged = signedPost(paymentBody(), { at: clock.now(), key: 'sk_of_somebody_else' });
    for (let n = 0; n < 40; n += 1) {
      expect(await receiver(forged)).toEqual({ kind: 'rejected', reason: 'wrong_signature' });
    }
    expect(logger.events('webhooks.rejected')).toHaveLength(30);
    monotonic.advance(MINUTE_MS);
    await receiver(forged);
    expect(logger.events('webhooks.rejected').at(-1)?.fields).toEqual({
      event: 'webhooks.rejected',
      reason: 'wrong_signature',
      refusedInLastMinute: 40,
    });
    expect(await entries()).toEqual([]);
  });

  test('logs a header that names another event, and uses the signed body', async () => {
    const signed = signedPost(paymentBody(), { at: clock.now() });
    await webhooks.receive({ ...signed, headers: { ...signed.headers, 'x-service-event': ['payment.failed'] } });
    expect(logger.events('webhooks.event_header_differs')).toHaveLength(1);
    expect((await only()).event).toBe('payment.succeeded');
  });

  test('answers a flood of hints as usual and stores a limited number', async () => {
    const monotonic = fixedClock(START);
    const receiveHint = hintReceiver({ ...SETTINGS, database: harness.database, clock, logger }, monotonic);
    const flood = async (kind: HintKind, hints: number): Promise<void> => {
      for (let n = 0; n < hints; n += 1) {
        await receiveHint(kind, Buffer.from(`${monotonic.now()} ${n}`));
      }
    };
    const kept = async (): Promise<number> => (await webhooks.list({ family: 'hint', limit: 1_000 })).rows.length;
    await flood('pos', 90);
    expect(await kept()).toBe(60);
    await flood('partner', 1);
    expect(await kept()).toBe(61);
    expect(logger.events('webhooks.hints_limited')).toHaveLength(1);
    monotonic.advance(MINUTE_MS);
    await flood('pos', 1);
    expect(await kept()).toBe(62);
  });

  test('S27: stores the beginning of a long hint, and recognizes a repeat by the whole of it', async () => {
    const long = (end: string): Buffer => Buffer.from(`${'x'.repeat(65_000)}${end}`);
    for (const body of [long('a'), long('b'), long('a')]) {
      await webhooks.receiveHint('pos', body);
    }
    const kept = (await entries()).map(({ times, conflicts, content }) => [times, conflicts, content.toString()]);
    const beginning = 'x'.repeat(4_096);
    expect(kept.toSorted()).toEqual([
      [1, 0, beginning],
      [2, 0, beginning],
    ]);
    await webhooks.processInbox();
    expect(known.hints).toContain('pos');
  });

  test('S27: stores 8 MiB of hints an hour, whichever process got them, and answers the others as usual', async () => {
    const monotonic = fixedClock(START);
    const another = hintReceiver({ ...SETTINGS, database: harness.database, clock, logger }, monotonic);
    const kept = async (): Promise<number> => (await webhooks.list({ family: 'hint', limit: 1_000 })).rows.length;
    const hint = async (body: string): Promise<void> => {
      await another('pos', Buffer.from(body));
    };
    await hint('first');
    // As an earlier version stored them: whole. Each row counts 1 KiB besides its content.
    await storeCopies([...Array<number>(127).fill(63), 61]);
    const before = await kept();
    await hint('the last that fits');
    await hint('one too many');
    await hint('another one');
    expect(await kept()).toBe(before + 1);
    expect(logger.events('webhooks.hints_limited').map(({ fields }) => fields)).toEqual([
      { event: 'webhooks.hints_limited', kind: 'pos', limit: 'bytes_of_an_hour' },
    ]);
    // Signed webhooks have no such limit.
    expect(await receive(paymentBody())).toBe('stored');
    expect((await webhooks.list({ family: 'payment_v2', limit: 10 })).rows).toHaveLength(1);
    await webhooks.processInbox();
    expect(known.hints).toContain('pos');

    clock.advance(HOUR_MS - 1);
    monotonic.advance(HOUR_MS - 1);
    await hint('still too many');
    expect(await kept()).toBe(before + 1);
    clock.advance(1);
    monotonic.advance(MINUTE_MS);
    await hint('in the next hour');
    expect(await kept()).toBe(before + 2);
  });

  test('processes a replayed entry with a new status check, and records the replay in the audit trail', async () => {
    await receive(paymentBody());
    await webhooks.processInbox();
    const { id } = await only();
    const before = await contents(harness.database);
    const reader: Actor = { ...TESTER, kind: 'api_key', keyId: '0'.repeat(26), scopes: new Set() };
    await expect(webhooks.replay(id, { actor: reader, dryRun: false })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(webhooks.replay('nothing', BY_TEST)).rejects.toMatchObject({ code: 'not_found' });
    expect(await webhooks.replay(id, { actor: OPERATOR, dryRun: true })).toMatchObject({ state: 'received' });
    expect(await contents(harness.database)).toEqual(before);

    clock.advance(MINUTE_MS);
    expect(await webhooks.replay(id, BY_TEST)).toMatchObject({ state: 'received', availableAt: clock.now(), tries: 0 });
    expect(await webhooks.processInbox()).toBe(1);
    expect(known.asked).toEqual(['order-7', 'order-7']);
    const identity = createIdentity({ database: harness.database, clock, logger });
    expect((await identity.auditRecords({ subject: `webhook:${id}`, limit: 10 })).rows).toMatchObject([
      { action: 'webhook.replayed', actorName: 'test', detail: { state: 'done', outcome: 'looked' } },
    ]);
  });

  test('writes nothing for a worker that lost its entry to another one', async () => {
    await receive(paymentBody());
    const { id } = await only();
    // While it checks, the entry is taken away from it, processed by another worker, and done.
    known.whileChecking = async () => {
      known.whileChecking = async () => {};
      clock.advance(1_000);
      await webhooks.replay(id, BY_TEST);
      expect(await roomOn().processInbox()).toBe(1);
      clock.advance(MINUTE_MS);
    };
    expect(await webhooks.processInbox()).toBe(0);
    const { doneAt, tries } = await only();
    expect({ doneAt, tries }).toEqual({ doneAt: clock.now() - MINUTE_MS, tries: 1 });
    expect(logger.events('webhooks.lease_lost')).toHaveLength(1);
  });

  test('keeps a conflict that arrives while its entry is processed', async () => {
    await receive(paymentBody());
    known.whileChecking = async () => {
      known.whileChecking = async () => {};
      await receive(paymentBody({ amount: 1 }));
    };
    expect(await webhooks.processInbox()).toBe(0);
    expect(await only()).toMatchObject({ state: 'received', conflicts: 1 });
    await webhooks.processInbox();
    expect(known.mismatches).toEqual(new Set(['order-7']));
  });

  test('keeps the entry of a dead worker until the lease ends, then gives it to the next worker', async () => {
    await receive(paymentBody());
    const lease = async (until: number): Promise<unknown> =>
      harness.database.transact((session) => session('webhook_inbox').update({ lease_until: until, fencing: 1 }));
    await lease(Number.MAX_SAFE_INTEGER);
    expect(await webhooks.processInbox()).toBe(0);
    await lease(1);
    expect(await webhooks.processInbox()).toBe(1);
  });

  test('gives an entry to one of two workers that claim it', async () => {
    await receive(paymentBody());
    const { id } = await only();
    const claim = (): Promise<EntryClaim | undefined> =>
      harness.database.transact((session) => openInboxClaims(session).claim(id, clock.now(), 10 * MINUTE_MS));
    expect(await claim()).toMatchObject({ fencing: 1 });
    expect(await claim()).toBeUndefined();
  });

  test('gives each entry to one of several concurrent workers', async () => {
    for (let n = 0; n < 12; n += 1) {
      known.amounts.set(`order-${n}`, 125_500);
      await receive(paymentBody({ event_id: `evt_${n}`, payment_id: `pay_${n}`, developer_tracking_id: `order-${n}` }));
    }
    const other = openDatabase(parsedUrl(harness.url), logger);
    try {
      const ended = await Promise.all([webhooks.processInbox(), roomOn(other).processInbox(), roomOn().processInbox()]);
      expect(ended.reduce((sum, each) => sum + each, 0)).toBe(12);
    } finally {
      await other.close();
    }
    expect(known.asked.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `order-${n}`).toSorted());
    expect(new Set((await entries()).map(({ tries, state }) => `${state} ${tries}`))).toEqual(new Set(['done 1']));
  });

  test('F13: ends in the same state for any order, repeats and delays of the events', async () => {
    const log = ['a', 'b', 'c'].flatMap((name) => [
      {
        body: paymentBody({
          event_id: `${name}1`,
          event: 'payment.failed',
          payment_id: name,
          developer_tracking_id: null,
        }),
      },
      { body: paymentBody({ event_id: `${name}2`, payment_id: name, developer_tracking_id: null }) },
      // The same id with another amount, once.
      ...(name === 'b'
        ? [{ body: paymentBody({ event_id: 'b2', payment_id: name, developer_tracking_id: null, amount: 7 }) }]
        : []),
    ]);
    const ends = new Set<string>();
    for (let round = 0; round < 4 * FAULT_LENGTH; round += 1) {
      const random = randomFrom(FAULT_SEED, round);
      const suffix = `-${round}`;
      known.mismatches.clear();
      for (const name of ['a', 'b', 'c']) {
        known.trackingIds.set(`${name}${suffix}`, `order-${name}${suffix}`);
        known.amounts.set(`order-${name}${suffix}`, 125_500);
      }
      const deliveries = [...log, ...log.filter(() => random.onceIn(2))]
        .map(({ body }) => ({ body: inRound(body, suffix), at: random.below(1_000_000) }))
        .toSorted((a, b) => a.at - b.at);
      for (const { body } of deliveries) {
        // A message that was held back for a day is refused, and comes to the same.
        if (random.onceIn(4)) expect(await receive(body, clock.now() - 86_400_000)).toBe('stale');
        await receive(body);
        if (random.onceIn(3)) await webhooks.processInbox();
        clock.advance(random.below(MINUTE_MS));
      }
      await webhooks.processInbox();
      const signed = (await webhooks.list({ limit: 1_000 })).rows.filter(
        ({ proof, paymentId }) => proof === 'authentic' && paymentId?.endsWith(suffix) === true,
      );
      const end = signed.map(({ event, paymentId, state, conflicts }) =>
        [event, paymentId, state, conflicts].join(' '),
      );
      end.push(...[...known.mismatches].map((trackingId) => `mismatch ${trackingId}`));
      ends.add(JSON.stringify(end.toSorted()).replaceAll(suffix, ''));
      expect(new Set(known.asked.filter((id) => id.endsWith(suffix))).size).toBe(3);
    }
    expect([...ends]).toHaveLength(1);
    expect([...ends][0]).toContain('mismatch order-b');
  });
});

/** The same event in another world: its ids have a suffix. */
function inRound(body: string, suffix: string): string {
  const { event_id, payment_id, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({
    ...rest,
    event_id: `${String(event_id)}${suffix}`,
    payment_id: `${String(payment_id)}${suffix}`,
  });
}
