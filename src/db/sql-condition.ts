/** A condition that one room puts on the rows of another, who knows nothing of why. */
export interface SqlCondition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

export const EVERY_ROW: SqlCondition = { sql: '1 = 1', bindings: [] };
