import type { Diagnosis } from './webhooks';

/** What would be refused, and why. Pure. */
export function rejectedDiagnosis(cause: string, explanation: string, details: Diagnosis['details'] = {}): Diagnosis {
  return { verdict: 'rejected', cause, explanation, details };
}
