import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { guard, trustedProxies } from '../../../src/http';
import { redact } from '../../../src/logging/testing';
import { fixedClock, recordingLogger } from '../../support/fakes';
import { exchange } from '../../support/raw-connection';

// Goal: bad tokens of one address do not flood the log. Method: a verifier that logs each refusal it may log.

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function start(): Promise<{
  send(token: string): Promise<string>;
  refusals(): [number, unknown[]];
  pass(ms: number): void;
}> {
  const clock = fixedClock(0);
  const logger = recordingLogger();
  const admit = guard<{ name: string }>({
    logger,
    monotonic: clock,
    isTrustedProxy: trustedProxies([]),
    async verify(authorization, { isQuiet }) {
      if (authorization === 'Bearer good') return { name: 'gateway' };
      if (!isQuiet()) logger.info('refused', { event: 'refused' });
      return undefined;
    },
  });
  const server = createServer((request, response) => {
    void admit(request, response).then((caller) => caller === undefined || response.end('in'));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async send(token) {
      const head = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      return String((await exchange(port, head))[0]?.status);
    },
    refusals: () => [
      logger.events('refused').length,
      logger.events('http.refusals_limited').map(({ level, fields }) => [level, fields]),
    ],
    pass: (ms) => clock.advance(ms),
  };
}

test('30 refusals per minute are logged one by one, the others in one line', async () => {
  const { send, refusals } = await start();
  for (let call = 0; call < 40; call += 1) expect(await send('bad')).toBe('403');
  expect(await send('good')).toBe('200');
  const line = { event: 'http.refusals_limited', clientAddress: '127.0.0.1', refusedInLastMinute: 0 };
  expect(refusals()).toEqual([30, [['warn', line]]]);
  expect(redact(line)).toEqual(line); // no field has a name that the log hides
});

test('the line of the next minute counts them', async () => {
  const { send, refusals, pass } = await start();
  for (let call = 0; call < 40; call += 1) await send('bad');
  pass(60_000);
  for (let call = 0; call < 31; call += 1) await send('bad');
  const [logged, lines] = refusals();
  expect([logged, lines.length]).toEqual([60, 2]);
  expect(lines[1]).toEqual(['warn', expect.objectContaining({ refusedInLastMinute: 40 })]);
});

test('valid tokens are not counted', async () => {
  const { send, refusals } = await start();
  for (let call = 0; call < 40; call += 1) expect(await send('good')).toBe('200');
  await send('bad');
  expect(refusals()).toEqual([1, []]);
});
