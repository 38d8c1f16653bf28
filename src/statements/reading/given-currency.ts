import { AppError } from '../../kernel';
import { currencyOf } from './currencies';
import type { ParsedStatement } from './parsed-statement';

interface Read {
  readonly parsed: ParsedStatement;
}

/**
 * Returns the code of the currency that a person gives for a file, as a code or a name: `TND`, `tnd`, `Dinar tunisien`.
 * @throws AppError `bad_input` if it is outside ISO 4217, or the file states another one.
 */
export function fittingCurrency(given: string, statements: readonly Read[]): string {
  const code = currencyOf(given);
  if (code === undefined) {
    throw new AppError('bad_input', { field: 'currency', expected: 'a currency of ISO 4217, such as TND', got: given });
  }
  const stated = new Set(statements.flatMap(({ parsed }) => parsed.currencies));
  stated.delete(code);
  if (stated.size === 0) return code;
  throw new AppError('bad_input', {
    field: 'currency',
    expected: `${[...stated].join(' and ')}, which the file or its profile states`,
    got: given,
    fix: 'import the file without it',
  });
}

/** Returns whether neither a statement nor its lines name a currency. */
export function isWithoutCurrency({ parsed }: Read): boolean {
  return parsed.currency === undefined && parsed.currencies.length === 0;
}

/** Returns the statement in a currency that it does not state itself. */
export function inCurrency<Statement extends Read>(statement: Statement, currency: string): Statement {
  return { ...statement, parsed: { ...statement.parsed, currency, currencies: [currency] } };
}
