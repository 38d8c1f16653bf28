import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../support/free-port';

/** A way to the gateway that can be down: while it is, connections are refused. */
export class Relay {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  static async to(target: string): Promise<Relay> {
    const relay = new Relay(await freePort(), Number(new URL(target).port));
    await relay.restore();
    return relay;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async restore(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = createServer((socket) => this.#join(socket, connect(this.#target, '127.0.0.1')));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(one: Socket, other: Socket): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy()); // cutting is what it is for
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
