import { AppError, parseMillimes, type Millimes } from '../kernel';

/** Reads an option that is an amount of money in millimes. @throws AppError `bad_input` that names the option. */
export function amountOption(name: string, text: string): Millimes {
  const amount = parseMillimes(text);
  if (amount === undefined || amount <= 0) {
    throw new AppError('bad_input', `${name} must be a whole number of millimes above 0`);
  }
  return amount;
}
