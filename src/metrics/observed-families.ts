import { CONFIRM_CODE } from '../agent-settlement';
import { type Family, histogramSamples } from './families';
import type { Observations } from './observations';

const UNAVAILABLE = '503';

/** The outcomes of a confirm, and the code or the status that answers it. All exist from the start, at 0. */
const CONFIRM_ANSWERS = { ...CONFIRM_CODE, limited: UNAVAILABLE, unanswered: UNAVAILABLE } as const;

const SECONDS = 'millime_http_request_seconds';
const BATCH = 'millime_confirm_batch_size';

/** Returns the metrics that this process counts itself. */
export function observedFamilies(observed: Observations): Family[] {
  return [
    {
      type: 'counter',
      name: 'millime_http_requests_total',
      help: 'Answered HTTP requests by route, method and status code.',
      samples: () =>
        [...observed.routes].flatMap(([route, { requests }]) =>
          [...requests.values()].map(({ count, method, status }) => ({
            labels: { route, method, code: String(status) },
            value: count,
          })),
        ),
    },
    {
      type: 'histogram',
      name: SECONDS,
      help: 'Seconds from the start of a request to its answer.',
      samples: () =>
        [...observed.routes].flatMap(([route, { seconds }]) => histogramSamples(SECONDS, seconds, { route })),
    },
    {
      type: 'counter',
      name: 'millime_confirms_total',
      help: 'Confirms by outcome and by the code or status of their answer.',
      samples: () =>
        Object.entries(CONFIRM_ANSWERS).map(([outcome, code]) => ({
          labels: { outcome, code },
          value: observed.confirms.get(outcome as keyof typeof CONFIRM_ANSWERS) ?? 0,
        })),
    },
    {
      type: 'histogram',
      name: BATCH,
      help: 'Confirms that one transaction answers.',
      samples: () => histogramSamples(BATCH, observed.batches),
    },
  ];
}
