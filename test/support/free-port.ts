import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system gives to connections, so that none of another test can take it in between.
const PORT_MIN = 15_000;
const PORT_MAX = 30_000;
const TRIES_MAX = 100;

const given = new Set<number>();

/**
 * Returns a port of 127.0.0.1 that has no listener and that the system gives to no connection. A process gets each port
 * once, so that it can ask for several before it uses the first.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no free port was found');
}
