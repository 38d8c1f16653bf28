import { AppError, type Fault, isAppError } from '../../kernel';
import { BYTES_PER_MIB, WHOLE_FILE_BYTES_MAX } from './limits';

/** Replaces the file's name in the errors of a reader, because a reader knows only bytes. */
const UNNAMED = 'bank file';

/**
 * Returns the error that refuses a file for faults inside it, one detail for each: its place, what was expected and what
 * was got. Lines start at 1.
 */
export function refusal(...details: readonly string[]): AppError {
  return new AppError('file_faults', { file: UNNAMED }, { details });
}

/** Returns the error that refuses a file for a fault on one of its lines. */
export function refusalAt(line: number, fault: string): AppError {
  return refusal(`line ${line}: ${fault}`);
}

/** The problems whose parameters are those of a file. */
type FileFaultCode = 'file_faults' | 'dates_impossible' | 'statements_known';

/** Returns the error that refuses a file as a whole. */
export function fileFault(
  fault: string,
  {
    code = 'file_faults',
    details = [],
    ...advice
  }: {
    readonly code?: FileFaultCode;
    readonly fix?: string;
    readonly command?: string;
    readonly details?: readonly (string | Fault)[];
  } = {},
): AppError {
  return new AppError(code, { file: UNNAMED, fault, ...advice }, { details });
}

/** Returns the error for a file that is too large to be read as a whole. */
export function tooLarge(format: 'CSV' | 'OFX' | 'a spreadsheet'): AppError {
  return fileFault(`expected at most ${WHOLE_FILE_BYTES_MAX / BYTES_PER_MIB} MiB of ${format}, got more`);
}

/** Runs `work`, and adds the name of the file to its refusals. */
export function namingFile<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw namedError(name, error);
  }
}

/** Runs `work`, and names the lines in its refusals as the rows that they are in a spreadsheet. */
export function namingRows<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw namedError(UNNAMED, error, linesAsRows);
  }
}

/** Returns a text that names the lines as the rows of a spreadsheet. */
export function linesAsRows(text: string): string {
  return text.replace(/\bline (?=\d)/g, 'row ');
}

/** Returns the error with the file's name, if `refusal` or `fileFault` left it out; any other error unchanged. */
export function namedError(name: string, error: unknown, change = (detail: string): string => detail): unknown {
  if (!isAppError(error) || error.problem.params['file'] !== UNNAMED) return error;
  const { code, params } = error.problem as { readonly code: FileFaultCode; readonly params: object };
  return new AppError(
    code,
    { ...params, file: name },
    { cause: error, details: error.faults.map((fault) => ({ ...fault, text: change(fault.text) })) },
  );
}
