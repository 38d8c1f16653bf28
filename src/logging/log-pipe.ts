import { SonicBoom } from 'sonic-boom';

/** What may wait for a reader who does not read. */
const BUFFER_BYTES_MAX = 4 * 1024 * 1024;

/** Lines are taken again once half of that has gone, so that we do not drop and take line by line. */
const RESUME_BYTES = BUFFER_BYTES_MAX / 2;

const FLUSH_LIMIT_MS = 1_000;
const RETRY_MS = 1_000;

/** There is no reader any more, and there never will be one. */
const READER_GONE: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ENOTCONN', 'EBADF', 'EIO'];

export interface LogPipe {
  /** Never waits and never throws. */
  write(line: string): void;
  /** Gives what waits one second to get away; then nothing of ours keeps the process alive. */
  close(): Promise<void>;
}

/**
 * Writes lines to an open file without ever waiting for its reader. What does not fit the buffer is dropped;
 * `onDropped` is told how much when lines are taken again.
 *
 * A pipe must not be in blocking mode: a thread that hangs in a write keeps a process from ending, even by
 * `process.exit`. In the other mode the writer is told EAGAIN and tries again after 100 ms.
 */
export function openLogPipe(fd: number, onDropped: (count: number) => void): LogPipe {
  const file = new SonicBoom({ fd, sync: false, retryEAGAIN: () => !ending });
  let waiting = 0;
  let dropped = 0;
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

  /** After a crash: what the pipe takes at once is written, perhaps not in order, and the rest is lost. */
  function writeAtEnd(): void {
    ending = true;
    try {
      file.flushSync();
    } catch {
      // Nobody reads; there is nothing more that a process can do which is ending.
    }
  }

  file.on('write', (bytes: number) => {
    waiting -= bytes;
    if (dropped > 0 && waiting <= RESUME_BYTES) {
      const count = dropped;
      dropped = 0;
      onDropped(count);
    }
    if (waiting <= 0) onQuiet();
  });
  file.on('error', (error: NodeJS.ErrnoException) => {
    if (READER_GONE.includes(error.code)) return stop();
    // A full disk, most often. The writer would try again at the next line, and there is none when the buffer is full.
    clearTimeout(retry);
    retry = setTimeout(() => file.flush(), RETRY_MS).unref();
  });
  process.on('exit', writeAtEnd);

  return {
    write(line) {
      if (!isOpen) return;
      const bytes = Buffer.byteLength(line);
      if (waiting + bytes > BUFFER_BYTES_MAX) {
        dropped += 1;
        return;
      }
      waiting += bytes;
      file.write(line);
    },
    async close() {
      if (isOpen && waiting > 0) {
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
