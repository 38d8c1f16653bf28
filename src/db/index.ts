export { openDatabase, type Database, type TransactOptions } from './database';
export { type Dialect, type Row, type Session } from './session';
export { type TableColumns } from './columns';
export {
  migrate,
  migratorConfig,
  pendingMigrations,
  requireUpToDate,
  rollBackMigrations,
  type Migration,
  type MigrationTools,
} from './migrations';
