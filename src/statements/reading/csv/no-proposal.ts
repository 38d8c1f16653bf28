import type { AppError } from '../../../kernel';
import { fileFault } from '../refusal';

/** What keeps a profile from being proposed: a file that can be read in two ways is not read. */
export function noProposal(...details: readonly string[]): AppError {
  return fileFault('no profile matches this file, and none can be proposed', {
    fix: 'add one to STATEMENT_PROFILES_FILE',
    details,
  });
}
