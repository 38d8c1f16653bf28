import { SonicBoom } from 'sonic-boom';
import { SECOND_MS } from '../kernel';

/** The size of the buffer while the output is not read. */
const BUFFER_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Lines are accepted again once half of the buffer is free, so that accepting and dropping do not alternate line by
 * line.
 */
const RESUME_BYTES = BUFFER_BYTES_MAX / 2;

/** A reader sees a line so much later. */
const MOMENT_MS = 10;
const FLUSH_LIMIT_MS = SECOND_MS;
const RETRY_MS = SECOND_MS;

/** Errors after which the output has no reader and will not get one. */
const READER_GONE: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ENOTCONN', 'EBADF', 'EIO'];

export interface LogPipe {
  /** Adds a line to the buffer. Never waits and never throws. */
  write(line: string): void;
  /** Writes the buffer for at most one second; then the log no longer keeps the process alive. */
  close(): Promise<void>;
}

/**
 * Writes lines to an open file without ever waiting for its reader. Drops lines that do not fit the buffer; when lines
 * are accepted again, `onDropped` gets the number of dropped ones.
 *
 * A pipe must be in non-blocking mode, in which a write to a full pipe gets EAGAIN and is repeated after 100 ms. In
 * blocking mode a thread that hangs in a write keeps the process from ending, even by `process.exit`.
 */
export function openLogPipe(fd: number, onDropped: (count: number) => void): LogPipe {
  // The writer itself would repeat forever a write that was under way when it was stopped.
  const file = new SonicBoom({ fd, sync: false, retryEAGAIN: () => isOpen && !ending });
  const backlog = new Backlog();
  const moment = new LinesOfAMoment((lines) => isOpen && file.write(lines));
  let ending = false;
  let isOpen = true;
  let retry: NodeJS.Timeout | undefined;
  let onQuiet = (): void => undefined;

  function stop(): void {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(retry);
    process.off('exit', writeAtEnd);
    file.destroy();
    onQuiet();
  }

  /** Writes after a crash what the pipe accepts immediately, perhaps not in order; the rest is lost. */
  function writeAtEnd(): void {
    ending = true;
    try {
      moment.write();
      file.flushSync();
    } catch {
      // The output is not read, and the process is ending.
    }
  }

  file.on('write', (bytes: number) => {
    const dropped = backlog.take(bytes);
    if (dropped > 0) onDropped(dropped);
    if (backlog.isEmpty) onQuiet();
  });
  file.on('error', (error: NodeJS.ErrnoException) => {
    if (!isOpen) return;
    if (READER_GONE.includes(error.code)) return stop();
    // Usually a full disk. The writer would retry at the next line, which is never accepted while the buffer is full.
    clearTimeout(retry);
    retry = setTimeout(() => file.flush(), RETRY_MS).unref();
  });
  process.on('exit', writeAtEnd);

  return {
    write(line) {
      if (isOpen && backlog.add(Buffer.byteLength(line))) moment.add(line);
    },
    async close() {
      moment.write();
      if (isOpen && !backlog.isEmpty) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, FLUSH_LIMIT_MS);
          onQuiet = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      stop();
    },
  };
}

/** Collects the lines of a moment and writes them together: a write and its thread take longer than many lines. */
class LinesOfAMoment {
  readonly #write: (text: string) => void;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#lines.push(line) === 1) this.#timer = setTimeout(() => this.write(), MOMENT_MS);
  }

  write(): void {
    clearTimeout(this.#timer);
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#write(lines.join(''));
  }
}

/** Counts the buffered bytes and the lines that were dropped because the buffer was full. */
class Backlog {
  private waiting = 0;
  private dropped = 0;

  get isEmpty(): boolean {
    return this.waiting <= 0;
  }

  /** Adds a line. Returns whether it fits. */
  add(bytes: number): boolean {
    if (this.waiting + bytes > BUFFER_BYTES_MAX) {
      this.dropped += 1;
      return false;
    }
    this.waiting += bytes;
    return true;
  }

  /** Removes written bytes. Returns the number of dropped lines once half of the buffer is free, and 0 before. */
  take(bytes: number): number {
    this.waiting -= bytes;
    if (this.waiting > RESUME_BYTES) return 0;
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }
}
