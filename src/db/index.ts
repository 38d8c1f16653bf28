export { afterKey } from './after-key';
export { byIndex } from './by-index';
export { knexConfig } from './connect';
export { copyDatabaseFile } from './copy-database-file';
export { openDatabase, type Database } from './database';
export { databaseNow } from './database-now';
export { unprotectedFiles } from './file-rights';
export { beforeDeadline } from './deadline';
export { isDatabaseUnavailable } from './errors';
export { GRANT_PURPOSES, type GrantPurpose, grantStatements } from './grants';
export { idsIn } from './ids-in';
export { prefixedInSql } from './prefixed-in-sql';
export { createReadiness, type DatabaseReadiness } from './readiness';
export { rewriteDatabaseFile, type RewriteOutcome } from './rewrite-database-file';
export { column, rowCodec, type Column, type Decoded } from './row-codec';
export type { QuestionLock, RowLock } from './row-lock';
export type { Row } from './raw';
export { rowsOf, type Dialect, type Session } from './session';
export { type NewRows, type Question, ROWS_PER_STATEMENT } from './statements';
export { judgeServers } from './server-settings';
export { EVERY_ROW, type SqlCondition } from './sql-condition';
export { sqliteDriver } from './sqlite-driver';
export { TABLE_RIGHTS } from './table-rights';
export { takeTurn } from './take-turn';
export { tlsFault } from './tls';
export { ROWS_PER_TRANSACTION, writeInPages } from './write-in-pages';
export {
  isKnownMigration,
  lastMigration,
  migrate,
  migratorConfig,
  pendingMigrations,
  requireUpToDate,
  rollBackMigrations,
  type MigrationTools,
} from './migrations';
