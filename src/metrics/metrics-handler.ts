import type { RequestListener } from 'node:http';
import { answerError, methodNotAllowed, notFound, pathOf, sendBody } from '../http';
import type { Logger } from '../logging';

const PATH = '/metrics';
const getOnly = methodNotAllowed('GET');

interface Scraped {
  readonly contentType: string;
  scrape(): Promise<string>;
}

/** Creates the handler of a listener that answers `GET /metrics` and nothing else. It asks for no key. */
export function metricsHandler(metrics: Scraped, logger: Logger): RequestListener {
  return (request, response) => {
    if (pathOf(request.url) !== PATH) return notFound(request, response);
    if (request.method !== 'GET') return getOnly(request, response);
    metrics
      .scrape()
      .then((text) => sendBody(response, 200, { type: metrics.contentType, content: text }))
      .catch((error: unknown) => answerError(error, request, response, logger));
  };
}
