import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { allOf } from '../../support/client-operations';
import { always, type Script, ScriptedGateway, type SeenRequest } from '../../support/scripted-gateway';

// Goal: a list is returned whole and each row once, even if the gateway's pages move, repeat, or never end.
// Method: pages by the requested numbers, and a second server behind every address that the gateway names.

const ACCOUNT = { phoneNumber: '20123456', trackingId: 'c0000000-0000-4000-8000-000000000001' };

let elsewhere: ScriptedGateway;
let gateway: ScriptedGateway | undefined;

beforeEach(async () => {
  elsewhere = await ScriptedGateway.start(always({ kind: 'answer', body: { results: [], next: null } }));
});

afterEach(async () => {
  expect(elsewhere.connections).toBe(0);
  await elsewhere.stop();
  await gateway?.stop();
});

async function clientOn(script: Script): Promise<GatewayClient> {
  gateway = await ScriptedGateway.start(script);
  const { baseUrl } = gateway;
  return aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: 60_000 });
}

function numberOf({ target }: SeenRequest, name: string): number {
  return Number(new URLSearchParams(target.split('?')[1]).get(name));
}

function charge(id: number): object {
  return { payment_id: `P-${id}`, status: 'SUCCESS', amount: 30_000 };
}

function operation(id: number): object {
  return { operation_id: `O-${id}`, status: 'done' };
}

/** Rows from `newest` down to 1, cut into pages as they stand when they are asked for. */
function pagesOf(newestAt: (n: number) => number, rowOf: (id: number) => object, sizeName: string): Script {
  return (n, request) => {
    if (request.target === '') return { kind: 'silence' };
    const rows = Array.from({ length: newestAt(n) }, (_, index) => newestAt(n) - index);
    const size = numberOf(request, sizeName);
    const end = numberOf(request, 'page') * size;
    const next = end < rows.length ? `${elsewhere.baseUrl}/next` : null;
    return { kind: 'answer', body: { count: rows.length, next, results: rows.slice(end - size, end).map(rowOf) } };
  };
}

describe('the charges of a subscription', () => {
  async function idsOf(script: Script, pageSize = 2): Promise<readonly string[]> {
    const client = await clientOn(script);
    return (await allOf(client.subscriptions.listCharges('S-1', { pageSize }))).map(({ paymentId }) => paymentId);
  }

  test('come from all pages, requested by number', async () => {
    const ids = await idsOf(pagesOf(() => 5, charge, 'page_size'));
    expect(ids).toEqual(['P-5', 'P-4', 'P-3', 'P-2', 'P-1']);
    expect(gateway?.requests.map((request) => numberOf(request, 'page'))).toEqual([1, 2, 3]);
  });

  test('are complete from a gateway that neither counts nor names pages', async () => {
    const ids = await idsOf((n, request) => {
      if (request.target === '') return { kind: 'silence' };
      const page = numberOf(request, 'page');
      const results = [5, 4, 3, 2, 1].slice((page - 1) * 2, page * 2).map(charge);
      return { kind: 'answer', body: { results } };
    });
    expect(ids).toEqual(['P-5', 'P-4', 'P-3', 'P-2', 'P-1']);
  });

  test('are returned once, even if new ones push them onto the next page', async () => {
    const ids = await idsOf(pagesOf((n) => (n === 1 ? 5 : 6), charge, 'page_size'));
    expect(ids).toEqual(['P-5', 'P-4', 'P-3', 'P-2', 'P-1']);
  });

  test('are returned to the last, even if a page holds nothing new', async () => {
    const ids = await idsOf(
      pagesOf((n) => (n === 1 ? 3 : 4), charge, 'page_size'),
      1,
    );
    expect(ids).toEqual(['P-3', 'P-2', 'P-1']);
  });

  test('are returned once if a page names them twice', async () => {
    const body = { next: null, results: [charge(1), charge(2), charge(1)] };
    expect(await idsOf(always({ kind: 'answer', body }))).toEqual(['P-1', 'P-2']);
  });

  test('end when the gateway repeats the same page', async () => {
    const body = { next: 'yes', results: [charge(2), charge(1)] };
    expect(await idsOf(always({ kind: 'answer', body }))).toEqual(['P-2', 'P-1']);
    expect(gateway?.connections).toBe(4);
  });

  test('end when the gateway names a next page after an empty one', async () => {
    expect(await idsOf(always({ kind: 'answer', body: { next: 2, results: [] } }))).toEqual([]);
    expect(gateway?.connections).toBe(1);
  });

  test('fail as a whole if one page fails', async () => {
    const good = pagesOf(() => 5, charge, 'page_size');
    const ids = idsOf((n, request) => (n < 3 ? good(n, request) : { kind: 'answer', body: { success: false } }));
    await expect(ids).rejects.toMatchObject({ code: 'unexpected_shape', operation: 'subscriptions.listCharges' });
  });

  test('are not requested beyond the rows that the caller reads', async () => {
    const client = await clientOn(pagesOf(() => 50, charge, 'page_size'));
    for await (const { paymentId } of client.subscriptions.listCharges('S-1', { pageSize: 2 })) {
      if (paymentId === 'P-49') break;
    }
    expect(gateway?.connections).toBe(1);
  });
});

describe('a list with fewer rows than its count', () => {
  const short = { code: 'unexpected_shape', operation: 'subscriptions.listCharges' };

  async function endOf(script: Script): Promise<{ readonly ids: readonly string[]; readonly error: unknown }> {
    const client = await clientOn(script);
    const ids: string[] = [];
    try {
      for await (const { paymentId } of client.subscriptions.listCharges('S-1', { pageSize: 2 })) ids.push(paymentId);
      return { ids, error: undefined };
    } catch (error) {
      return { ids, error };
    }
  }

  test.each([
    ['names no next page', { count: 4, next: null, results: [charge(4), charge(3)] }, 4],
    ['has no key for the next page', { count: 3, results: [charge(4), charge(3)] }, 4],
    ['repeats a page', { count: 4, next: 'yes', results: [charge(4), charge(3)] }, 4],
  ] as const)('returns its rows and then fails when it %s', async (_about, body, pagesMax) => {
    const { ids, error } = await endOf(always({ kind: 'answer', body }));
    expect(ids).toEqual(['P-4', 'P-3']);
    expect(error).toMatchObject(short);
    expect(gateway?.connections).toBeLessThanOrEqual(pagesMax);
  });

  test('fails when its first page is empty', async () => {
    const { ids, error } = await endOf(always({ kind: 'answer', body: { count: 5, next: 'x', results: [] } }));
    expect({ ids, error }).toMatchObject({ ids: [], error: short });
  });

  test('fails when the page after the last one is not found', async () => {
    const { ids, error } = await endOf((n) => {
      if (n === 1) return { kind: 'answer', body: { count: 3, next: null, results: [charge(3), charge(2)] } };
      return { kind: 'answer', status: 404, body: { detail: 'Invalid page.' } };
    });
    expect({ ids, error }).toMatchObject({ ids: ['P-3', 'P-2'], error: short });
    expect(error).toMatchObject({ message: expect.stringContaining('2 of 3') });
  });

  test('fails when the gateway counts its pages from zero', async () => {
    const zeroBased: Script = (_n, request) => {
      if (request.target === '') return { kind: 'silence' };
      const page = numberOf(request, 'page');
      const rows = [[charge(3), charge(2)], [charge(1)]][page] ?? [];
      return { kind: 'answer', body: { count: 3, next: page === 0 ? 'x' : null, results: rows } };
    };
    expect(await endOf(zeroBased)).toMatchObject({ ids: ['P-1'], error: short });
  });

  test('is read to its end, even if no page names the next one', async () => {
    const good = pagesOf(() => 5, charge, 'page_size');
    const { ids, error } = await endOf((n, request) => {
      const reply = good(n, request);
      return reply.kind === 'answer' ? { ...reply, body: { ...Object(reply.body), next: null } } : reply;
    });
    expect({ ids, error }).toEqual({ ids: ['P-5', 'P-4', 'P-3', 'P-2', 'P-1'], error: undefined });
    expect(gateway?.connections).toBe(3);
  });

  test('accepts a count as text', async () => {
    const body = { count: '3', next: null, results: [charge(3), charge(2)] };
    expect(await endOf(always({ kind: 'answer', body }))).toMatchObject({ error: short });
  });
});

describe('the history of a wallet', () => {
  test('comes from all pages, each operation once', async () => {
    const client = await clientOn(pagesOf((n) => (n === 1 ? 5 : 6), operation, 'size'));
    const rows = await allOf(client.wallet.history({ ...ACCOUNT, size: 2 }));
    expect(rows.map(({ operationId }) => operationId)).toEqual(['O-5', 'O-4', 'O-3', 'O-2', 'O-1']);
    expect(gateway?.requests.map((request) => numberOf(request, 'page'))).toEqual([1, 2, 3]);
  });

  test('keeps the terms of its first page, even if the caller changes the object', async () => {
    const client = await clientOn(pagesOf(() => 3, operation, 'size'));
    const input = { ...ACCOUNT, size: 1 };
    for await (const row of client.wallet.history(input)) {
      expect(row.operationId).toMatch(/^O-/);
      input.phoneNumber = '99999999';
    }
    const phones = gateway?.requests.map(({ target }) => new URLSearchParams(target.split('?')[1]).get('phone_number'));
    expect(phones).toEqual(['20123456', '20123456', '20123456']);
  });
});
