import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type GatewayClient, isGatewayError } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { CLIENT_OPERATIONS, type ClientOperation } from '../../support/client-operations';
import { FAULT_LENGTH, FAULT_SEED } from '../../support/faults';
import { type Reply, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: no error of the gateway passes as a success, only gateway errors are thrown, and an unknown body never makes an
// order to pay refused.
// Method: fast-check generates bodies close to those of the interface, and a server answers them to every operation.
// FAULT_LENGTH sets their number.

const RUNS = 200 * FAULT_LENGTH;
const DEFINITE = ['authentication', 'permission', 'not_found', 'validation', 'refused', 'conflict', 'rate_limited'];

type Body = Readonly<Record<string, unknown>>;

let gateway: ScriptedGateway;
let reply: Reply = { kind: 'silence' };

beforeAll(async () => {
  gateway = await ScriptedGateway.start(() => reply);
});

afterAll(async () => gateway.stop());

/** A client of its own for each call, so that no budget of one stands in the way of the next. */
function freshClient(): GatewayClient {
  const keys = { publicKey: 'pk', privateKey: 'sk', apiKey: 'ak' };
  return aClient({ baseUrl: gateway.baseUrl, ...keys, timeoutMs: 60_000 });
}

/** The code of the error, or `success`. Anything that is not ours is thrown on. */
async function answered(operation: ClientOperation, status: number, body: unknown): Promise<string> {
  // The header keeps reads from being sent again, which would only take time here.
  reply = { kind: 'answer', status, body: JSON.stringify(body), headers: { 'Retry-After': '1' } };
  try {
    await operation.call(freshClient());
    return 'success';
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return error.code;
  }
}

async function holds<T>(cases: fc.Arbitrary<T>, property: (given: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(cases, property), { numRuns: RUNS, seed: FAULT_SEED });
}

const anOperation = fc.constantFrom(...CLIENT_OPERATIONS);
const aStatus = fc.oneof(fc.constantFrom(200, 201, 400, 404, 500), fc.integer({ min: 200, max: 599 }));
const aText = fc.string({ minLength: 1, maxLength: 20 });
const unknownFields = fc.dictionary(
  fc.string({ maxLength: 6 }).map((name) => `x_${name}`),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
);

/** Its own fields, unknown ones, and those of a good answer that do not contradict it, in any order. */
function among(
  error: fc.Arbitrary<Body>,
  good: (operation: ClientOperation) => Body,
): fc.Arbitrary<readonly [ClientOperation, Body]> {
  return fc.tuple(anOperation, error, unknownFields, fc.boolean()).chain(([operation, own, unknown, isMixed]) => {
    const entries = Object.entries({ ...(isMixed ? good(operation) : {}), ...unknown, ...own });
    const shuffled = fc.shuffledSubarray(entries, { minLength: entries.length });
    return shuffled.map((ordered) => [operation, Object.fromEntries(ordered)] as const);
  });
}

function answerOf({ answer }: ClientOperation): Body {
  return answer as Body;
}

const anErrorBody = fc.oneof(
  among(fc.record({ result: fc.record({ status: fc.integer({ min: 400, max: 599 }), message: aText }) }), answerOf),
  among(
    fc.dictionary(
      fc.constantFrom('amount', 'currency', 'interval', 'name', 'success_link', 'webhook', 'client_id'),
      fc.array(aText, { minLength: 1, maxLength: 3 }),
      { minKeys: 1 },
    ),
    () => ({}),
  ),
  among(
    fc.record({
      result: fc.record({ error: aText, details: fc.jsonValue({ maxDepth: 1 }), success: fc.constant(false) }),
      code: fc.constant(1),
    }),
    answerOf,
  ),
  among(
    fc.record({ status: fc.constant('error'), message: fc.string(), code: fc.constantFrom('REFUND_NOT_ALLOWED', 'X') }),
    answerOf,
  ),
  among(
    fc.record({ success: fc.constant(false), code: fc.integer({ min: 400, max: 599 }), message: fc.string() }),
    answerOf,
  ),
  among(fc.record({ detail: aText }), answerOf),
);

test('S14: no body of the six error shapes is a success of any operation, whatever its other fields', async () => {
  await holds(fc.tuple(anErrorBody, aStatus), async ([[operation, body], status]) => {
    expect(await answered(operation, status, body)).not.toBe('success');
  });
});

test('S14: any JSON is a result or a gateway error, and under an error status never a result', async () => {
  await holds(fc.tuple(anOperation, aStatus, fc.jsonValue()), async ([operation, status, body]) => {
    const code = await answered(operation, status, body);
    if (status > 299) expect(code).not.toBe('success');
  });
});

test('S14: an order to pay is never refused because of a body without an error shape', async () => {
  const orders = fc.constantFrom(...CLIENT_OPERATIONS.filter(({ safety }) => safety === 'D'));
  const known = ['result', 'status', 'code', 'status_code', 'success', 'detail'];
  const strange = fc.dictionary(
    fc.string({ maxLength: 8 }).filter((name) => !known.includes(name)),
    fc.jsonValue({ maxDepth: 2 }).filter((value) => !Array.isArray(value)),
    { maxKeys: 4 },
  );
  await holds(fc.tuple(orders, aStatus, strange), async ([operation, status, body]) => {
    expect(DEFINITE).not.toContain(await answered(operation, status, body));
  });
});

test('S14: a success with one changed value is a result or a gateway error', async () => {
  const changed = anOperation.chain((operation) => {
    const places = placesOf(operation.answer);
    return fc.tuple(fc.constant(operation), fc.constantFrom(...places), fc.jsonValue({ maxDepth: 1 }));
  });
  await holds(fc.tuple(changed, aStatus), async ([[operation, place, value], status]) => {
    const code = await answered(operation, status, replaced(operation.answer, place, value));
    if (status > 299) expect(code).not.toBe('success');
  });
});

test('S14: a success with additional unknown fields stays a success', async () => {
  await holds(fc.tuple(anOperation, unknownFields), async ([operation, unknown]) => {
    expect(await answered(operation, 200, { ...unknown, ...answerOf(operation) })).toBe('success');
  });
});

type Place = readonly (string | number)[];

function placesOf(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as Body) };
  Reflect.set(copy, key, replaced(Reflect.get(copy, key), rest, by));
  return copy;
}

describe('hostile arguments', () => {
  const UUID = 'c0000000-0000-4000-8000-000000000001';
  const LINKS = {
    successLink: 'https://shop.example',
    failLink: 'https://shop.example',
    webhook: 'https://shop.example',
  };
  const ACCOUNT = { phoneNumber: '20123456', trackingId: UUID };
  const PAYMENT = {
    ...LINKS,
    amountMillimes: 1_000,
    webhookVersion: 2,
    developerTrackingId: 'order-1',
    sessionTimeoutSecs: 1_200,
    acceptCard: true,
    imageUrl: 'https://shop.example',
  };
  const SUBSCRIPTION = {
    ...LINKS,
    amountMillimes: 1_000,
    interval: 'month',
    intervalCount: 1,
    name: 'Gold',
    description: 'd',
    developerTrackingId: 'plan-1',
    sessionTimeout: 1_200,
    clientId: 'client-1',
    maxCycles: 3,
    acceptCard: false,
  };
  const TERMINAL = {
    idTerminal: 'T-1',
    serialNumber: 'SN-1',
    amountMillimes: 1_000,
    paymentMethod: 'NFC',
    developerTrackingId: 'till-1',
    webhook: 'https://shop.example',
  };

  /** Each call by its dotted name, with every field that it can take. */
  const INPUTS: readonly (readonly [call: string, input: Body])[] = [
    ['payments.create', { ...PAYMENT, clientId: 'client-1' }],
    ['payments.createWithBinding', { ...PAYMENT, clientId: 'client-1' }],
    ['payments.preauthorize', PAYMENT],
    ['payments.createSplit', { ...PAYMENT, destination: [{ amountMillimes: 1, destination: '01' }] }],
    ['payments.capture', { paymentId: 'P-1', amountMillimes: 1 }],
    ['payments.cancel', { paymentId: 'P-1' }],
    ['payments.refund', { paymentId: 'P-1' }],
    ['bindings.list', { clientId: 'client-1' }],
    ['subscriptions.create', SUBSCRIPTION],
    ['wallet.initiateLink', { phoneNumber: '20123456' }],
    ['wallet.authenticate', ACCOUNT],
    ['wallet.refresh', { refreshToken: 'refresh-1' }],
    ['wallet.balance', ACCOUNT],
    ['wallet.history', { ...ACCOUNT, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', size: 10 }],
    ['wallet.pay', { ...ACCOUNT, amountMillimes: 1, product: 'TOPUP', webhook: 'https://shop.example' }],
    ['pos.start', TERMINAL],
    ['pos.status', { serviceTransactionId: UUID, idTerminal: 'T-1' }],
    ['qr.generate', { amountMillimes: 1, merchantId: 1, operationUuid: UUID, barcode: true }],
    ['qr.verify', { operationUuid: UUID }],
    ['qr.history', { merchantId: 1, startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01T00:00:00Z', size: 1 }],
    ['request', { method: 'POST', path: '/api/v2/x', query: {}, body: {}, auth: 'app' }],
  ];

  const VALUES: readonly (readonly [about: string, value: unknown])[] = [
    ['null', null],
    ['an array', [Symbol('s')]],
    ['NaN', Number.NaN],
    ['a negative number', -1],
    ['a bigint', 10n],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['half a character', '\ud800'],
    ['a huge text', 'a'.repeat(5_000_000)],
    ['an empty text', ''],
    ['an object that writes itself as a text', { toString: () => 'x', toJSON: () => 'x', valueOf: () => 1 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: Symbol('s') })],
    ['a proxy that throws', new Proxy({}, { get: fail, ownKeys: fail, has: fail, getPrototypeOf: fail })],
  ];

  function fail(): never {
    throw new RangeError('not ours');
  }

  beforeEach(() => {
    reply = { kind: 'answer', body: { success: true } };
  });

  async function refusalOf(call: string, input: unknown): Promise<string> {
    const [family = '', verb] = call.split('.');
    const client = freshClient() as unknown as Record<string, Record<string, (input: unknown) => unknown>>;
    const operation = verb === undefined ? client[family] : client[family]?.[verb];
    try {
      const result = (operation as unknown as (input: unknown) => unknown).call(client[family], input);
      await (Object(result)[Symbol.asyncIterator] === undefined ? result : (result as AsyncGenerator).next());
      return 'taken';
    } catch (error) {
      return isGatewayError(error) ? error.code : `not ours: ${String(error)}`;
    }
  }

  const isTakenByDesign = (call: string, field: string, about: string): boolean =>
    call === 'subscriptions.create' && field === 'description' && about === 'an empty text';

  test.each(INPUTS)('%s refuses them before a request is sent', async (call, good) => {
    const before = gateway.connections;
    const refused: [string, string][] = [];
    for (const [about, value] of [...VALUES, ['undefined', undefined] as const]) {
      refused.push([`everything is ${about}`, await refusalOf(call, value)]);
    }
    for (const field of Object.keys(good)) {
      for (const [about, value] of VALUES) {
        if (isTakenByDesign(call, field, about)) continue;
        refused.push([`${field} is ${about}`, await refusalOf(call, { ...good, [field]: value })]);
      }
      const throwing = Object.defineProperty({ ...good }, field, { get: fail, enumerable: true });
      refused.push([`${field} throws`, await refusalOf(call, throwing)]);
    }
    expect(refused.filter(([, code]) => code !== 'validation')).toEqual([]);
    expect(gateway.connections).toBe(before);
  });

  test.each(['payments.verify', 'subscriptions.retrieve', 'subscriptions.listCharges'])(
    '%s refuses them in place of an id',
    async (call) => {
      const before = gateway.connections;
      for (const [, id] of [...VALUES, ['undefined', undefined] as const]) {
        expect(await refusalOf(call, id)).toBe('validation');
      }
      expect(gateway.connections).toBe(before);
    },
  );

  test('valid arguments with every optional field are sent', async () => {
    for (const [call, good] of INPUTS) expect(await refusalOf(call, good)).not.toBe('validation');
  });
});
