import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningSimulator } from '../../../src/simulator';
import { type DeliveryView, GATEWAY_PARTS } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, SIMULATED_START } from '../../support/a-simulator';
import { runCurl, wordsOf } from '../../support/simple-curl';
import { WebhookReceiver } from '../../support/webhook-receiver';

// Goal: the two pages show and do what they state, execute no input of callers, and serve no other site's page.
// Method: forms are posted as a browser posts them; redirects are not followed.

let running: RunningSimulator;

beforeEach(async () => {
  running = await aRunningSimulator();
});

afterEach(() => running.close());

const ATTACK = '<img src=x onerror=alert(1)>"\'';

async function aLink(more: object = {}): Promise<string> {
  const { link } = await aClientOf(running).payments.create({
    amountMillimes: 5_000,
    successLink: 'https://shop.example/yes?a=1&b=2',
    failLink: 'https://shop.example/no',
    ...more,
  });
  return link;
}

async function post(address: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

const simulation = (): RunningSimulator['simulator']['simulation'] => running.simulator.simulation;

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

const pageOf = (path: string): string => `${running.baseUrl}/_simulator${path}`;

describe('The checkout page', () => {
  test.each([
    ['wallet', 'https://shop.example/yes?a=1&b=2', 'SUCCESS'],
    ['card', 'https://shop.example/yes?a=1&b=2', 'SUCCESS'],
    ['mpayment', 'https://shop.example/yes?a=1&b=2', 'SUCCESS'],
    ['refuse', 'https://shop.example/no', 'FAILURE'],
  ])('ends a payment by the button "%s" and leads to %s', async (action, address, status) => {
    const link = await aLink({ acceptCard: true });
    expect(link.startsWith(running.baseUrl)).toBe(true);
    expect(await (await fetch(link)).text()).toContain(`value="${action}"`);

    const response = await post(link, { action });

    expect({ status: response.status, to: response.headers.get('location') }).toEqual({ status: 303, to: address });
    expect(await (await fetch(link)).text()).toContain(`The payment is ${status}.`);
    expect(await (await fetch(link)).text()).not.toContain('<button');
  });

  test('offers a card only if cards are accepted, and refuses one otherwise', async () => {
    const link = await aLink();
    expect(await (await fetch(link)).text()).not.toContain('value="card"');
    expect((await post(link, { action: 'card' })).status).toBe(409);
    expect(await (await fetch(link)).text()).toContain('value="wallet"');
  });

  test('reports a fault', async () => {
    expect((await fetch(`${running.baseUrl}/pay/unknown`)).status).toBe(404);
    expect((await post(`${running.baseUrl}/pay/unknown`, { action: 'wallet' })).status).toBe(404);
    expect((await post(await aLink(), { action: 'steal' })).status).toBe(400);
  });

  test('shows input of callers as text', async () => {
    const text = await (await fetch(await aLink({ clientId: ATTACK }))).text();
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
  });
});

describe('The state page', () => {
  test('shows the payments, and pays one by its form', async () => {
    const link = await aLink({ developerTrackingId: ATTACK });
    const paymentId = link.split('/').at(-1) ?? '';
    const before = await (await fetch(pageOf('/page'))).text();
    expect(before).toContain(SIMULATED_START);
    expect(before).toContain(`action="/_simulator/page/payments/${paymentId}"`);
    expect(before).not.toContain('<img');

    const response = await post(pageOf(`/page/payments/${paymentId}`), { action: 'wallet' });

    expect({ status: response.status, to: response.headers.get('location') }).toEqual({
      status: 303,
      to: '/_simulator/page',
    });
    const after = await (await fetch(pageOf('/page'))).text();
    expect(after).toContain('SUCCESS');
    expect(after).not.toContain('/page/payments/');
    expect((await post(pageOf(`/page/payments/${paymentId}`), { action: 'wallet' })).status).toBe(409);
  });

  test('moves the time', async () => {
    expect((await post(pageOf('/page/advance'), { by: 'PT1H' })).status).toBe(303);
    expect((await post(pageOf('/page/advance'), { workingDays: '1' })).status).toBe(303);
    expect(await (await fetch(pageOf('/page'))).text()).toContain('2026-03-03T09:00:00.000Z');
    expect((await post(pageOf('/page/advance'), { by: 'soon' })).status).toBe(400);
  });

  test('has a request to copy for each operation, and each one works', async () => {
    const commands = async (): Promise<Map<string, string>> => {
      const text = await (await fetch(pageOf('/page'))).text();
      const rows = text.matchAll(/<td><code>([\w.]+)<\/code><\/td><td><pre tabindex="0">(.*?)<\/pre>/g);
      return new Map([...rows].map(([, name = '', command = '']) => [`${name} ${command}`, unescaped(command)]));
    };
    const first = await commands();
    expect(first.size).toBe(GATEWAY_PARTS.operations.length);
    const run = async (name: string): Promise<void> => {
      const matching = [...(await commands())].filter(([key]) => key.startsWith(`${name} `));
      expect(matching.length).toBeGreaterThan(0);
      for (const [, command] of matching) {
        const { status, text } = await runCurl(wordsOf(command, {}));
        expect(status < 300 ? '' : `${name}: ${status} ${text}`).toBe('');
      }
    };
    const pay = async (): Promise<void> => {
      const { payments } = simulation().world.checkout;
      const paymentId = Object.keys(payments).at(-1) ?? '';
      expect((await post(pageOf(`/page/payments/${paymentId}`), { action: 'wallet' })).status).toBe(303);
    };
    const hold = async (): Promise<void> => {
      const { paymentId } = await aClientOf(running).payments.preauthorize({
        amountMillimes: 5_000,
        successLink: 'https://shop.example/yes',
        failLink: 'https://shop.example/no',
        acceptCard: true,
      });
      expect((await post(pageOf(`/page/payments/${paymentId}`), { action: 'card' })).status).toBe(303);
    };
    const names = [...new Set(GATEWAY_PARTS.operations.map(({ name }) => name))];
    for (const name of names.filter((each) => !each.startsWith('subscriptions.'))) {
      if (name === 'payments.capture' || name === 'payments.cancel') await hold();
      await run(name);
      if (name === 'payments.create') await pay();
    }
    for (const name of names.filter((each) => each.startsWith('subscriptions.'))) await run(name);
  });

  test('pays a QR code and a terminal payment by their forms', async () => {
    const client = aClientOf(running);
    const { operationUuid } = await client.qr.generate({ amountMillimes: 4_000, merchantId: 7 });
    const terminal = {
      idTerminal: 'TERM-1',
      serialNumber: 'SN-1',
      amountMillimes: 2_000,
      paymentMethod: 'NFC',
    } as const;
    await client.pos.start({ ...terminal, developerTrackingId: 'POS-1' });
    const text = await (await fetch(pageOf('/page'))).text();
    for (const [, path = ''] of text.matchAll(/action="(\/_simulator\/page\/(?:qr|pos)\/[^"]+)"/g)) {
      expect((await post(`${running.baseUrl}${path}`, {})).status).toBe(303);
    }
    expect(await client.qr.verify({ operationUuid })).toHaveLength(1);
    expect(await client.pos.status({ developerTrackingId: 'POS-1' })).toMatchObject([{ paymentStatus: 'PS' }]);
  });

  test('orders the faults of its buttons, and removes them', async () => {
    const text = await (await fetch(pageOf('/page'))).text();
    const buttons = [...text.matchAll(/<button name="(call|webhook)" value="(\w+)">/g)];
    expect(buttons.length).toBeGreaterThan(5);
    for (const [, name = '', kind = ''] of buttons) {
      expect((await post(pageOf('/page/faults'), { [name]: kind })).status).toBe(303);
    }
    const waiting = (): number => simulation().world.faults.orders.length + simulation().world.webhooks.orders.length;
    expect(waiting()).toBe(buttons.length);
    expect((await post(pageOf('/page/faults'), { call: 'no such fault' })).status).toBe(400);
    expect((await post(pageOf('/page/faults'), { clear: 'all' })).status).toBe(303);
    expect(waiting()).toBe(0);
  });

  test.each([
    [200, 'accepted_wrongly', true],
    [401, 'refused_rightly', false],
  ])('judges a receiver that answers %i to a wrong signature as %s', async (status, verdict, isAlarmed) => {
    const receiver = await WebhookReceiver.start((n) => (n === 1 ? 200 : status));
    try {
      const link = await aLink({ webhook: `${receiver.baseUrl}/hooks`, webhookVersion: 2 });
      await post(link, { action: 'wallet' });
      const deliveries = async (): Promise<readonly DeliveryView[]> => {
        const { webhooks } = (await (await fetch(pageOf('/webhooks'))).json()) as { webhooks: DeliveryView[] };
        return webhooks;
      };
      expect(await deliveries()).toMatchObject([{ status: 'delivered', signatureVerdict: null }]);
      expect(await (await fetch(pageOf('/page'))).text()).not.toContain('A wrong signature was accepted');

      expect((await post(pageOf('/page/webhooks/webhook_1'), {})).status).toBe(303);

      expect(await deliveries()).toMatchObject([{}, { signatureVerdict: verdict, faults: [{ kind: 'wrong_key' }] }]);
      const [right, wrong] = receiver.received;
      expect(wrong?.rawBody.equals(right?.rawBody ?? Buffer.alloc(0))).toBe(true);
      expect(wrong?.headers['x-service-signature']).not.toBe(right?.headers['x-service-signature']);
      const text = await (await fetch(pageOf('/page'))).text();
      expect(text.includes('<strong>A wrong signature was accepted</strong>')).toBe(isAlarmed);
      expect(text.includes(`<code>${receiver.baseUrl}/hooks</code>`)).toBe(isAlarmed);
      const traced = simulation().world.trace.filter(({ what }) => what === 'webhook.accepted_wrongly');
      expect(traced).toHaveLength(isAlarmed ? 1 : 0);
      expect((await post(pageOf('/page/webhooks/unknown'), {})).status).toBe(400);
    } finally {
      await receiver.stop();
    }
  });

  test('fits a phone, names its columns, and labels every control', async () => {
    await aLink();
    const text = await (await fetch(pageOf('/page'))).text();
    expect(text).toContain('<meta name="viewport" content="width=device-width">');
    expect(text).not.toMatch(/<th[^>]*><\/th>|<button[^>]*><\/button>|<th>/);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|\bon\w+=|style=|(?:src|href)="https?:/);
    expect(text).toContain('<main>');
  });

  test('runs no script and loads nothing', async () => {
    const { headers } = await fetch(pageOf('/page'));
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('A page of another origin', () => {
  test('reads nothing by a host name that points to this machine', async () => {
    expect(await statusWith({ Host: 'evil.example' })).toBe(421);
    expect(await statusWith({ Host: 'localhost:1234' })).toBe(200);
  });

  test('cannot steer the simulator', async () => {
    expect(await statusWith({ Origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ Origin: running.baseUrl })).toBe(200);
    expect(await statusWith({ 'Sec-Fetch-Site': 'cross-site' })).toBe(200);
  });

  test.each(['/page/faults', '/page/advance', '/page/webhooks/webhook_1'])(
    'cannot submit the form %s',
    async (path) => {
      const form = { call: 'html_502', by: 'PT1H' };
      const foreign = (headers: Readonly<Record<string, string>>): Promise<Response> =>
        fetch(pageOf(path), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers });
      for (const site of ['cross-site', 'same-site']) {
        expect((await foreign({ 'Sec-Fetch-Site': site })).status).toBe(403);
      }
      for (const origin of ['null', 'http://evil.example', `${running.baseUrl}1`]) {
        expect((await foreign({ Origin: origin })).status).toBe(403);
      }
      expect(simulation().world.faults.orders).toEqual([]);
    },
  );
});

/** `fetch` sets these headers itself. */
function statusWith(headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(pageOf('/time'), { headers }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
