import { type IncomingHttpHeaders, request } from 'node:http';

export interface Call {
  readonly method?: string;
  /** The request target as it travels: nothing on the way tidies it up. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const ANSWER_LIMIT_MS = 10_000;

/** Sends one request on a connection of its own. */
export function httpCall(port: number, { method = 'GET', path, headers = {}, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.setTimeout(ANSWER_LIMIT_MS, () => sent.destroy(new Error('the server did not answer')));
    sent.on('error', reject);
    if (body !== undefined && !sent.hasHeader('Transfer-Encoding')) {
      sent.setHeader('Content-Length', Buffer.byteLength(body));
    }
    sent.end(body);
  });
}
