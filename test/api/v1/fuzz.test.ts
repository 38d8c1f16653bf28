import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { fingerprintOf, PACKAGE_ROOT } from '../../../src/kernel';
import { FAULT_SEED, sized } from '../../support/faults';
import { describeApi, NOW } from '../support/api';
import { type ApiClient, apiClient, expectDeclared, type OperationCall, operationOf } from './support/api-client';
import type { JsonSchema } from './support/arbitrary-of-schema';
import { callsOf, type CallSource, type Generated, operationsOf } from './support/generated-calls';
import { SCENARIOS } from './support/scenarios';

// Goal: whatever a client sends, the API answers with a declared answer of the declared form, never with a 5xx.
// Method: calls generated from docs/openapi.json, valid and broken: first of each operation, close to a call that is
// accepted; then of all operations, on a world in which every scenario was played.
// API_FUZZ_SECONDS sets the length: 600 for ten minutes on each database.

const SECONDS = Number(process.env['API_FUZZ_SECONDS'] ?? sized({ short: 10, full: 120 }));
const LIMIT_MS = (SECONDS + 240) * 1_000;
const TEXTS_MAX = 5_000;
/** The calls of each operation, however slow the machine is: enough for most of them to be accepted once. */
const CALLS_MIN = 15;
const REACHED_MIN = 100;

const document = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'docs/openapi.json'), 'utf8')) as JsonSchema;
const OPERATIONS = operationsOf(document);
/** Half of the time is for the single operations. */
const SECONDS_EACH = SECONDS / 2 / OPERATIONS.length;

describeApi(
  'the API',
  (current) => {
    const reached = new Set<string>();
    const accepted = new Set<string>();
    let calls = 0;
    let client: ApiClient;
    let texts: Set<string>;

    beforeEach(async () => {
      current.api.setClock(NOW);
      client = await apiClient(current.api);
      texts = new Set(['004711', 'x']);
    });

    test.each(OPERATIONS)(
      'answers generated calls of %s as declared, and never with a 5xx',
      async (operation) => {
        const scenario = await played(operation.operationId);
        expect(scenario).toBeDefined();
        await answersAsDeclared(callsOf(source(), operation, scenario), SECONDS_EACH);
      },
      LIMIT_MS,
    );

    test(
      'answers generated calls of all operations as declared, and never with a 5xx',
      async () => {
        const generated: Arbitrary<Generated>[] = [];
        for (const operation of OPERATIONS) {
          // One scenario may forbid another: the world need not be complete.
          const scenario = await played(operation.operationId).catch(() => undefined);
          generated.push(callsOf(source(), operation), callsOf(source(), operation, scenario));
        }
        await answersAsDeclared(fc.oneof(...generated), SECONDS / 2);
        const missed = OPERATIONS.map(({ operationId }) => operationId).filter((id) => !reached.has(id));
        const counts = `${calls} generated calls; ${accepted.size} different ones answered 2xx, of`;
        process.stderr.write(`${counts} ${reached.size} operations and not of ${missed.join(', ') || 'none'}\n`);
        expect(reached.size).toBeGreaterThanOrEqual(REACHED_MIN);
      },
      LIMIT_MS,
    );

    const source = (): CallSource => ({ document, keyText: client.keyText, known: () => [...texts] });

    function learn(value: unknown): void {
      if (typeof value === 'string' && value.length <= 80 && texts.size < TEXTS_MAX) texts.add(value);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(learn);
    }

    /** Plays the scenario of an operation as a dry run, if it has one, and returns its call. */
    async function played(operationId: string): Promise<OperationCall | undefined> {
      const { call } = (await SCENARIOS[operationId]?.(current.api, client)) ?? {};
      if (call === undefined) return undefined;
      const query = operationOf(operationId).dryRun ? { ...call.query, dryRun: true } : { ...call.query };
      learn(call);
      learn((await client.call(operationId, { ...call, query })).body);
      return call;
    }

    async function answersAsDeclared(generated: Arbitrary<Generated>, seconds: number): Promise<void> {
      const property = fc.asyncProperty(generated, async ({ operationId, call }) => {
        const answer = await current.api.call(call);
        calls += 1;
        expect([operationId, answer.status < 500, answer.text]).toEqual([operationId, true, answer.text]);
        expectDeclared(operationOf(operationId), answer);
        if (answer.status >= 300) return;
        reached.add(operationId);
        accepted.add(fingerprintOf(call.method ?? '', call.path, String(call.body)));
        if (/json/.test(answer.headers['content-type'] ?? '')) learn(JSON.parse(answer.text));
      });
      const end = performance.now() + seconds * 1_000;
      let seed = FAULT_SEED;
      do await fc.assert(property, { seed: seed++, numRuns: CALLS_MIN });
      while (performance.now() < end);
    }
  },
  {
    hasGateway: true,
    environment: { API_REQUESTS_PER_MINUTE: '9999999', API_WRITES_PER_MINUTE: '9999999' },
  },
);
