import { isAppError } from '../../src/kernel';
import type { GivenForm } from '../../src/statements/testing';

const ANSWERS: Readonly<Record<string, GivenForm>> = {
  sign_undecided: { unmarked: 'credit' },
  unit_undecided: { unit: 'dinars' },
};

/** Runs `work` as a person does who says, when asked, that bare amounts are credits in dinars. */
export function answering<T>(given: GivenForm, work: (given: GivenForm) => T): T {
  try {
    return work(given);
  } catch (error) {
    const answer = isAppError(error) ? ANSWERS[error.problem.code] : undefined;
    if (answer === undefined || Object.keys(answer).every((field) => field in given)) throw error;
    return answering({ ...given, ...answer }, work);
  }
}
