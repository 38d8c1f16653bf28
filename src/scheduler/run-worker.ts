import type { Stopping, Worker } from './job';
import { unlessAborted } from './unless-aborted';

/** Calls a worker until it finds nothing to do, or the process stops. Ignores a worker that does not end in time. */
export async function runWorker(worker: Worker, { stopped, leave, aborted }: Stopping): Promise<void> {
  const work = async (): Promise<void> => {
    try {
      let found = 1;
      while (found > 0 && !stopped.aborted) found = await worker.run(leave);
    } catch (error) {
      // After the worker was asked to end, any error counts as its end; the leases on its rows expire.
      if (!leave.aborted) throw error;
    }
  };
  await unlessAborted(work(), aborted, undefined);
}
