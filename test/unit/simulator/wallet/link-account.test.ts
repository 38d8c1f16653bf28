import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import type { Simulator } from '../../../../src/simulator/testing';
import { confirmLink } from '../../../../src/simulator/wallet/link-account';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';

// Goal: a wallet is linked by its one-time code, once, in time; and a refresh token is valid as long as it states.
// Method: the operations without HTTP, and the control function in place of the customer.

const INITIATE = 'POST /partners/accounts/initiate_link_account';
const BALANCE = 'GET /partners/v1/transactions/balance';
const AUTHENTICATE = 'POST /api/accounts/authenticate';
const REFRESH = 'GET /api/accounts/authenticate/refresh';
const SEEDED = { phone_number: '21620000001', tracking_id: '5e0c1d3a-6b1f-4d0e-9a01-000000000001' };

function sessionOf(simulator: Simulator, phoneNumber: string): string {
  const { status, body } = answerTo(simulator, INITIATE, { body: { phone_number: phoneNumber } });
  expect(status).toBe(200);
  return (body as { readonly session_id: string }).session_id;
}

function codeOfFault(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return isAppError(error) ? error.code : 'not ours';
  }
  return undefined;
}

describe('A link of an account', () => {
  test('sends a code of six digits and shows the number with its country prefix', () => {
    const simulator = aSimulator();

    const answer = answerTo(simulator, INITIATE, { body: { phone_number: '+216 20 123 456' } });

    expect(answer.body).toMatchObject({ success: true, phone_number: '21620123456' });
    const { session_id: sessionId } = answer.body as { readonly session_id: string };
    expect(simulator.simulation.world.wallet.links[sessionId]?.code).toMatch(/^\d{6}$/);
  });

  test('creates a readable wallet once the code is confirmed', () => {
    const simulator = aSimulator();
    const trackingId = confirmLink(simulator.simulation, sessionOf(simulator, '29000111'));

    const { status, body } = answerTo(simulator, BALANCE, {
      query: { phone_number: '29000111', tracking_id: trackingId },
    });

    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, balance_in_millimes: 100_000 } });
  });

  test('returns the existing tracking id for a number that is already linked', () => {
    const simulator = aSimulator();

    expect(confirmLink(simulator.simulation, sessionOf(simulator, '20000001'))).toBe(SEEDED.tracking_id);
  });

  test('accepts a code once', () => {
    const simulator = aSimulator();
    const sessionId = sessionOf(simulator, '29000111');
    confirmLink(simulator.simulation, sessionId);

    expect(codeOfFault(() => confirmLink(simulator.simulation, sessionId))).toBe('conflict');
  });

  test('rejects a code after ten minutes', async () => {
    const simulator = aSimulator();
    const [inTime, late] = [sessionOf(simulator, '29000111'), sessionOf(simulator, '29000222')];
    await passTime(simulator, 599_999);
    expect(codeOfFault(() => confirmLink(simulator.simulation, inTime))).toBeUndefined();
    await passTime(simulator, 1);

    expect(codeOfFault(() => confirmLink(simulator.simulation, late))).toBe('conflict');
  });

  test.each(['unknown', '__proto__'])('rejects the session %s', (sessionId) => {
    expect(codeOfFault(() => confirmLink(aSimulator().simulation, sessionId))).toBe('not_found');
  });

  test.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [20_123_456, 'is not a string'],
    ['1234567', 'is not a phone number'],
    ['1234567890123456', 'is not a phone number'],
    ['twenty', 'is not a phone number'],
  ])('refuses the phone number %j', (phoneNumber, reason) => {
    const { status, body } = answerTo(aSimulator(), INITIATE, { body: { phone_number: phoneNumber } });

    expect(status).toBe(400);
    expect((body as Record<string, readonly string[]>)['phone_number']).toContain(reason);
  });
});

describe('A session of a wallet', () => {
  const opened = (simulator: Simulator): string =>
    (answerTo(simulator, AUTHENTICATE, { body: SEEDED }).body as { readonly refresh_token: string }).refresh_token;
  const refreshed = (simulator: Simulator, authorization: string): number =>
    answerTo(simulator, REFRESH, { headers: { authorization } }).status;

  test('returns a new token at each refresh', () => {
    const simulator = aSimulator();
    const authorization = `Bearer ${opened(simulator)}`;

    const tokens = [1, 2].map(
      () => (answerTo(simulator, REFRESH, { headers: { authorization } }).body as { readonly token: string }).token,
    );

    expect(new Set(tokens).size).toBe(2);
  });

  test('cannot be refreshed after a day, even if it was refreshed before', async () => {
    const simulator = aSimulator();
    const authorization = `Bearer ${opened(simulator)}`;
    await passTime(simulator, 86_399_999);
    expect(refreshed(simulator, authorization)).toBe(200);
    await passTime(simulator, 1);

    expect(refreshed(simulator, authorization)).toBe(401);
  });

  test('is deleted after its end when the next one opens', async () => {
    const simulator = aSimulator();
    opened(simulator);
    await passTime(simulator, 86_400_000);

    const second = opened(simulator);

    expect(Object.keys(simulator.simulation.world.wallet.sessions)).toEqual([second]);
  });

  test.each(['', 'Bearer ', 'Bearer unknown', 'Bearer __proto__', 'Api-Key ak_simulator'])(
    'is not refreshed with %j',
    (authorization) => {
      const simulator = aSimulator();
      opened(simulator);

      expect(refreshed(simulator, authorization)).toBe(401);
    },
  );

  test.each([
    ['another wallet', { ...SEEDED, phone_number: '21620000002' }],
    ['no wallet', { ...SEEDED, tracking_id: '5e0c1d3a-6b1f-4d0e-9a01-0000000000ff' }],
  ])('is not opened when the tracking id is of %s', (_of, body) => {
    expect(answerTo(aSimulator(), AUTHENTICATE, { body })).toMatchObject({ status: 404, body: { success: false } });
  });
});
