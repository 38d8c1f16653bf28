import { AppError } from '../../../kernel';

/** What keeps a profile from being proposed: a file that can be read in two ways is not read. */
export function noProposal(...details: readonly string[]): AppError {
  return new AppError('bad_input', 'no profile reads this file, and none can be proposed for it', { details });
}
