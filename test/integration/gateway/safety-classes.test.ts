import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayClient, isGatewayError } from '../../../src/gateway';
import { type Logger, silentLogger } from '../../../src/logging';
import { aClient } from '../../support/a-client';
import { CLIENT_OPERATIONS, type ClientOperation } from '../../support/client-operations';
import { recordFault } from '../../support/faults';
import { freePort } from '../../support/free-port';
import { always, type Reply, type Script, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: under any fault, an operation that moves money reaches the gateway at most once and is never reported as
// refused.
// Method: every operation against every fault, each with a separate gateway that counts requests.

/** Far above what a slow machine needs for three tries. */
const PATIENT_MS = 60_000;
/** Only for faults that never end by themselves; every call waits for it at the same time. */
const IMPATIENT_MS = 4_000;

interface Outcome {
  readonly code: string;
  readonly connections: number;
}

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

let sentUnderFaults = 0;
let sentTwice = 0;

afterAll(() => {
  recordFault({
    fault: 'F11',
    what: 'calls that move money, under every fault of the gateway',
    database: 'none',
    rounds: FAULTS.length,
    acknowledged: sentUnderFaults,
    lost: 0,
    doubled: sentTwice,
    longestMs: 0,
  });
});

function clientOf(baseUrl: string, timeoutMs: number, logger: Logger = silentLogger): GatewayClient {
  return aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', apiKey: 'ak', timeoutMs, logger });
}

async function codeOf(operation: ClientOperation, client: GatewayClient): Promise<string> {
  try {
    await operation.call(client);
    return 'success';
  } catch (error) {
    return isGatewayError(error) ? error.code : `not ours: ${String(error)}`;
  }
}

type Outcomes = Readonly<Record<string, Outcome>>;

async function runAll(
  operations: readonly ClientOperation[],
  scriptOf: (operation: ClientOperation) => Script,
  timeoutMs = PATIENT_MS,
): Promise<Outcomes> {
  const started = await Promise.all(
    operations.map(async (operation) => ({ operation, gateway: await ScriptedGateway.start(scriptOf(operation)) })),
  );
  gateways.push(...started.map(({ gateway }) => gateway));
  const outcomes = started.map(async ({ operation, gateway }): Promise<[string, Outcome]> => {
    const code = await codeOf(operation, clientOf(gateway.baseUrl, timeoutMs));
    return [operation.name, { code, connections: gateway.connections }];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

/** Most of a run is waiting, for the next try or for the deadline: the runs of all cases of a group wait together. */
function runTogether<Case>(cases: readonly Case[], run: (each: Case) => Promise<Outcomes>): (each: Case) => Outcomes {
  const outcomesOf = new Map<Case, Outcomes>();
  beforeAll(async () => {
    await Promise.all(cases.map(async (each) => outcomesOf.set(each, await run(each))));
  });
  return (each) => {
    const outcomes = outcomesOf.get(each);
    if (outcomes === undefined) throw new Error('a case of another group');
    return outcomes;
  };
}

function expected(
  operations: readonly ClientOperation[],
  outcome: (operation: ClientOperation) => Outcome,
): Readonly<Record<string, Outcome>> {
  return Object.fromEntries(operations.map((operation) => [operation.name, outcome(operation)]));
}

function ofClass(...classes: readonly ClientOperation['safety'][]): readonly ClientOperation[] {
  return CLIENT_OPERATIONS.filter(({ safety }) => classes.includes(safety));
}

interface Fault {
  readonly about: string;
  readonly reply: (operation: ClientOperation) => Reply;
  /** What a read says of it, and whether it asks again. */
  readonly readCode: string;
  readonly readAgain: boolean;
  /** Whether a read with two paths is asked for at the other one as well. */
  readonly atBothPaths?: true;
  readonly timeoutMs?: number;
}

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (): Reply => ({
    kind: 'answer',
    status,
    body,
    headers,
  });

const FAULTS: readonly Fault[] = [
  {
    about: 'a reset before it was read',
    reply: () => ({ kind: 'cut_before' }),
    readCode: 'connection',
    readAgain: true,
  },
  { about: 'a reset after it was read', reply: () => ({ kind: 'cut_after' }), readCode: 'connection', readAgain: true },
  {
    about: 'a cut in the middle of the body',
    reply: ({ answer: body }) => ({ kind: 'cut_in_body', body }),
    readCode: 'connection',
    readAgain: true,
  },
  {
    about: 'a content-length larger than the body',
    reply: ({ answer: body }) => ({ kind: 'answer', body, headers: { 'Content-Length': '1000000' } }),
    readCode: 'connection',
    readAgain: true,
  },
  {
    about: 'a content-length smaller than the body',
    reply: ({ answer: body }) => ({ kind: 'answer', body, headers: { 'Content-Length': '10' } }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'bytes that are no HTTP',
    reply: () => ({ kind: 'bytes', bytes: '\x00SSH-2.0-x\r\n\r\n' }),
    readCode: 'connection',
    readAgain: true,
  },
  {
    about: 'an HTML page under 502',
    reply: answer(502, '<h1>Bad Gateway</h1>', { 'Content-Type': 'text/html' }),
    readCode: 'unavailable',
    readAgain: true,
  },
  { about: '500 with an empty body', reply: answer(500, ''), readCode: 'unavailable', readAgain: true },
  {
    about: '503 with a good body',
    reply: ({ answer: body }) => ({ kind: 'answer', status: 503, body }),
    readCode: 'unavailable',
    readAgain: true,
  },
  {
    about: '503 that asks for a wait',
    reply: answer(503, '', { 'Retry-After': '120' }),
    readCode: 'unavailable',
    readAgain: false,
  },
  {
    about: 'an HTML page under 200',
    reply: answer(200, '<h1>Welcome</h1>'),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  { about: 'an empty body under 200', reply: answer(200, ''), readCode: 'unexpected_shape', readAgain: false },
  {
    about: '204',
    reply: answer(204, '', { 'Content-Length': '', 'Content-Type': '' }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'truncated JSON',
    reply: ({ answer: body }) => ({ kind: 'answer', body: JSON.stringify(body).slice(0, -2) }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'invalid UTF-8',
    reply: answer(200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'JSON of a hundred thousand brackets',
    reply: answer(200, '['.repeat(100_000)),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  { about: 'JSON that is no object', reply: answer(200, '"SUCCESS"'), readCode: 'unexpected_shape', readAgain: false },
  {
    about: 'a body of 10 MB',
    reply: answer(200, Buffer.alloc(10_000_000, ' ')),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'a packed body of 50 MB',
    reply: answer(200, gzipSync(Buffer.alloc(50_000_000)), { 'Content-Encoding': 'gzip' }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'a body that is not packed as it says',
    reply: answer(200, '{}', { 'Content-Encoding': 'gzip' }),
    readCode: 'connection',
    readAgain: true,
  },
  {
    about: 'a redirect',
    reply: answer(307, '', { Location: 'http://127.0.0.1:1/' }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'a redirect with a good body',
    reply: ({ answer: body }) => ({ kind: 'answer', status: 302, body, headers: { Location: '/' } }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: '404 of somebody else',
    reply: answer(404, 'no such page'),
    readCode: 'unexpected_shape',
    readAgain: false,
    atBothPaths: true,
  },
  {
    about: 'a failure without a word',
    reply: answer(200, { success: false, code: 1 }),
    readCode: 'unexpected_shape',
    readAgain: false,
  },
  {
    about: 'no answer at all',
    reply: () => ({ kind: 'silence' }),
    readCode: 'timeout',
    readAgain: false,
    timeoutMs: IMPATIENT_MS,
  },
  {
    about: 'a body that never ends',
    reply: () => ({ kind: 'drip' }),
    readCode: 'timeout',
    readAgain: false,
    timeoutMs: IMPATIENT_MS,
  },
  {
    about: 'a head that never ends',
    reply: () => ({ kind: 'drip_head' }),
    readCode: 'timeout',
    readAgain: false,
    timeoutMs: IMPATIENT_MS,
  },
];

describe('F11: a gateway with a fault', () => {
  // Those that are waited for, by the operations of all classes; the others are at their end at once. Apart from each
  // other, so that the calls that must have been sent before a deadline are few.
  const runOf = (fault: Fault, operations: readonly ClientOperation[] = CLIENT_OPERATIONS): Promise<Outcomes> =>
    runAll(operations, (operation) => always(fault.reply(operation)), fault.timeoutMs);
  const repeated = FAULTS.filter(({ readAgain }) => readAgain);
  const endless = FAULTS.filter(({ timeoutMs }) => timeoutMs !== undefined);
  const repeatedOutcomes = runTogether(repeated, (fault) => runOf(fault));
  const endlessOutcomes = runTogether(endless, (fault) => runOf(fault));

  const outcomesOf = async (fault: Fault, operations: readonly ClientOperation[]): Promise<Outcomes> => {
    if (!repeated.includes(fault) && !endless.includes(fault)) return runOf(fault, operations);
    const outcomes = repeated.includes(fault) ? repeatedOutcomes(fault) : endlessOutcomes(fault);
    const names = new Set(operations.map(({ name }) => name));
    return Object.fromEntries(Object.entries(outcomes).filter(([name]) => names.has(name)));
  };

  describe.each(FAULTS.map((fault) => [fault.about, fault] as const))('after %s', (_about, fault) => {
    test('an operation without a key is sent once and its outcome is unknown', async () => {
      const operations = ofClass('C', 'D');
      const outcomes = await outcomesOf(fault, operations);
      sentUnderFaults += operations.length;
      sentTwice += Object.values(outcomes).filter(({ connections }) => connections > 1).length;
      expect(outcomes).toEqual(expected(operations, () => ({ code: 'outcome_unknown', connections: 1 })));
    });

    test('a read or a creation with a key is sent at most three times and reports its error', async () => {
      const operations = ofClass('A', 'B');
      const outcomes = await outcomesOf(fault, operations);
      const { readCode: code, readAgain, atBothPaths = false } = fault;
      const connectionsOf = ({ name, triesMax }: ClientOperation): number => {
        if (readAgain) return triesMax;
        return atBothPaths && name === 'pos.status' ? 2 : 1;
      };
      expect(outcomes).toEqual(expected(operations, (operation) => ({ code, connections: connectionsOf(operation) })));
    });
  });
});

describe('F11: a refusing status without a body of the interface', () => {
  test.each([
    [401, 'authentication'],
    [403, 'permission'],
    [429, 'rate_limited'],
  ] as const)(
    'leaves operations that move money unknown under %s; every other one reports %s',
    async (status, code) => {
      const outcomes = await runAll(CLIENT_OPERATIONS, () => always(answer(status, '<h1>no</h1>')()));
      expect(outcomes).toEqual(
        expected(CLIENT_OPERATIONS, ({ safety }) => ({
          code: safety === 'D' ? 'outcome_unknown' : code,
          connections: 1,
        })),
      );
    },
  );
});

describe('F11: a refusal in a shape of the interface', () => {
  test.each([
    ['a word', 200, { status: 'error', message: 'no', code: 'REFUND_NOT_ALLOWED' }, 'refused'],
    ['a word under 500', 500, { status: 'error', message: 'no', code: 'CONFIRMATION_FAILED' }, 'refused'],
    ['a status in the result', 200, { result: { status: 404, message: 'Payment not found' } }, 'not_found'],
    ['a number', 200, { success: false, code: 403, message: 'Forbidden' }, 'permission'],
    ['a field', 400, { amount: ['not a number'] }, 'validation'],
    ['too many calls', 429, { detail: 'Request was throttled.' }, 'rate_limited'],
  ] as const)('(%s) is final for every operation, and sent once', async (_about, status, body, code) => {
    const outcomes = await runAll(CLIENT_OPERATIONS, () => always(answer(status, body)()));
    expect(outcomes).toEqual(expected(CLIENT_OPERATIONS, () => ({ code, connections: 1 })));
  });

  test('that states an internal error leaves operations without a key unknown', async () => {
    const operations = ofClass('C', 'D');
    const body = { success: false, code: 500, message: 'Unexpected Error' };
    const outcomes = await runAll(operations, () => always(answer(200, body)()));
    expect(outcomes).toEqual(expected(operations, () => ({ code: 'outcome_unknown', connections: 1 })));
  });
});

describe('F11: a refusal that a proxy may have written', () => {
  const word = (code: string): object => ({ status: 'error', message: 'upstream timed out', code });

  const words: readonly (readonly [status: number, body: object])[] = [
    [504, word('GATEWAY_TIMEOUT')],
    [502, word('UPSTREAM_TIMEOUT')],
    [500, word('INTERNAL_ERROR')],
    [504, { message: ['upstream request timeout'], request_id: 'abc' }],
    [500, { errors: ['Internal error'] }],
    [502, { detail: ['bad gateway'] }],
    [504, { result: { status: 408, message: 'timeout' } }],
    [500, { result: { error: 'internal_error', success: false }, code: 1 }],
    [500, { error: 'Internal error' }],
  ];
  const wordOutcomes = runTogether(words, ([status, body]) =>
    runAll(CLIENT_OPERATIONS, () => always(answer(status, body)())),
  );

  test.each(words.map((each) => [...each, each] as const))(
    'under %s, as %j, leaves operations without a key unknown, and reads are sent again',
    (_status, _body, each) => {
      expect(wordOutcomes(each)).toEqual(
        expected(CLIENT_OPERATIONS, ({ safety, triesMax }) => {
          const isUnknown = safety === 'C' || safety === 'D';
          return isUnknown
            ? { code: 'outcome_unknown', connections: 1 }
            : { code: 'unavailable', connections: triesMax };
        }),
      );
    },
  );

  test('with Retry-After is not followed by another try', async () => {
    const operations = ofClass('A', 'B');
    const reply = answer(504, word('GATEWAY_TIMEOUT'), { 'Retry-After': '120' })();
    const outcomes = await runAll(operations, () => always(reply));
    expect(outcomes).toEqual(expected(operations, () => ({ code: 'unavailable', connections: 1 })));
  });

  test.each([
    [200, word('TIMEOUT')],
    [200, { result: { status: 409, message: 'in progress' } }],
    [409, { result: { status: 409, message: 'in progress' } }],
    [409, word('IN_PROGRESS')],
    [200, { result: { error: 'still_processing', success: false }, code: 1 }],
  ])('under %s, as %j, is refused, but unknown for operations that move money', async (status, body) => {
    const outcomes = await runAll(CLIENT_OPERATIONS, () => always(answer(status, body)()));
    expect(outcomes).toEqual(
      expected(CLIENT_OPERATIONS, ({ safety }) => ({
        code: safety === 'D' ? 'outcome_unknown' : 'refused',
        connections: 1,
      })),
    );
  });

  test('keeps the gateway’s word in the error', async () => {
    const gateway = await ScriptedGateway.start(always(answer(200, word('TIMEOUT'))()));
    gateways.push(gateway);
    const refund = clientOf(gateway.baseUrl, PATIENT_MS).payments.refund({ paymentId: 'P-1' });
    await expect(refund).rejects.toMatchObject({ code: 'outcome_unknown', httpStatus: 200, gatewayCode: 'TIMEOUT' });
  });

  test('is unknown if it contradicts itself', async () => {
    const refunded = { success: true, refund_id: 'R', payment_id: 'P-1', amount: '5', status: 'success', error: 'x' };
    const reply = answer(200, { result: refunded, status: 'success', code: 0 })();
    const outcomes = await runAll(CLIENT_OPERATIONS, () => always(reply));
    expect(outcomes).toEqual(
      expected(CLIENT_OPERATIONS, ({ safety }) => ({
        code: safety === 'C' || safety === 'D' ? 'outcome_unknown' : 'unexpected_shape',
        connections: 1,
      })),
    );
  });
});

test('a known pause of the platform is not followed by another try, whatever the HTTP status', async () => {
  const operations = ofClass('A', 'B');
  const body = { result: { error: 'recurring_payments_disabled', success: false }, code: 1 };
  const outcomes = await runAll(operations, () => always(answer(503, body)()));
  expect(outcomes).toEqual(expected(operations, () => ({ code: 'unavailable', connections: 1 })));
});

describe('F11: a refused connection', () => {
  test('is reported as a connection error by every operation, because nothing was sent', async () => {
    // Nobody listens on the first port of the loopback address.
    const client = clientOf('http://127.0.0.1:1', PATIENT_MS);
    const codes = await Promise.all(CLIENT_OPERATIONS.map((operation) => codeOf(operation, client)));
    expect(new Set(codes)).toEqual(new Set(['connection']));
  });

  test.each(ofClass('C', 'D').map((operation) => [operation.name, operation] as const))(
    'that is accepted later gets %s again only if its duplicate is harmless',
    async (_name, operation) => {
      const port = await freePort();
      let starting: Promise<ScriptedGateway> | undefined;
      // The client reports its first failure before it waits for the second try.
      const warn = (): void => {
        const script = always({ kind: 'answer', body: operation.answer });
        starting ??= ScriptedGateway.start(script, { port });
      };
      const logger = { ...silentLogger, warn };

      const code = await codeOf(operation, clientOf(`http://127.0.0.1:${port}`, PATIENT_MS, logger));

      const gateway = await starting;
      if (gateway === undefined) throw new Error('the first try did not fail');
      gateways.push(gateway);
      const isSentAgain = operation.safety === 'C';
      expect({ code, connections: gateway.connections }).toEqual({
        code: isSentAgain ? 'success' : 'connection',
        connections: isSentAgain ? 1 : 0,
      });
    },
  );
});

describe('F11: a gateway that recovers by the third try', () => {
  test('answers the operations that may be sent again', async () => {
    const operations = ofClass('A', 'B').filter(({ triesMax }) => triesMax === 3);
    const outcomes = await runAll(operations, (operation) => (n) => {
      return n < 3 ? { kind: 'cut_after' } : { kind: 'answer', body: operation.answer };
    });
    expect(outcomes).toEqual(expected(operations, () => ({ code: 'success', connections: 3 })));
  });

  test.each([
    ['first cut', 'cut_after', true],
    ['not cut', undefined, undefined],
  ] as const)('refuses with a mark of an earlier lost try (%s)', async (_what, firstly, afterLostTry) => {
    const operation = CLIENT_OPERATIONS.find(({ name }) => name === 'subscriptions.create');
    const gateway = await ScriptedGateway.start((n) =>
      n === 1 && firstly !== undefined ? { kind: firstly } : answer(429, { detail: 'no' })(),
    );
    gateways.push(gateway);
    const made = operation?.call(clientOf(gateway.baseUrl, PATIENT_MS));
    await expect(made).rejects.toMatchObject({ code: 'rate_limited', afterLostTry });
  });

  test('never receives an operation that moves money again', async () => {
    const operations = ofClass('D');
    const outcomes = await runAll(operations, (operation) => (n) => {
      return n === 1 ? { kind: 'cut_after' } : { kind: 'answer', body: operation.answer };
    });
    expect(outcomes).toEqual(expected(operations, () => ({ code: 'outcome_unknown', connections: 1 })));
  });
});

test('every operation accepts the literal answer of the interface at the first try', async () => {
  const outcomes = await runAll(CLIENT_OPERATIONS, (operation) => always({ kind: 'answer', body: operation.answer }));
  expect(outcomes).toEqual(expected(CLIENT_OPERATIONS, () => ({ code: 'success', connections: 1 })));
});

describe('F11: a success status with only lists of texts', () => {
  test.each([
    [201, { hashes: ['0xabc'] }],
    [200, { transaction_ids: ['t1', 't2'] }],
    [202, { queued: ['job-1'] }],
    [200, { status: ['success'] }],
  ])('(%s, %j) is not a refusal of an operation that moves money', async (status, body) => {
    const operations = ofClass('D');
    const outcomes = await runAll(operations, () => always(answer(status, body)()));
    expect(outcomes).toEqual(expected(operations, () => ({ code: 'outcome_unknown', connections: 1 })));
  });
});

test('F11: a 408 refuses no operation that may have had its effect', async () => {
  const operations = CLIENT_OPERATIONS.filter(({ safety }) => safety !== 'A');
  const outcomes = await runAll(operations, () => always(answer(408, { result: { status: 408, message: 'no' } })()));
  expect(outcomes).toEqual(expected(operations, () => ({ code: 'outcome_unknown', connections: 1 })));
});

describe('F11: a refusing status with an error of unknown shape', () => {
  test.each([
    [401, { error: 'unauthorized' }, 'authentication'],
    [403, { error: { code: 403 } }, 'permission'],
    [429, { error: 'too_many_requests' }, 'rate_limited'],
    [429, { non_field_errors: ['slow down'] }, 'rate_limited'],
  ])('(%s, %j) is reported to a read by its status', async (status, body, code) => {
    const operations = ofClass('A', 'B');
    const outcomes = await runAll(operations, () => always(answer(status, body)()));
    expect(outcomes).toEqual(expected(operations, () => ({ code, connections: 1 })));
  });

  test('keeps its Retry-After', async () => {
    const gateway = await ScriptedGateway.start(always(answer(429, { error: 'no' }, { 'Retry-After': '7' })()));
    gateways.push(gateway);
    const { bindings } = clientOf(gateway.baseUrl, PATIENT_MS);
    await expect(bindings.list({ clientId: 'C-1' })).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 7_000,
    });
  });
});
