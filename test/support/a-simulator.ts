import type { GatewayClient, GatewayClientOptions } from '../../src/gateway';
import { type Instant, parseInstant } from '../../src/kernel';
import { type RunningSimulator, startSimulator } from '../../src/simulator';
import {
  createSimulator,
  GATEWAY_PARTS,
  type SimAnswer,
  type SimOperation,
  type Simulator,
  SimulatorClock,
} from '../../src/simulator/testing';
import { aClient } from './a-client';
import { fixedClock, recordingLogger } from './fakes';
import { exchangesOf, interfaceExamples } from './interface-examples';

/** A Monday morning; in Tunis it is 09:00. */
export const SIMULATED_START = '2026-03-02T08:00:00.000Z';
export const SIMULATED_TIME_ZONE = 'Africa/Tunis';

/** Far above what a slow machine needs for one answer of the simulator. */
const CLIENT_TIMEOUT_MS = 60_000;

export interface SimulatorOverrides {
  readonly seed?: number;
  readonly settings?: unknown;
  /** ISO 8601; default `SIMULATED_START`. */
  readonly startAt?: string;
}

const common = {
  timeZone: SIMULATED_TIME_ZONE,
  holidays: [],
};

/** A simulated gateway without a socket, whose time stands still until it is advanced. */
export function aSimulator({ seed = 7, settings = {}, startAt = SIMULATED_START }: SimulatorOverrides = {}): Simulator {
  return createSimulator({
    ...common,
    ...GATEWAY_PARTS,
    seed,
    settings,
    clock: new SimulatorClock('manual', fixedClock(startAt)),
  });
}

/** The same behind HTTP, on a free port. Close it when the test is over. */
export async function aRunningSimulator(overrides: SimulatorOverrides = {}): Promise<RunningSimulator> {
  const { seed = 7, settings = {}, startAt = SIMULATED_START } = overrides;
  return startSimulator({
    ...common,
    port: 0,
    seed,
    settings,
    clock: { mode: 'manual', base: fixedClock(startAt) },
    logger: recordingLogger(),
  });
}

/** The typed client with the credentials of the simulator's default settings. */
export function aClientOf({ baseUrl }: RunningSimulator, options: Partial<GatewayClientOptions> = {}): GatewayClient {
  return aClient({
    baseUrl,
    publicKey: 'pk_simulator',
    privateKey: 'sk_simulator',
    apiKey: 'ak_simulator',
    timeoutMs: CLIENT_TIMEOUT_MS,
    clock: fixedClock(SIMULATED_START),
    timeZone: SIMULATED_TIME_ZONE,
    ...options,
  });
}

/** The operation at a path as Express has it, such as `GET /api/v2/verify_payment/:payment_id`. */
export function operationAt({ operations }: Simulator, methodAndPath: string): SimOperation {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === methodAndPath);
  if (operation === undefined) throw new Error(`the simulator has no ${methodAndPath}`);
  return operation;
}

export interface SimulatedCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers one call at the time that the simulator has reached, without asking for credentials. */
export function answerTo(simulator: Simulator, methodAndPath: string, call: SimulatedCall = {}): SimAnswer {
  const operation = operationAt(simulator, methodAndPath);
  return simulator.answer(operation, {
    method: operation.method,
    params: call.params ?? {},
    query: new URLSearchParams(call.query),
    headers: call.headers ?? {},
    body: call.body,
  });
}

/** Lets `ms` of simulated time pass, with all that happens in it. */
export async function passTime({ simulation, advanceTo }: Simulator, ms: number): Promise<void> {
  await advanceTo(simulation.now() + ms);
}

/** The simulated instant that an ISO text names. */
export function simulatedInstant(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`not an ISO instant: ${text}`);
  return instant;
}

/** The JSON types of a value, key by key; of an array, the types of its items. Null stands for itself. */
export function jsonShapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonShapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, jsonShapeOf(inner)]));
}

/** The literal body of an answer in the interface's examples, by its name; of several pages the first one. */
export function exampleBody(operation: string, answerName: string): unknown {
  for (const example of interfaceExamples()) {
    const answer = example.answers.find(({ name }) => name === answerName);
    if (example.operation === operation && answer !== undefined) return exchangesOf(example, answer)[0]?.body;
  }
  throw new Error(`there is no example of ${operation} called "${answerName}"`);
}
