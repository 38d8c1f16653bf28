// Runs histories until one fails, and writes how many it took and what saw it. `hunt.ts` starts it for one mutant.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { GatewayHost } from '../gateway';
import { takePauses } from '../pauses';
import { onFreshFile, simulate } from '../simulate';
import { seenBy } from './seen-by';

const { HUNT_RESULT = '', HUNT_HISTORIES = '1', HUNT_SEED = '1' } = process.env;
const LENGTH = { stepsMin: 4, stepsMax: 12 };
const LIMIT_MS = 600_000;

// In a suite: hooks of a file that is no test file would count as those of a helper that every test needs.
describe('a mutant', () => {
  let pauses: { restore(): void };
  let host: GatewayHost;
  beforeAll(async () => {
    pauses = takePauses();
    host = await GatewayHost.start();
  });
  afterAll(async () => {
    pauses.restore();
    await host.stop();
  });

  test(
    'hunt',
    async () => {
      const options = {
        seed: Number(HUNT_SEED),
        from: 0,
        count: Number(HUNT_HISTORIES),
        length: LENGTH,
        shrinks: false,
      };
      const failure = await simulate(onFreshFile(host), options);
      const result = failure && { histories: failure.number + 1, seenBy: seenBy(failure.error) };
      writeFileSync(HUNT_RESULT, JSON.stringify(result ?? null));
    },
    LIMIT_MS,
  );
});
