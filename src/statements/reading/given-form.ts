import { AppError, quoted } from '../../kernel';
import { CHOICE_FIELDS, type GivenForm } from './csv/form-choice';
import type { AnyProfile, StatementProfile } from './statement-profile';

/** What states the form of a file's amounts and dates: a CSV profile, or a format other than CSV. */
type FormSource = StatementProfile | { readonly format: Exclude<AnyProfile['format'], 'csv'> };

/**
 * Checks that a person gives no other form of amounts and dates, and sets no other column aside, than the profile or the
 * format of a file states.
 * @throws AppError `bad_input`.
 */
export function requireFormOf(source: FormSource, given: GivenForm): void {
  for (const field of CHOICE_FIELDS) {
    const values = [given[field] ?? []].flat();
    if (values.length === 0) continue;
    if (source.format !== 'csv') {
      const fault = `is for CSV files; the format ${source.format} states it`;
      throw new AppError('bad_input', { field, fault, fix: 'import the file without it' });
    }
    const stated = field === 'setAside' ? Object.keys(source.setAside ?? {}) : [source[field]];
    const got = values.find((value) => !stated.includes(value));
    if (got === undefined) continue;
    const value = field === 'setAside' ? stated.map(quoted).join(', ') : stated.join('');
    throw new AppError('bad_input', {
      field,
      expected: `${value || 'no column'}, as in profile ${source.name}, which reads the file`,
      got,
      fix: `import the file without it, or correct ${field} in the profiles file`,
    });
  }
}
