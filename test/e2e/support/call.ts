import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/**
 * How long a caller waits; past it the call counts as unanswered. The service gives up its own work after 5 s, but on a
 * busy machine it waits for its turn before and after: a time near 5 s would measure the machine.
 */
export const ANSWER_LIMIT_MS = 15_000;

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Byte for byte as it goes over the wire: nothing is encoded or normalised. */
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly tookMs: number;
}

/** One HTTP call. Rejects when no whole answer comes. */
export function call(baseUrl: string, { method, path, token, body }: Call): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body), 'utf8');
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('aborted', () => reject(new Error('the answer was cut off')));
        incoming.on('end', () => {
          clearTimeout(timer);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
            tookMs: performance.now() - startedAt,
          });
        });
      },
    );
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), ANSWER_LIMIT_MS);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(bytes);
  });
}

/** The path of Check Agent for an id. */
export function checkPath(agentId: string): string {
  return `/service/check/${encodeURIComponent(agentId)}`;
}
