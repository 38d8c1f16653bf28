import type { ServiceDatabase } from '../service/service-database';

// SQL that fills a database with many rows. It is written for MariaDB; SQLite gets the functions that it lacks
// (service/sqlite-functions.ts).

const ROWS_PER_STATEMENT = 100_000;
/** 2025-03-01 in UTC. */
export const FIRST_AT = Date.UTC(2025, 2, 1);
export const YEAR_MS = 365 * 86_400_000;

/** Inserts rows of a table: `count` of them, whose columns are SQL of the number `s.i`, from 0. */
export type PutRows = (table: string, count: number, values: Readonly<Record<string, string>>) => Promise<void>;

export function putRowsInto(database: ServiceDatabase): PutRows {
  return async (table, count, values) => {
    for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
      const until = Math.min(from + ROWS_PER_STATEMENT, count) - 1;
      const columns = Object.keys(values).join(', ');
      const numbers = sequence(database, from, until);
      await database.rows(
        `insert into ${table} (${columns}) select ${Object.values(values).join(', ')} from ${numbers}`,
      );
    }
  };
}

/** Returns the SQL of the instant of row `s.i` of `count`, spread over the year. */
export function instantOf(count: number): string {
  return `${FIRST_AT} + floor(s.i * ${YEAR_MS} / ${count})`;
}

/** Returns the SQL of the day of row `s.i` of `count`, spread over the year. */
export function dayOf(count: number): string {
  return `adddate('2025-03-01', floor(s.i * 365 / ${count}))`;
}

/** Returns the SQL of an id of Millime: a letter and a number, in the order of the numbers. */
export function idOf(letter: string, number = 's.i'): string {
  return `'0${letter}' || ${padded(number, 24)}`;
}

/** Returns the id itself. */
export function idText(letter: string, number: number): string {
  return `0${letter}${String(number).padStart(24, '0')}`;
}

export function padded(number: string, width: number): string {
  return `lpad(${number}, ${width}, '0')`;
}

function sequence({ kind }: ServiceDatabase, from: number, until: number): string {
  if (kind === 'mariadb') return `(select seq as i from seq_${from}_to_${until}) s`;
  const next = `select ${from} union all select i + 1 from q where i < ${until}`;
  return `(with recursive q(i) as (${next}) select i from q) s`;
}
