import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aClient } from '../../support/a-client';
import { CLIENT_OPERATIONS } from '../../support/client-operations';
import { always, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: a redirect is never followed, so that neither a credential nor an order to pay reaches another host.
// Method: a gateway that redirects to itself and to a second server, which counts requests.

const STATUSES = [300, 301, 302, 303, 305, 307, 308];

let elsewhere: ScriptedGateway;

beforeAll(async () => {
  elsewhere = await ScriptedGateway.start(always({ kind: 'answer', body: { success: true } }));
});

afterAll(async () => elsewhere.stop());

test.each(STATUSES)('S13: no operation follows %s, to another host or to the same one', async (status) => {
  const gateway = await ScriptedGateway.start((n) => {
    const headers = { Location: n % 2 === 0 ? `${elsewhere.baseUrl}/api/v2/refund_payment` : '/again' };
    return { kind: 'answer', status, headers, body: '' };
  });
  try {
    const { baseUrl } = gateway;
    const client = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', apiKey: 'ak', timeoutMs: 60_000 });
    const ends = await Promise.allSettled(CLIENT_OPERATIONS.map((operation) => operation.call(client)));

    expect(ends.map((end) => end.status)).toEqual(CLIENT_OPERATIONS.map(() => 'rejected'));
    expect(gateway.requests.filter(({ target }) => target === '/again')).toEqual([]);
    expect(gateway.connections).toBe(CLIENT_OPERATIONS.length);
    expect(elsewhere.connections).toBe(0);
  } finally {
    await gateway.stop();
  }
});
