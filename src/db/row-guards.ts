import type { Logger } from '../logging';
import type { Dialect } from './session';

/** Runs one statement; the names replace its `??`. */
export type RunStatement = (sql: string, names: readonly string[]) => Promise<void>;

/** SQL conditions over `old` and, for an UPDATE, `new`. Without a condition every such statement is refused. */
export interface RowGuards {
  readonly refuseUpdateWhen?: string;
  readonly refuseDeleteWhen?: string;
}

type GuardedAction = 'update' | 'delete';

const ER_BINLOG_CREATE_ROUTINE_NEED_SUPER = 1419;

/** Creates the two triggers of a table, unless they exist. */
export async function createRowGuards(
  statement: RunStatement,
  dialect: Dialect,
  logger: Logger,
  table: string,
  { refuseUpdateWhen, refuseDeleteWhen }: RowGuards,
): Promise<void> {
  await whereAllowed(logger, table, async () => {
    await createGuard(statement, dialect, table, 'update', refuseUpdateWhen);
    await createGuard(statement, dialect, table, 'delete', refuseDeleteWhen);
  });
}

/** Drops the two triggers of a table, if they exist. */
export async function dropRowGuards(statement: RunStatement, logger: Logger, table: string): Promise<void> {
  await whereAllowed(logger, table, async () => {
    for (const action of ['update', 'delete'] as const) {
      await statement('drop trigger if exists ??', [guardName(table, action)]);
    }
  });
}

async function createGuard(
  statement: RunStatement,
  dialect: Dialect,
  table: string,
  action: GuardedAction,
  when: string | undefined,
): Promise<void> {
  const names = [guardName(table, action), table];
  const refusal = `${table} is append-only`;
  if (dialect === 'sqlite') {
    const condition = when === undefined ? '' : `when ${when} `;
    const body = `${condition}begin select raise(abort, '${refusal}'); end`;
    await statement(`create trigger if not exists ?? before ${action} on ?? ${body}`, names);
    return;
  }
  const signal = `signal sqlstate '45000' set message_text = '${refusal}'`;
  const body = when === undefined ? signal : `if ${when} then ${signal}; end if`;
  await statement(`create trigger if not exists ?? before ${action} on ?? for each row ${body}`, names);
}

function guardName(table: string, action: GuardedAction): string {
  return `${table}_no_${action}`;
}

/**
 * Runs `work` if the server allows triggers. A server with a binary log requires SUPER for them, which a migration user
 * may lack.
 */
async function whereAllowed(logger: Logger, table: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { errno?: number }).errno !== ER_BINLOG_CREATE_ROUTINE_NEED_SUPER) throw error;
    logger.warn('append-only triggers not created, SUPER required', {
      event: 'db.no_trigger',
      table,
    });
  }
}
