import type { Session } from '../db';
import type { BusinessDate } from '../kernel';
import { openStatements } from '../statements';

type Coverage = ReadonlyMap<string, BusinessDate>;

/**
 * The last day that is covered of each account into which we are paid, or of all as long as we are paid into none. An
 * account that was never paid into by the gateway, perhaps long unused, holds nothing up. Pure.
 */
export function coverageOfPaid(coverage: Coverage, paidInto: ReadonlySet<string>): Coverage {
  const ofPaid = [...coverage].filter(([account]) => paidInto.has(account));
  return ofPaid.length > 0 ? new Map(ofPaid) : coverage;
}

/** The last day that the statements cover of every one of those accounts; undefined without any statement. Pure. */
export function coveredThrough(coverage: Coverage, paidInto: ReadonlySet<string>): BusinessDate | undefined {
  return [...coverageOfPaid(coverage, paidInto).values()].sort()[0];
}

/** The same, of all that is imported: nothing that waits for the bank gets older than that day. */
export async function knownThrough(session: Session): Promise<BusinessDate | undefined> {
  const statements = openStatements(session);
  return coveredThrough(await statements.coverage(), await statements.accountsPaidInto());
}
