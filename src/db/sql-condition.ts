/** A condition that one module puts on the rows of another, which need not know the reason. */
export interface SqlCondition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

export const EVERY_ROW: SqlCondition = { sql: '1 = 1', bindings: [] };
