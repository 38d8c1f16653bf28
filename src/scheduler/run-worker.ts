import type { Stopping, Worker } from './job';
import { unlessAborted } from './unless-aborted';

/** Calls a worker until it finds nothing to do, or the process stops. One that does not leave in time is ignored. */
export async function runWorker(worker: Worker, { stopped, leave, aborted }: Stopping): Promise<void> {
  const work = async (): Promise<void> => {
    try {
      let found = 1;
      while (found > 0 && !stopped.aborted) found = await worker.run(leave);
    } catch (error) {
      // Once it is asked to leave, any error counts as leaving; the leases on its rows end automatically.
      if (!leave.aborted) throw error;
    }
  };
  await unlessAborted(work(), aborted, undefined);
}
