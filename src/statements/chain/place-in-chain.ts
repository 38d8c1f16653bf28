import type { Session } from '../../db';
import type { Statement } from '../statement-records';
import { openStatements } from '../statement-store';
import { isWhole } from './bank-days';
import { openChain } from './chain-store';
import { type Discontinuity, findDiscontinuities, haveCommonDays, previousOf } from './statement-chain';

/** More than a person reads before an import. */
const PLACES_MAX = 100;

/** Where a statement that is not stored would stand among those of its account. */
export interface PlaceInChain {
  readonly statement: Statement;
  /** The statement before it; undefined before the first. */
  readonly previous: Statement | undefined;
  /** Whether stored statements have days of it. Then their lines show whether they agree, which an import compares. */
  readonly isAmongOthers: boolean;
  /** Where its balances do not follow; undefined if it states no balances to compare. */
  readonly discontinuities: readonly Discontinuity[] | undefined;
}

/** Returns the places of new statements, the first 100, among the effective ones of their accounts. */
export async function placesInChain(session: Session, fresh: readonly Statement[]): Promise<PlaceInChain[]> {
  const places: PlaceInChain[] = [];
  const chain = openChain(session);
  const seen = new Set<string>();
  for (const { account, currency } of fresh) {
    const name = `${currency} ${account}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const ofAccount = fresh.filter((each) => each.account === account && each.currency === currency);
    const stored = await openStatements(session).chain(account, currency);
    const whole = ofAccount.filter(isWhole);
    const found = await findDiscontinuities([...stored, ...whole], (a, b) => chain.shareLines(a, b));
    for (const statement of ofAccount.slice(0, PLACES_MAX - places.length)) {
      const others = [...stored, ...whole.filter((each) => each !== statement)];
      const touching = found.filter(({ before, next }) => before === statement || next === statement);
      const discontinuities = isWhole(statement) ? touching : undefined;
      const isAmongOthers = stored.some((other) => haveCommonDays(other, statement));
      places.push({ statement, previous: previousOf(others, statement), isAmongOthers, discontinuities });
    }
  }
  return places;
}
