import { describe } from '@jest/globals';
import { missingForGalera } from './galera-cluster';

/**
 * For suites on three Galera nodes, which are heavy: `npm run test:faults -- --galera` runs them, and `.ci/run` where the
 * packages can be installed. Otherwise they are reported as skipped, and the reason is printed.
 */
export function describeOnGalera(name: string, define: () => void): void {
  const isAskedFor = process.env['GALERA'] === '1';
  const reason = isAskedFor ? missingForGalera() : 'not asked for (npm run test:faults -- --galera, or GALERA=1)';
  if (reason === undefined) return describe(name, define);
  process.stderr.write(`Galera: ${reason}; "${name}" is skipped\n`);
  describe.skip(name, define);
}
