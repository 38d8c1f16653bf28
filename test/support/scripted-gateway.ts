import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

const DRIP_EVERY_MS = 20;
const HEAD_END = '\r\n\r\n';

export interface SeenRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the gateway does with one request. */
export type Reply =
  /** Objects are sent as JSON. A header replaces the one that would be sent; `''` leaves it out. */
  | {
      readonly kind: 'answer';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Begins a good answer and adds a space to it for ever. */
  | { readonly kind: 'drip' }
  /** Begins a head and adds to it for ever. */
  | { readonly kind: 'drip_head' }
  | { readonly kind: 'silence' }
  /** Resets the connection at the first byte, so that no request was read. */
  | { readonly kind: 'cut_before' }
  /** Reads the request, which may have had its effect, and resets the connection. */
  | { readonly kind: 'cut_after' }
  /** Sends half of the body. */
  | { readonly kind: 'cut_in_body'; readonly body: unknown }
  | { readonly kind: 'bytes'; readonly bytes: string | Buffer };

/** The reply to the n-th request, counted from 1; every request has a connection of its own. */
export type Script = (n: number, request: SeenRequest) => Reply;

/** A gateway that does to each request what its script says, however wrong, and keeps what it was sent. */
export class ScriptedGateway {
  readonly requests: SeenRequest[] = [];
  /** Bytes that came, after decryption: a connection that is refused leaves it at zero. */
  receivedBytes = 0;
  readonly baseUrl: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #connections = 0;
  #wake: () => void = () => undefined;

  private constructor(server: Server, scheme: 'http' | 'https', script: Script) {
    this.#server = server;
    this.baseUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('tlsClientError', () => undefined); // a client that does not trust us is what some tests want
    server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => this.#serve(socket, script));
  }

  /** On a free port of the loopback address, unless one is given. */
  static async start(
    script: Script,
    { tls, port = 0 }: { readonly tls?: TlsOptions; readonly port?: number } = {},
  ): Promise<ScriptedGateway> {
    const server = tls === undefined ? createTcpServer() : createTlsServer(tls);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new ScriptedGateway(server, tls === undefined ? 'http' : 'https', script);
  }

  /** How often somebody came, whether a request was read or not. */
  get connections(): number {
    return this.#connections;
  }

  /** Waits until every connection is closed; the gateway itself closes none that is silent or drips. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket, script: Script): void {
    const n = (this.#connections += 1);
    this.#open.add(socket);
    socket.on('error', () => undefined); // what follows it is 'close'
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#wake();
    });
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      this.receivedBytes += chunk.length;
      if (received === '' && script(n, NO_REQUEST).kind === 'cut_before') {
        socket.resetAndDestroy();
        return;
      }
      received += chunk.toString('latin1');
      const request = readRequest(received);
      if (request === undefined) return;
      received = '';
      this.requests.push(request);
      perform(socket, script(n, request));
    });
  }
}

export function always(reply: Reply): Script {
  return () => reply;
}

const NO_REQUEST: SeenRequest = { method: '', target: '', headers: {}, body: '' };

function readRequest(received: string): SeenRequest | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = received.slice(headEnd + HEAD_END.length);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { method, target, headers, body: Buffer.from(body, 'latin1').toString('utf8') };
}

function perform(socket: Socket, reply: Reply): void {
  switch (reply.kind) {
    case 'answer':
      socket.end(answerBytes(reply));
      return;
    case 'drip':
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json${HEAD_END}{"success": true,`);
      dripFor(socket, ' ');
      return;
    case 'drip_head':
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Slow: ');
      dripFor(socket, 'a');
      return;
    case 'silence':
      return;
    case 'cut_before':
    case 'cut_after':
      socket.resetAndDestroy();
      return;
    case 'cut_in_body': {
      const whole = answerBytes({ kind: 'answer', body: reply.body });
      const bodyStart = whole.indexOf(HEAD_END) + HEAD_END.length;
      socket.end(whole.subarray(0, bodyStart + Math.floor((whole.length - bodyStart) / 2)));
      return;
    }
    case 'bytes':
      socket.end(reply.bytes);
  }
}

function dripFor(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

function answerBytes({ status = 200, headers = {}, body = {} }: Extract<Reply, { kind: 'answer' }>): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const all = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    connection: 'close',
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join('\r\n')}${HEAD_END}`), bytes]);
}
