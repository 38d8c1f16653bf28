import { expect, test } from '@jest/globals';
import { registerReconcileCommand } from '../../../src/cli/reconcile';
import { businessDate } from '../../../src/kernel';
import type { ReplayResult } from '../../../src/reconciliation';
import { runCommand } from './support/run-command';

// Goal: nobody believes that a repeated run was about another day, or only tried: what --replay does not heed is refused.
// Method: the command itself, on a room that repeats every run.

const RUN = '0'.repeat(26);
const DIGESTS = { engineVersion: '1', answerDigest: '00' };
const REPLAYED: ReplayResult = {
  runId: RUN,
  through: businessDate('2026-03-02'),
  isSame: true,
  differsIn: [],
  recorded: DIGESTS,
  repeated: DIGESTS,
};

function replaying(...options: readonly string[]): ReturnType<typeof runCommand> {
  const replay = async (): Promise<ReplayResult> => REPLAYED;
  return runCommand(registerReconcileCommand, { reconciliation: { replay } }, [
    'reconcile',
    '--replay',
    RUN,
    ...options,
  ]);
}

test('a run is repeated through its own day', async () => {
  expect((await replaying()).lines).toEqual([`run ${RUN} through 2026-03-02: same result`]);
});

test.each([
  ['another day', ['--through', '2026-01-31']],
  ['a dry run', ['--dry-run']],
])('%s cannot be asked of it', async (_, options) => {
  await expect(replaying(...options)).rejects.toMatchObject({
    code: 'bad_input',
    message:
      '--replay: cannot be combined with --through or --dry-run; it repeats a run through its own day and stores nothing',
  });
});
