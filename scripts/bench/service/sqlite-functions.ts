import type Database from 'better-sqlite3';

/** Adds the functions of MariaDB that the filling uses. */
export function addFunctions(connection: Database.Database): void {
  const whole = (value: unknown): string => String(typeof value === 'number' ? Math.trunc(value) : value);
  connection.function('lpad', { deterministic: true }, (text, width, filler) =>
    whole(text).padStart(Number(width), String(filler)),
  );
  connection.function(
    'elt',
    { deterministic: true, varargs: true },
    (number: number, ...texts: unknown[]) => texts[number - 1],
  );
  connection.function('adddate', { deterministic: true }, (date, days) =>
    new Date(Date.parse(String(date)) + Math.trunc(Number(days)) * 86_400_000).toISOString().slice(0, 10),
  );
}
