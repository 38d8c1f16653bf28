import { AppError } from '../../kernel';
import type { GivenForm } from './csv/form-choice';
import type { AnyProfile, StatementProfile } from './statement-profile';

/** What states the form of a file's amounts and dates: a CSV profile, or a format other than CSV. */
type FormSource = StatementProfile | { readonly format: Exclude<AnyProfile['format'], 'csv'> };

/**
 * Checks that a person gives no other form of amounts or dates than the profile or the format of a file states.
 * @throws AppError `bad_input`.
 */
export function requireFormOf(source: FormSource, given: GivenForm): void {
  for (const field of ['decimalSign', 'dateFormat'] as const) {
    const got = given[field];
    if (got === undefined) continue;
    if (source.format !== 'csv') {
      const fault = `is for CSV files; the format ${source.format} states it`;
      throw new AppError('bad_input', { field, fault, fix: 'import the file without it' });
    }
    if (got === source[field]) continue;
    throw new AppError('bad_input', {
      field,
      expected: `${source[field]}, as in profile ${source.name}, which reads the file`,
      got,
      fix: `import the file without it, or correct ${field} in the profiles file`,
    });
  }
}
