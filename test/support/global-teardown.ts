import { rmSync } from 'node:fs';
import { testRun } from './test-run';

export default async function globalTeardown(): Promise<void> {
  await globalThis.millimeTestServer?.remove();
  rmSync(testRun.folder, { recursive: true, force: true });
}
