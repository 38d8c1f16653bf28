import { afterEach, describe, expect, test } from '@jest/globals';
import { isGatewayError } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { recordingLogger } from '../../support/fakes';
import { freePort } from '../../support/free-port';
import { always, type Reply, ScriptedGateway } from '../../support/scripted-gateway';
import { selfSignedCertificate } from '../../support/self-signed';

// Goal: the report of a failed connection distinguishes a wrong address, a bad certificate and a silent host.
// Method: a host for each, and the text of the error and of the log line.

const PATIENT_MS = 60_000;
/** Only for hosts that never answer by themselves. */
const IMPATIENT_MS = 1_000;

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

async function start(reply: Reply, tls?: { readonly key: string; readonly cert: string }): Promise<string> {
  const gateway = await ScriptedGateway.start(always(reply), tls === undefined ? {} : { tls });
  gateways.push(gateway);
  return gateway.baseUrl;
}

/** What a refund says and logs when it fails. */
async function toldOf(baseUrl: string, timeoutMs = PATIENT_MS): Promise<{ message: string; reason: unknown }> {
  const logger = recordingLogger();
  const client = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs, logger });
  const error = await client.payments.refund({ paymentId: 'P-1' }).catch((thrown: unknown) => thrown);
  if (!isGatewayError(error, 'connection')) throw new Error(`no connection error: ${String(error)}`);
  return { message: error.message, reason: logger.events('gateway.failed')[0]?.fields['reason'] };
}

function told(reason: string): { message: string; reason: string } {
  return { message: `payments.refund: no connection to the gateway, so nothing was sent: ${reason}`, reason };
}

describe('a failed connection is reported with its reason', () => {
  test('for a closed port', async () => {
    expect(await toldOf(`http://127.0.0.1:${await freePort()}`)).toEqual(told('ECONNREFUSED'));
  });

  test('for an untrusted certificate', async () => {
    const baseUrl = await start({ kind: 'silence' }, selfSignedCertificate());
    expect(await toldOf(baseUrl)).toEqual(told('DEPTH_ZERO_SELF_SIGNED_CERT'));
  });

  test('when the host closes it during the handshake', async () => {
    const baseUrl = (await start({ kind: 'cut_before' })).replace('http:', 'https:');
    expect(await toldOf(baseUrl)).toEqual(told('ECONNRESET'));
  });

  test('when the handshake never ends', async () => {
    const baseUrl = (await start({ kind: 'silence' })).replace('http:', 'https:');
    expect(await toldOf(baseUrl, IMPATIENT_MS)).toEqual(told('the TLS handshake did not end'));
  });
});

test('an interrupted read is reported with its reason', async () => {
  const baseUrl = await start({ kind: 'cut_after' });
  const client = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: PATIENT_MS });
  const listing = client.bindings.list({ clientId: 'client-1' });
  await expect(listing).rejects.toMatchObject({ code: 'connection', message: expect.stringMatching(/: ECONNRESET$/) });
});
