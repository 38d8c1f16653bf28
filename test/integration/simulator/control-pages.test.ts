import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningSimulator } from '../../../src/simulator';
import { aClientOf, aRunningSimulator, SIMULATED_START } from '../../support/a-simulator';

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
    expect((await fetch(`${running.baseUrl}/pay/nobody`)).status).toBe(404);
    expect((await post(`${running.baseUrl}/pay/nobody`, { action: 'wallet' })).status).toBe(404);
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
  });
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
