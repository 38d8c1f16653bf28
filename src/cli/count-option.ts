import { AppError } from '../kernel';

/** Reads an option that is a count. @throws AppError `bad_input` that names the option. */
export function countOption(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Infinity;
  if (count > most) {
    throw new AppError('bad_input', { field: name, expected: `a whole number from 1 to ${most}`, got: text });
  }
  return count;
}
