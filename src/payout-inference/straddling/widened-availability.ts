import { type Availability, itemAvailability } from '../item-availability';
import type { CardRule } from '../learn-card-rule';
import type { BatchTime } from '../learn-moving-batch';
import type { Hypothesis } from '../model-answer';
import type { PreparedFile } from '../prepare-file';

/** The margin by which a batch may begin earlier and end later than observations show. */
const BATCH_SLACK_MS = 180_000;
const BATCH_SLACK_SHARE = 0.25;

/** Returns the intervals in which items became available, wide enough to contain the truth. */
export function widenedAvailability({ request, bounds, grid }: PreparedFile, { cardRule }: Hypothesis): Availability {
  return itemAvailability(request.items, bounds, widened(cardRule), grid);
}

/** Widens the rule of a batch, because the first and the last card that observations show are rarely its true ends. */
function widened(rule: CardRule | undefined): CardRule | undefined {
  if (rule?.kind === 'moving') return { ...rule, times: rule.times.map(widenedTime) };
  return rule?.kind === 'batch' ? { kind: 'batch', ...widenedTime(rule) } : rule;
}

function widenedTime({ fromMs, offsetMs }: BatchTime): BatchTime {
  const by = BATCH_SLACK_MS + Math.round((offsetMs - fromMs) * BATCH_SLACK_SHARE);
  return { fromMs: fromMs - by, offsetMs: offsetMs + by };
}
