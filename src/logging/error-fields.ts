import { cleanMessage } from './error-text';

const MESSAGE_CHARACTERS_MAX = 16 * 1024;
const FRAMES_MAX = 30;
const ERRORS_MAX = 10;

const FRAME = /^ {4}at .{1,400}(?::\d+:\d+\)?|\(<anonymous>\)|\(index \d+\)|\(native\))$/;

/**
 * Returns whether an object has the fields of an error. It does not check the class, because better-sqlite3 creates
 * errors of the realm that loaded it first.
 */
export function isErrorLike(value: object): boolean {
  if (value instanceof Error) return true;
  const { message, stack } = value as { message?: unknown; stack?: unknown };
  return typeof message === 'string' && typeof stack === 'string';
}

/**
 * Returns the fields of an error that are logged. Drivers attach SQL with its values, and configurations, to their
 * errors, so only these fields are read. The stack is logged without the lines that repeat the message.
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

/** Returns the frames of a stack. The messages are removed first, because a line of a message can resemble a frame. */
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
