import { afterEach, expect, test } from '@jest/globals';
import { createAgents } from '../../../src/agents';
import { rowsOf } from '../../../src/db';
import { type Actor, openAuditTrail } from '../../../src/identity';
import { DAY_MS, HOUR_MS, isAppError, MINUTE_MS } from '../../../src/kernel';
import { createSubscriptions, type Subscriptions } from '../../../src/subscriptions';
import { describeOnEachDatabase } from '../../support/db';
import { anAgent, BY_TEST, TESTER } from '../../support/factories';
import { A_PLAN, aRoom, type Room } from './a-room';

// Goal: a subscription is created once, whatever is lost in transit, and an invalid request stores nothing.
// Method: the simulated gateway with ordered faults; then its subscriptions and Millime's rows.

const HEADER =
  'reference,amount_millimes,interval,interval_count,name,description,agent_id,client_id,max_cycles,session_timeout_secs,success_link,fail_link';
const IN_FLIGHT = 'the request is still being sent; try again in a moment';
/** More than the client sends for one creation. */
const ALL_TRIES = 3;

function plan(...rows: readonly string[]): Buffer {
  return Buffer.from([HEADER, ...rows, ''].join('\n'));
}

function numbered(count: number): Buffer {
  return plan(...Array.from({ length: count }, (_, index) => `P-${index},30000,month,,Gold,,,,,,,`));
}

describeOnEachDatabase('creating subscriptions', (harness) => {
  let opened: Room | undefined;

  async function begun(settings: unknown = {}): Promise<Room> {
    opened = await aRoom(harness.database, { settings });
    return opened;
  }

  afterEach(async () => {
    try {
      await opened?.expectSoundBooks();
    } finally {
      await opened?.close();
      opened = undefined;
    }
  });

  const ofApplication = (room: Room, isTest: boolean): Subscriptions =>
    createSubscriptions({ ...room.deps, settings: { ...room.deps.settings, isTest } });
  const atGateway = (room: Room): number =>
    Object.keys(room.gateway.simulator.simulation.world.subscriptions.byId).length;

  test('returns the payment link and records the actor', async () => {
    const room = await begun();
    const made = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1', maxCycles: 12 }, BY_TEST);
    expect(made).toMatchObject({
      kind: 'created',
      subscription: {
        requestState: 'made',
        status: 'incomplete',
        isLive: true,
        link: expect.any(String),
        amount: 30_000,
      },
    });
    const trackingId = made.kind === 'created' ? made.subscription.trackingId : '';
    const { rows: records } = await harness.database.read((session) =>
      openAuditTrail(session).list({ limit: 10, subject: `subscription:${trackingId}` }),
    );
    expect(records).toMatchObject([{ action: 'subscription.requested', actorName: 'test' }]);
  });

  test('returns the live subscription of a reference, and refuses other terms', async () => {
    const room = await begun();
    const first = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    const second = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect([first.kind, second.kind]).toEqual(['created', 'existing']);
    await expect(
      room.subscriptions.create({ ...A_PLAN, reference: 'R-1', amountMillimes: 40_000 }, BY_TEST),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(atGateway(room)).toBe(1);
  });

  test.each([
    ['test', true],
    ['live', false],
  ])('does not return a link of the %s application to the other one', async (name, isTest) => {
    const room = await begun();
    await ofApplication(room, isTest).create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    await expect(ofApplication(room, !isTest).create({ ...A_PLAN, reference: 'R-1' }, BY_TEST)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`the live attempt belongs to the ${name} application`),
    });
    await expect(
      ofApplication(room, !isTest).importPlan(plan('R-1,30000,month,,Gold,,,,,,,'), BY_TEST),
    ).rejects.toMatchObject({
      details: [`line 2: reference: is taken: the live attempt belongs to the ${name} application`],
    });
    expect(atGateway(room)).toBe(1);
  });

  test.each([true, false])(
    'assigns it to the application that sends it, not the one that planned it (test: %s)',
    async (isTest) => {
      const room = await begun();
      await ofApplication(room, !isTest).importPlan(numbered(1), BY_TEST);
      expect(await ofApplication(room, isTest).sendRequested()).toMatchObject({ sent: 1 });
      expect((await room.subscriptions.show('P-0')).subscription).toMatchObject({ requestState: 'made', isTest });
    },
  );

  test('retries an unknown creation only by its own application', async () => {
    const room = await begun();
    await room.break({ kind: 'reset_after' }, { times: ALL_TRIES });
    const lost = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(lost).toMatchObject({ kind: 'unknown', subscription: { isTest: false } });
    await room.pass(MINUTE_MS);
    expect(await ofApplication(room, true).sendRequested()).toMatchObject({ sent: 0 });
    const unknown = { requestState: 'unknown', isTest: false };
    expect((await room.subscriptions.show('R-1')).subscription).toMatchObject(unknown);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1 });
    expect((await room.subscriptions.show('R-1')).subscription).toMatchObject({ requestState: 'made', isTest: false });
  });

  test('reports an identical request in flight and sends nothing', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(plan('R-1,30000,month,,Gold,,,,,,,'), BY_TEST);
    await harness.database.transact(async (session) => {
      await session('subscriptions').update({ request_state: 'sending', sent_at: room.clock.now() });
    });
    await room.pass(5 * MINUTE_MS);
    const asked = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(asked).toMatchObject({ kind: 'unknown', reason: IN_FLIGHT });
    expect(atGateway(room)).toBe(0);
    await room.pass(1);
    expect((await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST)).kind).toBe('existing');
    expect(atGateway(room)).toBe(1);
  });

  test('creates one subscription for a reference that several processes request', async () => {
    const room = await begun();
    const rooms = [room.subscriptions, room.another(), room.another(), room.another()];
    const made = await Promise.all(rooms.map((each) => each.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST)));
    // The others find it made, or in transit.
    expect(made.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    for (const outcome of made.filter(({ kind }) => kind !== 'created')) {
      if (outcome.kind === 'existing') expect(outcome.subscription.requestState).toBe('made');
      else expect(outcome).toMatchObject({ kind: 'unknown', reason: IN_FLIGHT });
    }
    expect(atGateway(room)).toBe(1);
  });

  test('validates in a dry run and stores nothing', async () => {
    const room = await begun();
    expect(await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, { ...BY_TEST, dryRun: true })).toEqual({
      kind: 'checked',
    });
    expect((await room.subscriptions.list({ limit: 10 })).rows).toEqual([]);
    expect(atGateway(room)).toBe(0);
  });

  test.each([
    ['an amount below the least', { amountMillimes: 99 }, 'amountMillimes'],
    ['an amount that is no whole number', { amountMillimes: 100.5 }, 'amountMillimes'],
    ['more weeks than a year has', { interval: 'week', intervalCount: 53 }, 'intervalCount'],
    ['a link without TLS', { successLink: 'http://shop.example/paid' }, 'successLink'],
    ['an unknown agent', { agentId: '004711' }, 'agentId'],
    ['a reference with outer spaces', { reference: ' R-1' }, 'reference'],
  ] as const)('refuses %s by naming the field, and stores nothing', async (_, bad, field) => {
    const room = await begun();
    const fault = await room.subscriptions.create({ ...A_PLAN, ...bad }, BY_TEST).catch((error: unknown) => error);
    if (!isAppError(fault, 'bad_input')) throw fault;
    expect([fault.message, ...fault.details].join('\n')).toContain(field);
    expect((await room.subscriptions.list({ limit: 10 })).rows).toEqual([]);
  });

  test('refuses a closed agent, an API key without the scope, and an installation without a credential', async () => {
    const room = await begun();
    const agents = createAgents(room.deps);
    await agents.add(anAgent(), BY_TEST);
    await agents.close('004711', BY_TEST);
    await expect(room.subscriptions.create({ ...A_PLAN, agentId: '004711' }, BY_TEST)).rejects.toMatchObject({
      code: 'bad_input',
    });
    const reader: Actor = { ...TESTER, kind: 'api_key', name: 'reader', keyId: '1'.repeat(26), scopes: new Set() };
    await expect(room.subscriptions.create(A_PLAN, { actor: reader, dryRun: false })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const off = createSubscriptions({ ...room.deps, gateway: undefined });
    await expect(off.create(A_PLAN, BY_TEST)).rejects.toMatchObject({ code: 'misconfigured' });
    await expect(off.sendRequested()).rejects.toMatchObject({ code: 'misconfigured' });
  });

  test('stores the gateway’s refusal and frees the reference', async () => {
    const room = await begun();
    const refused = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1', acceptCard: true }, BY_TEST);
    expect(refused).toMatchObject({
      kind: 'refused',
      subscription: { requestState: 'refused', isLive: false, requestError: expect.stringContaining('card_recurring') },
    });
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(again.kind).toBe('created');
  });

  test('leaves it unknown without an answer, and the queue finds the created one', async () => {
    const room = await begun();
    await room.break({ kind: 'reset_after' }, { times: ALL_TRIES });
    const lost = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(lost).toMatchObject({ kind: 'unknown', subscription: { requestState: 'unknown', isLive: true } });
    await room.pass(MINUTE_MS);
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 1, refused: 0, unknown: 0, left: 0 });
    const { subscription } = await room.subscriptions.show('R-1');
    expect(room.truth(subscription.subscriptionId ?? '').terms.developerTrackingId).toBe(subscription.trackingId);
    expect(subscription).toMatchObject({ requestState: 'made', requestError: undefined, link: expect.any(String) });
    expect(atGateway(room)).toBe(1);
  });

  test('resolves an unknown outcome immediately when the request repeats', async () => {
    const room = await begun();
    await room.break({ kind: 'reset_after' }, { times: ALL_TRIES });
    await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(again).toMatchObject({ kind: 'existing', subscription: { requestState: 'made' } });
    expect(atGateway(room)).toBe(1);
  });

  test('sends a request that a dead process left in transit again after five minutes, not before', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(1), BY_TEST);
    await harness.database.transact(async (session) => {
      await session('subscriptions').update({ request_state: 'sending', sent_at: room.clock.now() });
    });
    await room.pass(5 * MINUTE_MS);
    expect((await room.subscriptions.sendRequested()).sent).toBe(0);
    await room.pass(1);
    expect((await room.subscriptions.sendRequested()).sent).toBe(1);
    expect(atGateway(room)).toBe(1);
  });

  test('stores a plan whole, and adds nothing for the same file', async () => {
    const room = await begun();
    const file = plan('P-1,30000,month,,Gold,,,,,,,', 'P-2,5000,week,2,Silver,text,,client-1,6,1800,,');
    expect(await room.subscriptions.importPlan(file, BY_TEST)).toEqual({ added: 2, unchanged: 0 });
    expect(await room.subscriptions.importPlan(file, BY_TEST)).toEqual({ added: 0, unchanged: 2 });
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 2, refused: 0, unknown: 0, left: 0 });
    expect(await room.subscriptions.importPlan(file, BY_TEST)).toEqual({ added: 0, unchanged: 2 });
    const { subscription } = await room.subscriptions.show('P-2');
    expect(room.truth(subscription.subscriptionId ?? '').terms).toMatchObject({
      amountMillimes: 5_000,
      interval: 'week',
      intervalCount: 2,
      name: 'Silver',
      description: 'text',
      clientId: 'client-1',
      maxCycles: 6,
      sessionTimeoutSecs: 1_800,
    });
  });

  test('stores nothing of a plan with invalid lines, and names each of them', async () => {
    const room = await begun();
    await room.subscriptions.create({ ...A_PLAN, reference: 'P-9' }, BY_TEST);
    const file = plan(
      'P-1,30000,month,,Gold,,,,,,,',
      'P-2,10,month,,Gold,,,,,,,',
      'P-1,30000,month,,Gold,,,,,,,',
      'P-3,30000,hour,,Gold,,,,,,,',
      'P-4,30000,month,,Gold,,004711,,,,,',
      'P-9,70000,month,,Gold,,,,,,,',
      ',30000,month,,Gold,,,,,,,',
    );
    const refused = room.subscriptions.importPlan(file, BY_TEST);
    await expect(refused).rejects.toMatchObject({
      code: 'bad_input',
      details: [
        expect.stringMatching(/^line 3: amountMillimes: /),
        'line 4: reference: already on line 2',
        'line 5: interval: expected one of day, week, month, year, got "hour"',
        'line 6: agent_id: names an unknown agent; add it with "millime agents import"',
        'line 7: reference: is live with other terms',
        'line 8: reference: expected a reference, got nothing',
      ],
    });
    expect((await room.subscriptions.list({ limit: 10 })).rows).toHaveLength(1);
  });

  test('reports in a dry run of a plan what it would add', async () => {
    const room = await begun();
    expect(await room.subscriptions.importPlan(numbered(3), { ...BY_TEST, dryRun: true })).toEqual({
      added: 3,
      unchanged: 0,
    });
    expect((await room.subscriptions.list({ limit: 10 })).rows).toEqual([]);
  });

  test('sends sixty queued rows a minute, each once by two processes', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(70), BY_TEST);
    // One client for both, because they share one budget, as processes on one database do.
    const another = ofApplication(room, false);
    const runs = await Promise.all([room.subscriptions.sendRequested(), another.sendRequested()]);
    expect(runs.reduce((sum, { sent }) => sum + sent, 0)).toBe(60);
    // What our own budget held back asked nothing of the gateway, which needs no rest from it.
    const { rows: left } = await room.subscriptions.list({ limit: 70, requestState: 'requested' });
    expect(left.filter(({ sentAt }) => sentAt !== undefined)).toEqual([]);
    const waits = await harness.database.read((session) =>
      rowsOf(session('gateway_budget').where('budget_key', 'like', 'queue:%').select('value')),
    );
    expect(waits).toEqual([]);
    await room.pass(2 * MINUTE_MS);
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 10, refused: 0, unknown: 0, left: 0 });
    expect(atGateway(room)).toBe(70);
  }, 60_000);

  test('keeps rows queued and unrefused while the gateway creates no subscriptions', async () => {
    const room = await begun({ subscriptions: { refuseWith: 'recurring_payments_disabled' } });
    await room.subscriptions.importPlan(numbered(3), BY_TEST);
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 3 });
    room.gateway.simulator.changeSettings({ subscriptions: { refuseWith: null } });
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0, left: 3 });
    await room.pass(MINUTE_MS);
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 3, refused: 0, unknown: 0, left: 0 });
  });

  test('moves a row that always fails to the end of the queue and creates the others', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(3), BY_TEST);
    await room.break({ kind: 'status', code: 500, processed: false }, { times: ALL_TRIES });
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 1, left: 2 });
    expect((await room.subscriptions.show('P-0')).subscription).toMatchObject({
      requestState: 'unknown',
      sentAt: room.clock.now(),
    });
    await room.pass(MINUTE_MS - 1);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0, left: 2 });
    await room.pass(1);
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 3, refused: 0, unknown: 0, left: 0 });
    const made = Object.values(room.gateway.simulator.simulation.world.subscriptions.byId);
    expect(made.map((each) => each.terms.developerTrackingId).at(-1)).toBe(
      (await room.subscriptions.show('P-0')).subscription.trackingId,
    );
  });

  test('retries a row that always fails ever more seldom, and opens one break after five days', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(1), BY_TEST);
    await room.break({ kind: 'status', code: 500, processed: false }, { times: 100 * ALL_TRIES });
    const tried: number[] = [];
    const run = async (): Promise<boolean> => {
      const { sentAt } = (await room.subscriptions.show('P-0')).subscription;
      await room.subscriptions.sendRequested();
      return (await room.subscriptions.show('P-0')).subscription.sentAt !== sentAt;
    };
    for (let minute = 0; minute <= 61; minute += 1) {
      if (await run()) tried.push(minute);
      await room.pass(MINUTE_MS);
    }
    expect(tried).toEqual([0, 1, 3, 7, 15, 31, 61]);
    await room.pass(5 * DAY_MS - 62 * MINUTE_MS - 1);
    expect(await run()).toBe(true);
    expect(await room.breaks()).toEqual([]);
    await room.pass(HOUR_MS);
    for (let times = 0; times < 2; times += 1) expect(await run()).toBe(false);
    const { subscription } = await room.subscriptions.show('P-0');
    expect(subscription).toMatchObject({ requestState: 'unknown', isLive: true });
    expect(await room.breaks()).toMatchObject([
      { fingerprint: `outcome_unknown:${subscription.trackingId}`, breakClass: 'outcome_unknown', amount: 30_000 },
    ]);
  });

  test('resolves an unresolved creation when it is requested again by hand', async () => {
    const room = await begun();
    await room.break({ kind: 'reset_after' }, { times: ALL_TRIES });
    await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    await room.pass(5 * DAY_MS);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0 });
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(again).toMatchObject({ kind: 'existing', subscription: { requestState: 'made' } });
    expect(atGateway(room)).toBe(1);
  });

  test('sends a decidable row despite sixty unresolved ones', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(60), BY_TEST);
    await harness.database.transact(async (session) => {
      await session('subscriptions').update({ request_state: 'unknown', sent_at: room.clock.now() });
    });
    await room.pass(5 * DAY_MS);
    await room.subscriptions.importPlan(plan('L-1,30000,month,,Gold,,,,,,,'), BY_TEST);
    await harness.database.transact(async (session) => {
      await session('subscriptions')
        .where('reference', 'L-1')
        .update({ request_state: 'unknown', sent_at: room.clock.now() });
    });
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1, left: 0 });
    expect(await room.breaks()).toHaveLength(60);
  });

  test('neither retries an unknown creation by the other application nor marks it refused after a later refusal', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(1), BY_TEST);
    await room.break({ kind: 'status', code: 502, processed: true }, { times: ALL_TRIES });
    expect(await room.subscriptions.sendRequested()).toMatchObject({ unknown: 1 });
    await room.pass(MINUTE_MS);
    expect(await ofApplication(room, true).sendRequested()).toMatchObject({ sent: 0 });
    room.gateway.simulator.changeSettings({ subscriptions: { refuseWith: 'merchant_not_allowed' } });
    expect(await room.subscriptions.sendRequested()).toMatchObject({ refused: 0, unknown: 1 });
    room.gateway.simulator.changeSettings({ subscriptions: { refuseWith: null } });
    await room.pass(2 * MINUTE_MS);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1 });
    expect((await room.subscriptions.show('P-0')).subscription).toMatchObject({ requestState: 'made', isTest: false });
    expect(atGateway(room)).toBe(1);
  });

  test('keeps rows queued during a ban, even if its body has an error code', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(2), BY_TEST);
    await room.break({
      kind: 'status',
      code: 403,
      body: { success: false, code: 403, message: 'Forbidden' },
      processed: false,
    });
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 0, refused: 0, unknown: 0, left: 2 });
    expect((await room.subscriptions.show('P-0')).subscription).toMatchObject({
      requestState: 'requested',
      isLive: true,
    });
    await room.pass(15 * MINUTE_MS - 1);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0, left: 2 });
    await room.pass(1);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 2, left: 0 });
  });

  test('waits as long as a 429 states', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(1), BY_TEST);
    await room.break({ kind: 'too_many', retryAfterSecs: 900 });
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0, left: 1 });
    await room.pass(15 * MINUTE_MS - 1);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 0, left: 1 });
    await room.pass(1);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1, left: 0 });
  });

  test('leaves the outcome unknown after a 500 with an error code', async () => {
    const room = await begun();
    const body = { success: false, code: 500, message: 'Unexpected Error' };
    await room.break({ kind: 'status', code: 500, body, processed: true });
    const asked = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(asked).toMatchObject({ kind: 'unknown', subscription: { isLive: true } });
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(again).toMatchObject({ kind: 'existing', subscription: { requestState: 'made' } });
    expect(atGateway(room)).toBe(1);
  });

  test('sends queued rows despite sixty unknown ones of the other application', async () => {
    const room = await begun();
    await ofApplication(room, true).importPlan(numbered(60), BY_TEST);
    await harness.database.transact(async (session) => {
      await session('subscriptions').update({ request_state: 'unknown', sent_at: room.clock.now() });
    });
    await room.pass(31 * MINUTE_MS);
    await room.subscriptions.importPlan(plan('L-1,30000,month,,Gold,,,,,,,'), BY_TEST);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1, left: 0 });
    await harness.database.transact(async (session) => {
      await session('subscriptions').where('reference', 'L-1').update({ request_state: 'unknown' });
    });
    await room.pass(31 * MINUTE_MS);
    expect(await room.subscriptions.sendRequested()).toMatchObject({ sent: 1, left: 0 });
  });

  test('creates a new subscription with a new link when the checkout of the reference ended', async () => {
    const room = await begun();
    const first = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    const link = first.kind === 'created' ? first.subscription.link : undefined;
    await room.pass(21 * MINUTE_MS - 1);
    expect((await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST)).kind).toBe('existing');
    await room.pass(1);
    const second = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(second).toMatchObject({ kind: 'created', subscription: { status: 'incomplete', link: expect.any(String) } });
    expect(second.kind === 'created' ? second.subscription.link : link).not.toBe(link);
  });

  test('returns the existing subscription if it was paid before its checkout ended', async () => {
    const room = await begun();
    const { trackingId } = await room.active({ reference: 'R-1' });
    await room.pass(30 * MINUTE_MS);
    const again = await room.subscriptions.create({ ...A_PLAN, reference: 'R-1' }, BY_TEST);
    expect(again).toMatchObject({ kind: 'existing', subscription: { trackingId, status: 'active' } });
  });

  test('marks one invalid row refused and sends the others', async () => {
    const room = await begun();
    await room.subscriptions.importPlan(numbered(3), BY_TEST);
    await room.break({ kind: 'status', code: 400, body: { amount: ['too much'] }, processed: false });
    expect(await room.subscriptions.sendRequested()).toEqual({ sent: 2, refused: 1, unknown: 0, left: 0 });
    expect(await room.subscriptions.importPlan(numbered(3), BY_TEST)).toEqual({ added: 1, unchanged: 2 });
  });

  test('finds it by Millime’s id, the gateway’s id and its reference', async () => {
    const room = await begun();
    const { trackingId, subscriptionId } = await room.active({ reference: 'R-1' });
    for (const id of [trackingId, subscriptionId, 'R-1']) {
      expect((await room.subscriptions.show(id)).subscription.trackingId).toBe(trackingId);
    }
    await expect(room.subscriptions.show('R-2')).rejects.toMatchObject({ code: 'not_found' });
    expect((await room.subscriptions.list({ limit: 10, requestState: 'refused' })).rows).toEqual([]);
  });
});
