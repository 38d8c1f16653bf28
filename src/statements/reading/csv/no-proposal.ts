import { type AppError, type Fault, isAppError } from '../../../kernel';
import { decodeText, type Encoding } from '../decode-text';
import { fileFault } from '../refusal';
import { csvProfileSchema, type CsvProfileText, type StatementProfile } from '../statement-profile';

const NONE_PROPOSED = 'no profile matches this file, and none can be proposed';

/** Returns the error that explains why no profile can be proposed: an ambiguous file is not read. */
export function noProposal(...details: readonly (string | Fault)[]): AppError {
  return fileFault(NONE_PROPOSED, {
    fix: 'write a profile for it, as docs/PROFILES.md describes',
    command: 'put it into ./data/statement-profiles.json, or into the file that STATEMENT_PROFILES_FILE names',
    details,
  });
}

/** Returns a proposed profile. @throws AppError `bad_input` if a name or a word of the file is too long for one. */
export function proposed(text: CsvProfileText): StatementProfile {
  const { data, error } = csvProfileSchema.safeParse(text);
  if (data !== undefined) return data;
  const where = [...new Set(error.issues.map(({ path }) => path.filter((part) => typeof part === 'string').join('.')))];
  throw noProposal(`expected at most 200 characters in a name or a word, got more for ${where.join(', ')}`);
}

/** Returns the error that refuses bytes that are not text in any encoding that may be theirs. */
export function notDecoded(...details: readonly string[]): AppError {
  return fileFault('its text cannot be read', { fix: 'save it as UTF-8', details });
}

/**
 * Returns the error of a proposal with what to do if the guessed encoding is wrong, which garbles the words of a heading.
 * Any other error is unchanged.
 */
export function namingEncoding(error: unknown, bytes: Uint8Array, encoding: Encoding): unknown {
  if (encoding.startsWith('utf-') || !isAppError(error, 'bad_input')) return error;
  if (error.problem.params['fault'] !== NONE_PROPOSED) return error;
  const utf8 = decodeText(bytes, 'utf-8');
  if (!utf8.ok && isAlmostUtf8(bytes)) return notDecoded(utf8.fault);
  return noProposal(...error.faults, `the text was read as ${encoding}; if its letters are wrong, save it as UTF-8`);
}

/** Returns whether UTF-8 has more of the letters beyond ASCII than it lacks. */
function isAlmostUtf8(bytes: Uint8Array): boolean {
  const beyond = new TextDecoder().decode(bytes).match(/[^\u0000-\u007f]/gu) ?? [];
  const lost = beyond.filter((letter) => letter === '\ufffd').length;
  return beyond.length > 2 * lost;
}
