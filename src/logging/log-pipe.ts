import { SonicBoom } from 'sonic-boom';
import { SECOND_MS } from '../kernel';

/** What is buffered while the output is not read. */
const BUFFER_BYTES_MAX = 4 * 1024 * 1024;

/** Lines are accepted again once half of the buffer is free, so that dropping does not alternate line by line. */
const RESUME_BYTES = BUFFER_BYTES_MAX / 2;

const FLUSH_LIMIT_MS = SECOND_MS;
const RETRY_MS = SECOND_MS;

/** The output has no reader any longer, and will have none. */
const READER_GONE: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ENOTCONN', 'EBADF', 'EIO'];

export interface LogPipe {
  /** Never waits and never throws. */
  write(line: string): void;
  /** Writes the buffer for at most one second; then nothing here keeps the process alive. */
  close(): Promise<void>;
}

/**
 * Writes lines to an open file without ever waiting for its reader. What does not fit the buffer is dropped;
 * `onDropped` gets the number of lines when lines are accepted again.
 *
 * A pipe must not be in blocking mode: a thread that hangs in a write keeps a process from ending, even by
 * `process.exit`. In the other mode the writer gets EAGAIN and tries again after 100 ms.
 */
export function openLogPipe(fd: number, onDropped: (count: number) => void): LogPipe {
  const file = new SonicBoom({ fd, sync: false, retryEAGAIN: () => !ending });
  const backlog = new Backlog();
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

  /** After a crash: what the pipe accepts immediately is written, perhaps not in order, and the rest is lost. */
  function writeAtEnd(): void {
    ending = true;
    try {
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
    if (READER_GONE.includes(error.code)) return stop();
    // A full disk, most often. The writer would try again at the next line, which never comes while the buffer is full.
    clearTimeout(retry);
    retry = setTimeout(() => file.flush(), RETRY_MS).unref();
  });
  process.on('exit', writeAtEnd);

  return {
    write(line) {
      if (isOpen && backlog.add(Buffer.byteLength(line))) file.write(line);
    },
    async close() {
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

/** Counts the buffered bytes and the lines that were dropped because the buffer was full. */
class Backlog {
  private waiting = 0;
  private dropped = 0;

  get isEmpty(): boolean {
    return this.waiting <= 0;
  }

  /** Returns whether a line of this length fits. */
  add(bytes: number): boolean {
    if (this.waiting + bytes > BUFFER_BYTES_MAX) {
      this.dropped += 1;
      return false;
    }
    this.waiting += bytes;
    return true;
  }

  /** Takes out bytes that were written. Returns the number of dropped lines once half of the buffer is free, and 0 before. */
  take(bytes: number): number {
    this.waiting -= bytes;
    if (this.waiting > RESUME_BYTES) return 0;
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }
}
