import { connect, type Socket } from 'node:net';

const ANSWER_LIMIT_MS = 20_000;
const EMPTY_CHUNKED = '0\r\n\r\n'.length;

export interface RawAnswer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One connection that sends bytes as they stand, and reads answers one after the other. */
export class RawConnection {
  /** When the server had closed it, by the monotonic clock in milliseconds. */
  readonly closed: Promise<number>;
  readonly #socket: Socket;
  #received = '';
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
    socket.on('error', () => undefined); // what follows it is 'close'
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve(performance.now());
      });
    });
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        // Held open for writing only: the server has closed when it sends no more.
        socket.once('end', () => socket.destroy());
        resolve(new RawConnection(socket));
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Characters are bytes. */
  send(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Says that nothing more will be sent; answers can still be read. */
  endSending(): void {
    this.#socket.end();
  }

  /** The next answer; undefined when the connection was closed before there was a whole one. */
  async next(limitMs = ANSWER_LIMIT_MS): Promise<RawAnswer | undefined> {
    const deadlineAt = performance.now() + limitMs;
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined || this.#isClosed) return answer;
      if (performance.now() > deadlineAt) throw new Error(`no answer, and not closed: ${this.#received.slice(0, 200)}`);
      await this.#somethingNew(deadlineAt);
    }
  }

  /** Every answer until the server closes. */
  async all(): Promise<RawAnswer[]> {
    const answers: RawAnswer[] = [];
    for (let answer = await this.next(); answer !== undefined; answer = await this.next()) answers.push(answer);
    return answers;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #somethingNew(deadlineAt: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(deadlineAt - performance.now(), 1) + 1);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #takeAnswer(): RawAnswer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = this.#received.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const bodyStart = headEnd + 4;
    // No answer of ours is chunked; what Node answers by itself is, and empty.
    const isChunked = headers['transfer-encoding'] === 'chunked';
    const bodyEnd = bodyStart + (isChunked ? EMPTY_CHUNKED : Number(headers['content-length'] ?? 0));
    if (this.#received.length < bodyEnd) return undefined;
    const text = isChunked ? '' : this.#received.slice(bodyStart, bodyEnd);
    this.#received = this.#received.slice(bodyEnd);
    return { status: Number(statusLine.split(' ')[1]), headers, text };
  }
}

/** Sends bytes on a connection of their own, and gives every answer until the server closes it. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawAnswer[]> {
  const connection = await RawConnection.open(port);
  connection.send(bytes);
  return connection.all();
}
