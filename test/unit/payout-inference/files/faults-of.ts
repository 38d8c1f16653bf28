import { isAppError } from '../../../../src/kernel';
import type { FaultList } from '../../../../src/payout-inference/files/fault-list';

/** What a person would be shown. */
export function faultsOf(faults: FaultList): readonly string[] {
  return detailsOf(() => faults.throwIfAny());
}

/** The details of the refusal in which the work ends; none when it ends well. */
export function detailsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
    return error.details;
  }
}
