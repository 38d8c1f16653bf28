import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly method: string;
  /** With its query, byte for byte. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** What the receiver does with the n-th webhook, counted from 1: a status, a redirect, or one of two sorts of nothing. */
export type ReceiverReply = number | { readonly redirectTo: string } | 'cut' | 'silence';

/** An integrator's webhook address that keeps every request as it came. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  readonly baseUrl: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(
    reply: (n: number, webhook: ReceivedWebhook) => ReceiverReply | Promise<ReceiverReply> = () => 200,
  ): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined); // the sender may leave
      request.on('end', () => {
        const { method = '', url: target = '', headers } = request;
        const webhook = { method, target, headers, rawBody: Buffer.concat(chunks) };
        receiver.received.push(webhook);
        void Promise.resolve(reply(receiver.received.length, webhook)).then((how) => {
          if (how === 'cut') request.socket.destroy();
          else if (typeof how === 'number') response.writeHead(how).end();
          else if (how !== 'silence') response.writeHead(307, { location: how.redirectTo }).end();
        });
      });
    });
    return receiver;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
