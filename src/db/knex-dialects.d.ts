// The documentation names these dialect classes as the base of a custom knex client, but knex ships no types for them.
declare module 'knex/lib/dialects/mysql2/index.js' {
  import type { Knex } from 'knex';
  class MySql2Client extends Knex.Client {
    protected _query(connection: object, query: { sql: string }): Promise<unknown>;
    acquireRawConnection(): Promise<object>;
    destroyRawConnection(connection: object): Promise<void>;
    readonly driver: { createConnection(settings: object): unknown };
    connectionSettings: Record<string, unknown>;
  }
  export default MySql2Client;
}

declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex';
  class BetterSqlite3Client extends Knex.Client {
    driver: unknown;
    initializeDriver(): void;
    acquireRawConnection(): Promise<object>;
    connectionSettings: { readonly filename: string };
  }
  export default BetterSqlite3Client;
}
