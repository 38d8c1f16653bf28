import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import type { Credit } from './credit-choice';

type Proposed = Json<'proposeForBreak'>;

type Given =
  { readonly reason: string; readonly idempotencyKey: string } | { readonly reason: string; readonly dryRun: true };

/** Proposes to match items whose sum differs from the credit: on its break, or on the credit itself without one. */
export async function proposeMatch(
  visit: Visit,
  credit: Credit,
  itemIds: readonly string[],
  { reason, ...how }: Given,
): Promise<Proposed> {
  const { lineId, breakId } = credit;
  if (breakId === null) {
    const action = { kind: 'force_match' as const, payload: { itemIds: [...itemIds] } };
    return visit.call('proposeForCredit', { body: { lineId, action, reason }, ...how });
  }
  const action = { kind: 'force_match' as const, payload: { lineId, itemIds: [...itemIds] } };
  const { version } = await visit.call('showBreak', { params: { breakId } });
  return visit.call('proposeForBreak', { params: { breakId }, body: { action, reason }, ifVersion: version, ...how });
}

/** Proposes to take a match back of which a part is written off. */
export function proposeUnmatch(visit: Visit, { lineId }: Credit, { reason, ...how }: Given): Promise<Proposed> {
  const action = { kind: 'unmatch', payload: {} } as const;
  return visit.call('proposeForCredit', { body: { lineId, action, reason }, ...how });
}
