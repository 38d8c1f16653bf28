import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freshDatabase } from '../support/db';
import { spawnedCli } from '../support/server-process';
import { Installation } from './support/installation';
import { SimulateProcess } from './support/simulate-process';
import { until } from './support/until';

// Goal: an operator collects money with the commands alone, through every channel, and it is posted once.
// Method: the built program against `millime simulate`, both on one clock file; customers act by the simulator's
// control calls; the server only receives webhooks, so that only commands have effects. On SQLite: the functions behind
// the commands are tested on both databases.

const LIMIT_MS = 180_000;
const START = '2026-03-02T09:00:00+01:00';

interface PaymentJson {
  readonly trackingId: string;
  readonly gatewayId: string | null;
  readonly status: string | null;
  readonly settlementStatus: string | null;
  readonly itemId: string | null;
}

interface Made {
  readonly kind: string;
  readonly payment: PaymentJson;
}

describe('taking money by command', () => {
  let url: string;
  let simulator: SimulateProcess;
  let clock: Installation;
  let millime: Installation;

  beforeEach(async () => {
    ({ url } = await freshDatabase('sqlite'));
    clock = new Installation(url, { clock: START });
    const CLOCK_FILE = clock.env['CLOCK_FILE'] ?? '';
    simulator = await SimulateProcess.start(['--seed', '7'], { CLOCK_FILE });
    const gateway = {
      GATEWAY_BASE_URL: simulator.baseUrl,
      GATEWAY_PUBLIC_KEY: 'pk_simulator',
      GATEWAY_PRIVATE_KEY: 'sk_simulator',
      GATEWAY_API_KEY: 'ak_simulator',
      GATEWAY_MERCHANT_ID: '12',
      CHECKOUT_SUCCESS_URL: 'https://shop.example/yes',
      CHECKOUT_FAIL_URL: 'https://shop.example/no',
      CLOCK_FILE,
    };
    // The server's address is known when it listens; only who makes a payment has to know it.
    const server = await new Installation(url, { env: gateway }).serve({ role: 'http' });
    millime = new Installation(url, { env: { ...gateway, PUBLIC_URL: server.baseUrl } });
  }, LIMIT_MS);

  afterEach(async () => {
    await simulator.stop();
    expect(await millime.brokenInvariants()).toEqual([]);
  }, LIMIT_MS);

  /** Moves the time of both, and waits until the simulator has done what was due by then. */
  async function moveTo(instant: string): Promise<void> {
    clock.setClock(instant);
    const wanted = new Date(instant).toISOString();
    await until(
      `the simulator is at ${wanted}`,
      async () => (await control('GET', '/time'))['now'] === wanted,
      LIMIT_MS,
    );
  }

  async function control(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${simulator.baseUrl}/_simulator${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect({ path, status: answer.status, text }).toMatchObject({ status: 200 });
    return JSON.parse(text) as Record<string, unknown>;
  }

  const webhooksCame = (count: number): Promise<unknown> =>
    until(
      `${count} webhooks came`,
      async () => (await millime.json<unknown[]>(['webhooks', 'list'])).length >= count,
      LIMIT_MS,
    );

  const dueOf = async (agentId: string): Promise<unknown> =>
    (await millime.json(['agents', 'due', agentId]))['dueMillimes'];

  test(
    'a payment of an agent is followed from link to settlement and lowers the due once',
    async () => {
      await millime.seedAgents(['A-1'], 20_000);
      const create = [
        'payments',
        'create',
        '--amount',
        '5000',
        '--reference',
        'R-1',
        '--agent',
        'A-1',
        '--accept-card',
      ];
      expect(await millime.json([...create, '--dry-run'])).toMatchObject({ kind: 'checked', payment: null });
      expect(await millime.json(['payments', 'list'])).toEqual([]);
      const made = await millime.json<Made>(create);
      expect(made).toMatchObject({ kind: 'created', payment: { requestState: 'made', link: expect.any(String) } });
      expect(await millime.json<Made>(create)).toMatchObject({
        kind: 'existing',
        payment: { trackingId: made.payment.trackingId },
      });

      await control('POST', `/payments/${made.payment.gatewayId}/pay`, { type: 'card' });
      await webhooksCame(1);
      expect(await millime.json(['poll'])).toMatchObject({ webhooks: 1, left: 0 });
      const paid = await millime.json<PaymentJson>(['payments', 'show', 'R-1']);
      expect(paid).toMatchObject({
        status: 'SUCCESS',
        settlementStatus: 'PROCESSING',
        method: 'card',
        itemId: `payment:${made.payment.gatewayId}`,
      });
      expect(await dueOf('A-1')).toBe(15_000);
      expect(await millime.json(['webhooks', 'list'])).toMatchObject([{ state: 'done', family: 'payment_v2' }]);

      await moveTo('2026-03-05T09:00:00+01:00');
      await millime.json(['poll']);
      const settled = await millime.cli('payments', 'show', `${made.payment.gatewayId}`);
      expect(settled.stdout).toContain('paid by card, money available since 2026-03-05 09:00:00');
      expect(await dueOf('A-1')).toBe(15_000);
    },
    LIMIT_MS,
  );

  test(
    'a refund returns the whole payment once and is refused the second time',
    async () => {
      const { payment } = await millime.json<Made>(['payments', 'create', '--amount', '5000']);
      await control('POST', `/payments/${payment.gatewayId}/pay`);
      await webhooksCame(1);
      await millime.json(['poll']);
      const refund = ['payments', 'refund', payment.trackingId];
      expect(await millime.json([...refund, '--dry-run'])).toMatchObject({ kind: 'checked', operation: null });
      expect(await millime.json(refund)).toMatchObject({ kind: 'done', operation: { state: 'done' } });
      expect(await millime.cli(...refund)).toMatchObject({ code: 2, stdout: '' });
      const shown = await millime.json(['payments', 'show', payment.trackingId]);
      expect(shown['operations']).toMatchObject([{ kind: 'refund', state: 'done' }]);
    },
    LIMIT_MS,
  );

  test(
    'a session whose answer was lost is shown as unknown with exit code 1 and never created again',
    async () => {
      // The gateway makes the session and cuts the connection (magic amount).
      const create = ['payments', 'create', '--amount', '66000011', '--reference', 'LOST'];
      const lost = await millime.json<Made>(create, 1);
      expect(lost).toMatchObject({ kind: 'unknown', payment: { requestState: 'unknown', gatewayId: null } });
      await millime.cli(...create, '--json');
      await millime.json(['poll', '--send']);
      expect(await control('GET', '/state')).toMatchObject({ payments: { PENDING: 1 } });
      const { stdout } = await millime.cli('payments', 'show', 'LOST');
      expect(stdout).toContain('outcome unknown, do not repeat the request');
    },
    LIMIT_MS,
  );

  test(
    'POS and QR payments are followed without signed webhooks',
    async () => {
      const pos = ['pos', 'start', '--terminal', 'T-1', '--serial', 'S-1', '--amount', '7000', '--method', 'CARD'];
      const started = await millime.json<Made>(pos);
      const { payment: code } = await millime.json<Made>(['qr', 'create', '--amount', '3000']);
      const [transaction] = (await control('GET', '/pos'))['transactions'] as { serviceTransactionId: string }[];
      await control('POST', `/pos/${transaction?.serviceTransactionId}/finish`, { status: 'PS' });
      await control('POST', `/qr/${code.gatewayId}/pay`, { times: 2 });

      const paid = await millime.json<Made>(['pos', 'status', started.payment.trackingId]);
      expect(paid).toMatchObject({ kind: 'looked', payment: { status: 'PS' } });
      expect(await millime.json(['qr', 'status', code.trackingId])).toMatchObject({ kind: 'looked' });
      const purchases = await millime.json<unknown[]>(['qr', 'history', '--from', '2026-03-02', '--to', '2026-03-02']);
      expect(purchases).toHaveLength(2);
      const { stdout } = await millime.cli('ledger', 'export', '--format', 'csv');
      expect(stdout).toContain(`${transaction?.serviceTransactionId}`);
    },
    LIMIT_MS,
  );

  test(
    'an imported plan waits until it is sent, and is sent once however often it is imported',
    async () => {
      const head =
        'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';
      const plan = millime.file(
        'plan.csv',
        [head, 'P-1,4000,,,,,,,', 'P-2,6000,preauthorization,,,true,,,'].join('\n'),
      );
      const give = ['payments', 'create', '--file', plan];
      expect(await millime.json([...give, '--dry-run'])).toEqual({ added: 2, unchanged: 0, dryRun: true });
      expect(await millime.json(give)).toEqual({ added: 2, unchanged: 0, dryRun: false });
      const waiting = ['payments', 'list', '--state', 'requested'];
      expect(await millime.json<unknown[]>(waiting)).toHaveLength(2);

      expect(await millime.json(['poll', '--send'])).toMatchObject({ queue: { payments: { sent: 2, left: 0 } } });
      expect(await millime.json(waiting)).toEqual([]);
      expect(await millime.json(give)).toEqual({ added: 0, unchanged: 2, dryRun: false });
      await millime.json(['poll', '--send']);
      expect(await control('GET', '/state')).toMatchObject({ payments: { PENDING: 2 } });

      const bad = millime.file('bad.csv', [head, 'P-3,4000,,,,,,,', 'P-4,-1,,,,,,,'].join('\n'));
      const { code, stderr } = await millime.cli('payments', 'create', '--file', bad);
      expect(code).toBe(2);
      expect(stderr).toContain('line 3');
      expect(await millime.json(waiting)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'subscription charges are shown with their fees',
    async () => {
      const create = ['subscriptions', 'create', '--amount', '9000', '--interval', 'month', '--name', 'Journal'];
      const { subscription } = await millime.json<{ subscription: Record<string, unknown> }>(create);
      expect(subscription).toMatchObject({ requestState: 'made', amountMillimes: 9_000, link: expect.any(String) });
      await control('POST', `/payments/${String(subscription['firstPaymentId'])}/pay`);
      const id = String(subscription['subscriptionId']);
      expect(await millime.json(['subscriptions', 'verify', id])).toMatchObject({
        kind: 'looked',
        subscription: { status: 'active' },
      });
      expect(await millime.json(['subscriptions', 'charges', id])).toMatchObject([
        { status: 'SUCCESS', amountMillimes: 9_000, itemId: expect.stringMatching(/^payment:/) },
      ]);
      expect((await millime.cli('subscriptions', 'show', id)).stdout).toContain('in the ledger');
    },
    LIMIT_MS,
  );

  test(
    "a customer's wallet is linked, shown, and pays once",
    async () => {
      const { sessionId } = await millime.json(['wallet', 'link', '--phone', '+21620123456']);
      const confirmed = await control('POST', `/wallet-links/${String(sessionId)}/confirm`);
      const account = ['--phone', '+21620123456', '--tracking-id', String(confirmed['trackingId'])];
      const session = await millime.json(['wallet', 'session', ...account]);
      expect(session).toMatchObject({ token: expect.any(String), refreshToken: expect.any(String) });
      const { balanceMillimes } = await millime.json<{ balanceMillimes: number }>(['wallet', 'balance', ...account]);
      const paid = await millime.json<Made>(['wallet', 'pay', ...account, '--amount', '2000', '--product', 'P-1']);
      expect(paid).toMatchObject({ kind: 'created', payment: { kind: 'wallet', amountMillimes: 2_000 } });
      expect(await millime.json(['wallet', 'balance', ...account])).toMatchObject({
        balanceMillimes: balanceMillimes - 2_000,
      });
      expect(await millime.json<unknown[]>(['wallet', 'history', ...account])).toHaveLength(1);
    },
    LIMIT_MS,
  );

  test(
    'a pasted webhook is diagnosed without a database',
    async () => {
      // The example of docs/SIMULATOR.md, and one digit of its signature changed.
      const signature = 'e28c0cd41f700491853f25fdf424efd904f3f2e02e207c0ea6d0615f688b4106';
      const request = (v1: string): string =>
        `GET /webhooks/payment?payment_id=pay_1&success=True HTTP/1.1\nX-Service-Signature: t=1772438400,v1=${v1}\n\n`;
      const diagnose = (text: string) => {
        const env = { ...millime.env, DATABASE_URL: `sqlite:${millime.folder}/never-made.sqlite3` };
        const args = ['webhooks', 'diagnose', '-', '--at', '2026-03-02T09:00:00+01:00', '--json'];
        return spawnedCli(args, env, { stdin: text });
      };
      const good = await diagnose(request(signature));
      expect(JSON.parse(good.stdout)).toMatchObject({ verdict: 'authentic' });
      const bad = await diagnose(request(signature.replace('e28c', 'e28d')));
      expect(JSON.parse(bad.stdout)).toMatchObject({ verdict: 'rejected', cause: 'wrong_key' });
      for (const { stdout, stderr } of [good, bad]) expect(stdout + stderr).not.toContain('sk_simulator');
    },
    LIMIT_MS,
  );

  test(
    'without the gateway the commands say which variables are missing, and what was taken is still shown',
    async () => {
      const without = new Installation(url);
      const { code, stdout, stderr } = await without.cli('payments', 'create', '--amount', '5000');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^millime: GATEWAY_BASE_URL, GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY: [^\n]+\n$/);
      expect(await without.json(['payments', 'list'])).toEqual([]);
      const features = async (installation: Installation): Promise<unknown> =>
        (
          await installation
            .cli('doctor', '--json')
            .then(({ stdout: text }) => JSON.parse(text) as { features: unknown })
        ).features;
      expect(await features(without)).toEqual({ takingMoney: expect.stringContaining('off: GATEWAY_BASE_URL') });
      expect(await features(millime)).toMatchObject({ takingMoney: 'on', webhooks: 'on' });
    },
    LIMIT_MS,
  );

  test(
    'an unknown id is bad input, and a wrong amount is never sent',
    async () => {
      expect((await millime.cli('payments', 'show', randomUUID())).code).toBe(2);
      expect((await millime.cli('payments', 'create', '--amount', '5.000')).code).toBe(2);
      expect(await millime.json(['payments', 'list'])).toEqual([]);
    },
    LIMIT_MS,
  );
});
