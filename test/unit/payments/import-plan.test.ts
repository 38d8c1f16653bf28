// Goal: a plan is read strictly: an invalid value is a fault with its line and column, and nothing is guessed.
// Method: files against the reader alone, with a client that sends nothing.
import { expect, test } from '@jest/globals';
import { createGatewayClient } from '../../../src/gateway';
import { readPlan } from '../../../src/payments/attempts/read-plan';
import { fixedClock } from '../../support/fakes';

const AT = 1_772_438_400_000;
const HEADER =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';
const reader = {
  gateway: createGatewayClient({
    baseUrl: 'http://127.0.0.1:9',
    publicKey: 'pk',
    privateKey: 'sk',
    clock: fixedClock(AT),
  }),
  settings: {
    publicUrl: undefined,
    hintToken: undefined,
    successLink: 'https://shop.example/paid',
    failLink: undefined,
    isTest: true,
    merchantId: undefined,
  },
  at: AT,
  recordedBy: 'test',
};
const read = (text: string): ReturnType<typeof readPlan> => readPlan(Buffer.from(text), reader);

test('a row becomes a queued attempt, marked as test money if the credential is for tests', () => {
  const { lines, faults } = read(`${HEADER}\norder-1,5000,preauthorization,,,true,60,,https://a.example/n\n`);
  expect(faults).toEqual([]);
  expect(lines).toMatchObject([
    {
      line: 2,
      reference: 'order-1',
      payment: {
        kind: 'preauthorization',
        isTest: true,
        requestState: 'requested',
        requestedAt: AT,
        sentAt: undefined,
        isLive: true,
        terms: { acceptCard: true, sessionTimeoutSecs: 60, failLink: 'https://a.example/n' },
      },
    },
  ]);
});

test('each row gets its own tracking id, which the request to the gateway carries', () => {
  const row = (reference: string): string => `${reference},5000,,,,,,,https://a.example/n`;
  const payments = read([HEADER, row('a'), row('b'), ''].join('\n')).lines.map(({ payment }) => payment);
  expect(new Set(payments.map(({ trackingId }) => trackingId)).size).toBe(2);
  for (const { trackingId, terms } of payments) expect(terms['developerTrackingId']).toBe(trackingId);
});

test.each([
  ['order-1,5000,,,,,,,', 'fail_link: expected a link, got nothing; name one, or set CHECKOUT_FAIL_URL'],
  ['order-1,1e3,,,,,,,https://a.example/n', 'amount_millimes: expected whole millimes, got "1e3"'],
  ['order-1,-5,,,,,,,https://a.example/n', 'amount_millimes: '],
  [
    'order-1,5000,constructor,,,,,,https://a.example/n',
    'kind: expected one of standard, binding, preauthorization, got "constructor"',
  ],
  ['order-1,5000,,,,constructor,,,https://a.example/n', 'accept_card: expected true or false, got "constructor"'],
  ['order-1,5000,,,,TRUE,,,https://a.example/n', 'accept_card: expected true or false, got "TRUE"'],
  ['order-1,5000,,,,,1.5,,https://a.example/n', 'session_timeout_secs: expected whole seconds, got "1.5"'],
  ['order-1,5000,,,,,0,,https://a.example/n', 'session_timeout_secs: '],
  [' order-1,5000,,,,,,,https://a.example/n', 'reference: has outer spaces'],
  ['order-1,5000,, 7,,,,,https://a.example/n', 'agent_id: has outer spaces'],
])('the row "%s" is refused for one reason', (row, reason) => {
  const { lines, faults } = read(`${HEADER}\n${row}\n`);
  expect(lines).toEqual([]);
  expect(faults).toEqual([{ line: 2, reason: expect.stringContaining(reason) }]);
});

test('a wrong header is refused and quoted', () => {
  expect(read('reference,amount_millimes\norder-1,5000\n').faults).toEqual([
    { line: 1, reason: expect.stringContaining(`the header must be ${HEADER}`) },
  ]);
});
