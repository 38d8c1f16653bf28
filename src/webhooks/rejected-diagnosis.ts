import type { Diagnosis } from './webhooks';

/** Returns the diagnosis of a request that would be refused. Pure. */
export function rejectedDiagnosis(cause: string, explanation: string, details: Diagnosis['details'] = {}): Diagnosis {
  return { verdict: 'rejected', cause, explanation, details };
}
