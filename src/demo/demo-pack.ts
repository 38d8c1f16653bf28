import { join } from 'node:path';
import { PACKAGE_ROOT } from '../config';

const PACK = join(PACKAGE_ROOT, 'seeds', 'demo');

export const DEMO_FILES = {
  agents: join(PACK, 'agents.csv'),
  dues: join(PACK, 'dues.csv'),
  /** The gateway's calls and the answers that they must get. */
  calls: join(PACK, 'calls.jsonl'),
  statement: join(PACK, 'statement.csv'),
} as const;

/** The instants at which the demo's files come in, and the last day of its report. */
export const DEMO_TIMES = {
  imports: '2026-03-02T08:00:00+01:00',
  statement: '2026-03-07T08:00:00+01:00',
  through: '2026-03-06',
} as const;
