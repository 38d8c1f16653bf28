import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of one COMMIT.
 *
 * - `pass`: nothing happens to it.
 * - `cut_before`: it never reaches the server; the client loses its connection, and nothing is stored.
 * - `cut_after`: the server commits, and the client loses its connection instead of getting the answer.
 */
export type CommitFate = 'pass' | 'cut_before' | 'cut_after';

const COM_QUERY = 3;
const HEADER_BYTES = 4;

/** A TCP proxy in front of MariaDB that can take away the answer to a COMMIT, or everything. */
export class TcpProxy {
  readonly port: number;
  /** How many COMMITs have been cut so far. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #rule: { fate: (commit: number) => CommitFate };
  #commits = 0;
  #isSilent = false;

  private constructor(port: number, server: Server, sockets: Set<Socket>) {
    this.port = port;
    this.#server = server;
    this.#sockets = sockets;
    this.#rule = { fate: () => 'pass' };
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const sockets = new Set<Socket>();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new TcpProxy((server.address() as { port: number }).port, server, sockets);
    server.on('connection', (client) => proxy.#join(client, connect(target)));
    return proxy;
  }

  /** Decides about every COMMIT from now on; `commit` counts them from 1. */
  onCommit(fate: (commit: number) => CommitFate): void {
    this.#commits = 0;
    this.#rule.fate = fate;
  }

  /** The DATABASE_URL of the same database, through this proxy. */
  through(url: string): string {
    return url.replace(/@[^/]+\//, `@127.0.0.1:${this.port}/`);
  }

  /** Passes nothing on from now on, in either direction: a network that loses every packet. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Ends `silence`. What was sent meanwhile is lost, and so are its connections. */
  speak(): void {
    this.cutAll();
    this.#isSilent = false;
  }

  /** Cuts every connection; new ones are still taken. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, server: Socket): void {
    let cutsAtAnswer = false;
    const cut = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut); // the other end went away, as these tests intend
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    const reader = packetReader();
    client.on('data', (bytes) => {
      if (this.#isSilent) return;
      for (const packet of reader(bytes)) {
        const fate = isCommit(packet) ? this.#rule.fate((this.#commits += 1)) : 'pass';
        if (fate !== 'pass') this.cuts += 1;
        if (fate === 'cut_before') return cut();
        cutsAtAnswer ||= fate === 'cut_after';
        server.write(packet);
      }
    });
    server.on('data', (bytes) => {
      if (this.#isSilent) return;
      if (cutsAtAnswer) cut();
      else client.write(bytes);
    });
  }
}

/** Cuts a stream of the MySQL protocol into its packets, headers included. */
function packetReader(): (bytes: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const packets: Buffer[] = [];
    while (rest.length >= HEADER_BYTES && rest.length >= HEADER_BYTES + rest.readUIntLE(0, 3)) {
      const end = HEADER_BYTES + rest.readUIntLE(0, 3);
      packets.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return packets;
  };
}

function isCommit(packet: Buffer): boolean {
  const startsCommand = packet[3] === 0;
  return startsCommand && packet[4] === COM_QUERY && /^commit;?$/i.test(packet.toString('latin1', 5).trim());
}
