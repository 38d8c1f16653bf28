import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookEndpoint {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  answerWith(status: number, headers?: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

/** Starts an endpoint that accepts webhooks on this machine. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const received: ReceivedWebhook[] = [];
  let answer: readonly [number, Readonly<Record<string, string>>] = [204, {}];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      received.push({
        ...{ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString('utf8') },
      });
      response.writeHead(...([answer[0], { ...answer[1] }] as const)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/millime`,
    received,
    answerWith: (status, headers = {}) => {
      answer = [status, headers];
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
