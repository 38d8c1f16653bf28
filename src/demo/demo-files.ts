import { join } from 'node:path';
import { PACKAGE_ROOT } from '../kernel';

const FOLDER = join(PACKAGE_ROOT, 'seeds', 'demo');

/** The files that the demo imports first. */
export const DEMO_FILES = {
  agents: join(FOLDER, 'agents.csv'),
  dues: join(FOLDER, 'dues.csv'),
} as const;
