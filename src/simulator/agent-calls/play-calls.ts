import type { AgentCaller, CallResult } from './agent-caller';
import { type FiledCall, readCalls } from './read-calls';

export interface PlayOptions {
  readonly caller: AgentCaller;
  /** The content of a calls file. */
  readonly calls: string;
  /** Called before each batch with its instant, for example to set a clock. */
  readonly at?: (instant: string) => void | Promise<void>;
}

/** The number of calls played, or the first batch with an unexpected answer. */
export type PlayResult =
  | {
      readonly kind: 'as_expected';
      readonly calls: number;
      /** The size of the largest batch. */
      readonly atOnce: number;
      /** The count of each answer, such as `confirm 0`. */
      readonly answers: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'otherwise';
      readonly at: string;
      /** The actual answers and those in the file; both sorted. */
      readonly got: readonly string[];
      readonly expected: readonly string[];
    };

/**
 * Plays a calls file: the calls of one group concurrently, all others one after the other. Compares each answer with
 * the expected one; within a group, the order does not matter. Ends at the first difference.
 *
 * @throws AppError `bad_input` when the file cannot be read.
 */
export async function playCalls({ caller, calls, at }: PlayOptions): Promise<PlayResult> {
  const answers: Record<string, number> = {};
  let made = 0;
  let atOnce = 0;
  for (const batch of readCalls(calls)) {
    const [first] = batch;
    if (first === undefined) continue;
    await at?.(first.at);
    const results = await Promise.all(batch.map(async (call) => ({ call, result: await makeCall(caller, call) })));
    const got = results.map(({ result }) => describe(result)).sort();
    const expected = batch.map(({ expect }) => fieldsOf(expect)).sort();
    if (got.some((answer, index) => answer !== expected[index])) {
      return { kind: 'otherwise', at: first.at, got, expected };
    }
    made += batch.length;
    atOnce = Math.max(atOnce, batch.length);
    for (const { call, result } of results) {
      if (result.kind !== 'answered') continue;
      const name = `${call.operation} ${result.body.code}`;
      answers[name] = (answers[name] ?? 0) + 1;
    }
  }
  return { kind: 'as_expected', calls: made, atOnce, answers };
}

type Played = CallResult<{ readonly code: string }>;

function makeCall(caller: AgentCaller, call: FiledCall): Promise<Played> {
  return call.operation === 'check' ? caller.check(call.agentId) : caller.confirmWith(call.body);
}

/** Describes an answer by its fields and any other result by its kind, so the two are never equal. */
function describe(result: Played): string {
  if (result.kind === 'answered') return fieldsOf({ ...result.body });
  return `${result.kind}${'reason' in result ? `: ${result.reason}` : 'status' in result ? ` ${result.status}` : ''}`;
}

/** Writes the fields as text, in the order of their names. */
function fieldsOf(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
}
