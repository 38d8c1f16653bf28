import type { Session } from '../db';
import { AppError } from '../kernel';
import type { ListedStatement } from './statement-records';
import { openStatements } from './statement-store';

/** Returns a stored statement. @throws AppError `not_found`. */
export async function requireStatement(session: Session, id: string): Promise<ListedStatement> {
  const found = await openStatements(session).find(id);
  if (found === undefined) throw new AppError('not_found', { thing: 'statement', id });
  return found;
}
