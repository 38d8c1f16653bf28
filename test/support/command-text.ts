/** A command of the command line, an option, or a variable that a person on the command line sets. */
const COMMAND = /["“`]millime\b|\bmillime [a-z]+|(?<![\w-])--[a-z]|\bMILLIME_[A-Z]/g;

/** Returns the commands, options and variables in all texts of a JSON value: what they tell the reader to type. */
export function commandsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(COMMAND) ?? [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsIn) : [];
}
