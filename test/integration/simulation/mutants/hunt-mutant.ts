// Runs histories until one fails, and writes how many it took and what saw it. `hunt.ts` starts it for one mutant.
import { writeFileSync } from 'node:fs';
import { test } from '@jest/globals';
import { gatewayForAll } from '../gateway';
import { onFreshFile, simulate } from '../simulate';
import { seenBy } from './seen-by';

const { HUNT_RESULT = '', HUNT_HISTORIES = '1', HUNT_SEED = '1' } = process.env;
const LENGTH = { stepsMin: 4, stepsMax: 12 };
const LIMIT_MS = 600_000;

const { host } = gatewayForAll();

test(
  'hunt',
  async () => {
    const options = { seed: Number(HUNT_SEED), from: 0, count: Number(HUNT_HISTORIES), length: LENGTH, shrinks: false };
    const failure = await simulate(onFreshFile(host()), options);
    const result = failure && { histories: failure.number + 1, seenBy: seenBy(failure.error) };
    writeFileSync(HUNT_RESULT, JSON.stringify(result ?? null));
  },
  LIMIT_MS,
);
