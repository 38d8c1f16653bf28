import { AppError, type Millimes, parseMillimes } from '../kernel';

/** Reads an option that is an amount of money in millimes. @throws AppError `bad_input` that names the option. */
export function amountOption(name: string, text: string): Millimes {
  const amount = parseMillimes(text);
  if (amount === undefined || amount <= 0) {
    throw new AppError('bad_input', {
      field: name,
      expected: 'whole millimes above 0',
      got: text,
      fix: 'for 12,500 DT write 12500',
    });
  }
  return amount;
}
