import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../config';

const PACK = join(PACKAGE_ROOT, 'seeds', 'demo');

/** One call of the gateway as the demo pack tells it. Calls of one group come at the same time. */
export interface DemoCall {
  readonly at: string;
  readonly check?: string;
  readonly confirm?: Readonly<Record<string, unknown>>;
  readonly group?: string;
  readonly expect: Readonly<Record<string, string>>;
}

export const DEMO_FILES = {
  agents: join(PACK, 'agents.csv'),
  dues: join(PACK, 'dues.csv'),
  statement: join(PACK, 'statement.csv'),
} as const;

/** The instants at which the demo's files come in, and the last day of its report. */
export const DEMO_TIMES = {
  imports: '2026-03-02T08:00:00+01:00',
  statement: '2026-03-07T08:00:00+01:00',
  through: '2026-03-06',
} as const;

/** The calls in their order; those of one group together. */
export function demoCalls(): DemoCall[][] {
  const calls = readFileSync(join(PACK, 'calls.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DemoCall);
  const batches: DemoCall[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.group !== undefined && last?.[0]?.group === call.group) last.push(call);
    else batches.push([call]);
  }
  return batches;
}
