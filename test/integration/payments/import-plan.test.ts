// Goal: a plan is stored whole or not at all, and never requests one payment twice.
// Method: files against the tables; the stored rows are read back as the queue reads them.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAgents } from '../../../src/agents';
import type { PlanResult } from '../../../src/attempts';
import { openAuditTrail } from '../../../src/identity';
import { createPayments, type Payment } from '../../../src/payments';
import { describeOnEachDatabase } from '../../support/db';
import { anAgent, BY_TEST } from '../../support/factories';
import { aCollectingScene, type CollectingScene } from './scene';

const HEADER =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';
const fileOf = (...lines: readonly string[]): Buffer => Buffer.from([HEADER, ...lines, ''].join('\n'));
const rowsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `order-${index},${1_000 + index},,,,,,,`);

describeOnEachDatabase('a plan of payments', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });
  afterEach(() => scene.close());

  const take = (...lines: readonly string[]): Promise<PlanResult> =>
    scene.payments.importPlan(fileOf(...lines), BY_TEST);
  const stored = (): Promise<Payment[]> => scene.payments.list({ limit: 1_000 });
  const faultsOf = async (...lines: readonly string[]): Promise<unknown> => {
    const fault = await take(...lines).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'bad_input' });
    return (fault as { details: unknown }).details;
  };

  test('queues its rows with their values, and defaults for absent ones', async () => {
    await createAgents(scene.deps).add(anAgent(), BY_TEST);
    const full = 'order-2,7000,binding,004711,client-1,false,600,https://a.example/y,https://a.example/n';
    expect(await take('order-1,5000,,,,,,,', full)).toEqual({ added: 2, unchanged: 0 });
    expect(await stored()).toMatchObject([
      {
        kind: 'binding',
        reference: 'order-2',
        isLive: true,
        agentId: '004711',
        amount: 7_000,
        requestState: 'requested',
        sentAt: undefined,
        terms: {
          amountMillimes: 7_000,
          clientId: 'client-1',
          acceptCard: false,
          sessionTimeoutSecs: 600,
          successLink: 'https://a.example/y',
          failLink: 'https://a.example/n',
        },
      },
      { kind: 'standard', amount: 5_000, ourShare: 5_000, terms: { successLink: 'https://shop.example/paid' } },
    ]);
  });

  test('stores nothing if one line is invalid, and names each invalid line with its fault', async () => {
    await createAgents(scene.deps).add(anAgent(), BY_TEST);
    await createAgents(scene.deps).close('004711', BY_TEST);
    expect(
      await faultsOf(
        'order-1,5000,,,,,,,',
        ',5000,,,,,,,',
        'order-1,5000,,,,,,,',
        'order-2,5.5,,,,,,,',
        'order-3,0,,,,,,,',
        'order-4,5000,split,,,,,,',
        'order-5,5000,binding,,,,,,',
        'order-6,5000,,999,,,,,',
        'order-7,5000,,004711,,,,,',
        'order-8,5000,,,,yes,soon,,',
        'order-9,5000,,,,,,not a link,',
      ),
    ).toEqual([
      'line 3: reference: expected a reference, got nothing',
      'line 4: reference: already on line 2',
      'line 5: amount_millimes: expected whole millimes, got "5.5"',
      expect.stringContaining('line 6: amount_millimes: '),
      'line 7: kind: expected one of standard, binding, preauthorization, got "split"',
      expect.stringContaining('line 8: client_id: '),
      'line 9: agent_id: names an unknown agent; add it with "millime agents import"',
      'line 10: agent_id: names a closed agent',
      'line 11: accept_card: expected true or false, got "yes"',
      'line 11: session_timeout_secs: expected whole seconds, got "soon"',
      expect.stringContaining('line 12: success_link: '),
    ]);
    expect(await stored()).toEqual([]);
  });

  test('adds nothing on a second import, across pages or by two concurrent imports', async () => {
    const rows = rowsOf(250);
    const both = await Promise.all([take(...rows), take(...rows)]);
    expect(both.map(({ added, unchanged }) => added + unchanged)).toEqual([250, 250]);
    expect(both.reduce((sum, { added }) => sum + added, 0)).toBe(250);
    expect(await take(...rows)).toEqual({ added: 0, unchanged: 250 });
    expect(await stored()).toHaveLength(250);
  });

  test('adds nothing again after its payments were sent or refused', async () => {
    await take('order-1,5000,,,,,,,', 'order-2,6000,,,,,,,');
    const body = { result: { status: 400, message: 'Bad Request' }, code: 1 };
    const fault = { kind: 'status', code: 400, body, processed: false };
    await scene.control('POST', '/faults', { fault, operation: 'payments.create' });
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 1, refused: 1 });
    expect(await take('order-1,5000,,,,,,,', 'order-2,6000,,,,,,,')).toEqual({ added: 0, unchanged: 2 });
  });

  test('requests its abandoned payments again, and no others', async () => {
    const rows = ['order-1,5000,,,,,,,', 'order-2,6000,,,,,,,'];
    await take(...rows);
    const fault = { kind: 'html_502', processed: false };
    await scene.control('POST', '/faults', { fault, operation: 'payments.create' });
    expect(await scene.payments.sendRequested()).toMatchObject({ unknown: 1, left: 1 });
    await scene.pass(60_000);
    expect(await scene.payments.sendRequested()).toMatchObject({ sent: 1, left: 0 });
    expect(await take(...rows)).toEqual({ added: 0, unchanged: 2 });
    await scene.pass(60 * 60_000);
    await scene.payments.resolveStaleRequests();
    expect(await take(...rows)).toEqual({ added: 1, unchanged: 1 });
    expect(await take(...rows)).toEqual({ added: 0, unchanged: 2 });
    expect(await scene.payments.list({ reference: 'order-1', limit: 10 })).toMatchObject([
      { requestState: 'requested', isLive: true },
      { requestState: 'abandoned', isLive: false },
    ]);
  });

  test('reports a reference that is live with other terms as an invalid line', async () => {
    await take('order-1,5000,,,,,,,');
    expect(await faultsOf('order-2,1000,,,,,,,', 'order-1,5001,,,,,,,')).toEqual([
      'line 3: reference: is live with other terms',
    ]);
    expect(await stored()).toHaveLength(1);
  });

  test('reports a reference that is live at the other application as such', async () => {
    const settings = { ...scene.deps.settings, isTest: true };
    const rehearsal = createPayments({ ...scene.deps, settings });
    await rehearsal.importPlan(fileOf('order-1,5000,,,,,,,'), BY_TEST);
    expect(await faultsOf('order-1,5000,,,,,,,')).toEqual([
      'line 2: reference: is taken: the live attempt belongs to the test application',
    ]);
    expect(await stored()).toHaveLength(1);
  });

  test('queues payments at the live application that the test application refused', async () => {
    const settings = { ...scene.deps.settings, isTest: true };
    const rehearsal = createPayments({ ...scene.deps, settings });
    await rehearsal.importPlan(fileOf('order-1,5000,,,,,,,'), BY_TEST);
    const body = { result: { status: 400, message: 'Bad Request' }, code: 1 };
    const fault = { kind: 'status', code: 400, body, processed: false };
    await scene.control('POST', '/faults', { fault, operation: 'payments.create' });
    expect(await rehearsal.sendRequested()).toMatchObject({ refused: 1 });
    expect(await take('order-1,5000,,,,,,,')).toEqual({ added: 1, unchanged: 0 });
  });

  test('returns its queued payment to a request by hand for the same reference', async () => {
    await take('order-1,5000,,,,,,,');
    const request = { kind: 'standard', amountMillimes: 5_000, reference: 'order-1' } as const;
    expect(await scene.payments.create(request, BY_TEST)).toMatchObject({
      kind: 'existing',
      payment: { requestState: 'requested' },
    });
    await expect(scene.payments.create({ ...request, amountMillimes: 1 }, BY_TEST)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('reports in a dry run what it would add, and stores nothing', async () => {
    const dry = { ...BY_TEST, dryRun: true };
    expect(await scene.payments.importPlan(fileOf(...rowsOf(3)), dry)).toEqual({ added: 3, unchanged: 0 });
    expect(await stored()).toEqual([]);
  });

  test('writes one audit record', async () => {
    await take(...rowsOf(150));
    await take(...rowsOf(150));
    const { rows: records } = await harness.database.read((session) => openAuditTrail(session).list({ limit: 10 }));
    expect(records).toMatchObject([{ action: 'payments.planned', actorName: 'test', detail: { rows: 150 } }]);
  });
});
