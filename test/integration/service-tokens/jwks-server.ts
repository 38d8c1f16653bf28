import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A foreign issuer's web server on this machine, which can be told to misbehave. */
export interface JwksServer {
  readonly url: URL;
  /** How often the keys were asked for. */
  readonly fetches: number;
  /** Answers with these keys from now on. */
  publish(...keys: readonly object[]): void;
  /** Answers like this from now on. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export async function startJwksServer(): Promise<JwksServer> {
  let fetches = 0;
  let how: Answer = (_request, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    fetches += 1;
    how(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/jwks.json`),
    get fetches() {
      return fetches;
    },
    publish(...keys) {
      how = (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
      };
    },
    answer(next) {
      how = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
