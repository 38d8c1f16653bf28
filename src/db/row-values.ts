// A column that may be empty, as a store reads it: null in rows, undefined inside.

export function optionalText(value: unknown): string | undefined {
  return value === null ? undefined : (value as string);
}

/** An instant, a count: a driver may give a big number as text. */
export function optionalNumber(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
