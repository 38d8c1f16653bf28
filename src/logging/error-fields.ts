import { cleanMessage } from './error-text';

const MESSAGE_CHARACTERS_MAX = 16 * 1024;
const FRAMES_MAX = 30;
const ERRORS_MAX = 10;

const FRAME = /^ {4}at .{1,400}(?::\d+:\d+\)?|\(<anonymous>\)|\(index \d+\)|\(native\))$/;

/** By its shape: better-sqlite3 makes its errors from the class of whichever realm loaded it first. */
export function isErrorLike(value: object): boolean {
  if (value instanceof Error) return true;
  const { message, stack } = value as { message?: unknown; stack?: unknown };
  return typeof message === 'string' && typeof stack === 'string';
}

/**
 * What is logged of an error. Drivers hang SQL with its values, and configurations, on their errors: only these fields
 * are ever read. The stack is logged without the lines that repeat the message.
 */
export function errorFields(error: object): Readonly<Record<string, unknown>> {
  const { name, message, code, errno, stack, cause, errors, sqlMessage } = error as Readonly<Record<string, unknown>>;
  const said = textOf(message);
  return {
    name: textOf(name),
    message: cleanMessage(error, said.slice(0, MESSAGE_CHARACTERS_MAX)),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    stack: framesOf(textOf(stack), [said, textOf(sqlMessage)]),
    ...(cause === undefined ? {} : { cause }),
    ...(Array.isArray(errors) ? { errors: errors.slice(0, ERRORS_MAX) } : {}),
  };
}

/** A message of several lines can look like a frame, so it is taken out before the frames are picked. */
function framesOf(stack: string, messages: readonly string[]): string {
  const rest = messages.filter((text) => text !== '').reduce((left, text) => left.replaceAll(text, ''), stack);
  return rest
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_MAX)
    .join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
