import type { AppError } from '../../../kernel';
import { fileFault } from '../refusal';

/** Returns the error that explains why no profile can be proposed: an ambiguous file is not read. */
export function noProposal(...details: readonly string[]): AppError {
  return fileFault('no profile matches this file, and none can be proposed', {
    fix: 'add one to the profiles file, as docs/PROFILES.md describes',
    details,
  });
}
