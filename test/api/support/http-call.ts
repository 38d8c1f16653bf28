import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import supertest from 'supertest';

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

/** Sends one request on a connection of its own, and follows no redirect. */
export async function httpCall(port: number, { method = 'GET', path, headers = {}, body }: Call): Promise<Answer> {
  const call = new supertest.Test(`http://127.0.0.1:${port}`, method, '/')
    .set(headers)
    .timeout(ANSWER_LIMIT_MS)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
    });
  const sent = (call as unknown as { request(): ClientRequest }).request();
  sent.path = path; // `Test` would tidy it up
  if (body !== undefined) {
    if (!sent.hasHeader('Transfer-Encoding')) sent.setHeader('Content-Length', Buffer.byteLength(body));
    call.write(body as string);
  }
  const { status, headers: answered, body: text } = await call;
  return { status, headers: answered, text: typeof text === 'string' ? text : '' };
}
