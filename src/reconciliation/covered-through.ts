import type { Session } from '../db';
import type { BusinessDate } from '../kernel';
import { openStatements } from '../statements';

type Coverage = ReadonlyMap<string, BusinessDate>;

/**
 * Returns the last covered day of each account that receives payouts; of every account if none does yet. An account
 * without payouts, perhaps long unused, delays nothing. Pure.
 */
export function coverageOfPaid(coverage: Coverage, paidInto: ReadonlySet<string>): Coverage {
  const ofPaid = [...coverage].filter(([account]) => paidInto.has(account));
  return ofPaid.length > 0 ? new Map(ofPaid) : coverage;
}

/** Returns the last day that statements cover for all of these accounts; undefined without a statement. Pure. */
export function coveredThrough(coverage: Coverage, paidInto: ReadonlySet<string>): BusinessDate | undefined {
  return [...coverageOfPaid(coverage, paidInto).values()].sort()[0];
}

/** Returns the last covered day according to the imported statements. Breaks age to that day. */
export async function knownThrough(session: Session): Promise<BusinessDate | undefined> {
  const statements = openStatements(session);
  return coveredThrough(await statements.coverage(), await statements.accountsPaidInto());
}
