import type { NoticeType } from './notice';
import { escapeUnseen } from './unseen';

/**
 * The kinds of faults. Callers compare them, never message text.
 *
 * - `bad_input`: the input cannot be accepted; `details` has one line per fault if several exist.
 * - `not_found`, `conflict`: the thing does not exist, or its state forbids the change.
 * - `misconfigured`: the environment or a file of the installation is wrong; the message names it.
 * - `forbidden`: the caller may not do this; the message names at most the missing scope.
 * - `unavailable`: a service that Millime needs (most often the database) cannot answer now; retry later.
 * - `outcome_unknown`: a COMMIT was sent and got no answer; it may or may not be stored.
 * - `storage_broken`: the database cannot store (disk full, corrupt, read-only); an operator must act.
 * - `interrupted`: a long job stopped before its end; its results are stored, and another run continues from there.
 * - `duplicate_key`: another transaction took a unique key first.
 * - `internal`: a bug of Millime.
 */
export type AppErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'conflict'
  | 'misconfigured'
  | 'forbidden'
  | 'unavailable'
  | 'outcome_unknown'
  | 'storage_broken'
  | 'interrupted'
  | 'duplicate_key'
  | 'internal';

const SHOWN_CHARACTERS_MAX = 80;

/** Quotes a value for a sentence: on one line, every character visible, long ones shortened. */
export function quoted(value: string): string {
  const isLong = value.length > SHOWN_CHARACTERS_MAX;
  return escapeUnseen(JSON.stringify(isLong ? `${value.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()}…` : value));
}

/** What to do about a fault: `fix` for every reader, `command` for a person on the command line. */
export interface Advised {
  readonly fix?: string | undefined;
  readonly command?: string | undefined;
}

/** One faulty field: its expected value or its fault, and what to do. Omit `got` if the value may be a secret. */
export type FieldFault = Advised & { readonly field: string } & (
    { readonly expected: string; readonly got?: string | number | boolean } | { readonly fault: string }
  );

/** Returns the sentence of a faulty field, without what to do. */
export function fieldText(params: FieldFault): string {
  return `${params.field}: ${'fault' in params ? params.fault : expectation(params)}`;
}

function expectation({
  expected,
  got,
}: {
  readonly expected: string;
  readonly got?: string | number | boolean;
}): string {
  if (got === undefined) return `expected ${expected}`;
  if (got === '') return `expected ${expected}, got nothing`;
  return `expected ${expected}, got ${typeof got === 'string' ? quoted(got) : String(got)}`;
}

/** Adds what every reader can do after a semicolon, if anything. */
function next({ fix }: Advised): string {
  return fix === undefined ? '' : `; ${fix}`;
}

/** A kind of problem: its kind of fault, and how its sentence is made from its parameters. */
export interface ProblemType<Kind extends AppErrorCode, Params> extends NoticeType<Params> {
  readonly kind: Kind;
}

export const problem =
  <Kind extends AppErrorCode>(kind: Kind) =>
  <Params>(
    text: (params: Params) => string,
    command?: (params: NoInfer<Params>) => string | undefined,
  ): ProblemType<Kind, Params> => ({ kind, text, command });

export const badInput = problem('bad_input');
export const conflict = problem('conflict');
export const forbidden = problem('forbidden');
export const notFound = problem('not_found');
export const busy = problem('unavailable');

/** Makes problems whose parameters state what to do; `text` is the sentence without it. */
export const advised =
  <Kind extends AppErrorCode>(kind: Kind) =>
  <Params>(text: (params: Params) => string): ProblemType<Kind, Params & Advised> => ({
    kind,
    text: (params) => `${text(params)}${next(params)}`,
    command: ({ command }) => command,
  });

export const badField = advised('bad_input')(fieldText);

/** A file that is refused as a whole. */
export const badFile = advised('bad_input')(
  ({ file, fault = 'has faults' }: { readonly file: string; readonly fault?: string }) =>
    `${file}: ${fault}; nothing was stored`,
);
