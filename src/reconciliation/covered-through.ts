import type { Session } from '../db';
import type { BusinessDate } from '../kernel';
import { openStatements } from '../statements';

/**
 * The last day that the statements cover of every account into which we are paid; undefined without any statement. An
 * account that was never paid into by the gateway, perhaps long unused, holds nothing up. Pure.
 */
export function coveredThrough(
  coverage: ReadonlyMap<string, BusinessDate>,
  paidInto: ReadonlySet<string>,
): BusinessDate | undefined {
  const ofPaid = [...coverage].filter(([account]) => paidInto.has(account));
  return (ofPaid.length > 0 ? ofPaid : [...coverage]).map(([, day]) => day).sort()[0];
}

/** The same, of all that is imported: nothing that waits for the bank gets older than that day. */
export async function knownThrough(session: Session): Promise<BusinessDate | undefined> {
  const statements = openStatements(session);
  return coveredThrough(await statements.coverage(), await statements.accountsPaidInto());
}
