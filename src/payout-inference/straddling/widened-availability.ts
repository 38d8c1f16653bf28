import { type Availability, itemAvailability } from '../item-availability';
import type { CardRule } from '../learn-card-rule';
import type { Hypothesis } from '../model-answer';
import type { PreparedFile } from '../prepare-file';

/** How far beyond what observations have shown a batch may begin and end. */
const BATCH_SLACK_MS = 180_000;
const BATCH_SLACK_SHARE = 0.25;

/** The intervals in which items became available, wide enough to hold the truth. */
export function widenedAvailability({ request, bounds, grid }: PreparedFile, { cardRule }: Hypothesis): Availability {
  return itemAvailability(request.items, bounds, widened(cardRule), grid);
}

/** The first and the last of a batch that observations have shown are hardly ever its true ones. */
function widened(rule: CardRule | undefined): CardRule | undefined {
  if (rule?.kind !== 'batch') return rule;
  const by = BATCH_SLACK_MS + Math.round((rule.offsetMs - rule.fromMs) * BATCH_SLACK_SHARE);
  return { kind: 'batch', fromMs: rule.fromMs - by, offsetMs: rule.offsetMs + by };
}
