/** Thrown for a bug of the program, never for its input. Do not catch it to continue. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** States an invariant of the program. A failure is a bug of Millime, never a business answer. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Marks a branch that the types exclude, such as the default of a complete switch. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable case: ${JSON.stringify(value)}`);
}
