import { at, elementAt } from './at';
import type { Availability } from './item-availability';
import type { Evidence } from './match-result';
import type { Explanation } from './model-answer';
import type { PreparedFile } from './prepare-file';

/** The grades from the strongest to the weakest. */
const GRADES: readonly Evidence[] = ['reported', 'inferred_by_tracer', 'inferred_by_cut', 'inferred_by_sum'];

/**
 * Returns how the payment of an item is known. The gateway reported PAID after the cut; or the item was available
 * before observations of others still saw the payout open; or it lies before the cut; or its amount completes the sum.
 */
export function gradeItem(
  file: PreparedFile,
  availability: Availability,
  explanation: Explanation,
  index: number,
): Evidence {
  const { bounds } = file;
  const { cutFrom, tracedFrom = -Infinity, kind } = explanation;
  const paidAt = at(bounds.firstPaid, index);
  if (paidAt < Infinity && paidAt >= cutFrom) return 'reported';
  if (at(availability.until, index) <= tracedFrom) return 'inferred_by_tracer';
  return kind === 'sum' ? 'inferred_by_sum' : 'inferred_by_cut';
}

/** Returns the weakest grade, because an explanation is only as strong as its weakest item. */
export function weakestGrade(grades: Iterable<Evidence>): Evidence {
  let weakest = 0;
  for (const grade of grades) weakest = Math.max(weakest, GRADES.indexOf(grade));
  return elementAt(GRADES, weakest);
}
