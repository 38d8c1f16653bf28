import { lstatSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { AppError, systemCodeOf } from '../kernel';
import { EXIT, type ExitCode } from './command';

/** How long the reader may pause while the command holds a snapshot of the database. */
const STALL_LIMIT_MS = 60_000;
const FILE_MODE = 0o600;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes text to a stream and remembers whether that succeeded. */
export interface StreamOutput {
  /**
   * Waits until the system has accepted the text. Returns false after the stream can no longer be written; its `error`
   * event reports why.
   * @throws AppError `unavailable` if the reader reads nothing for a minute.
   */
  write(text: string): Promise<boolean>;
  /** Returns the exit code. It is no fault if the reader closes the pipe, as `head` does. */
  exitCode(): ExitCode;
}

export function outputTo(stream: Writable, stallLimitMs = STALL_LIMIT_MS): StreamOutput {
  // Stored here, because process.stdout forgets its error after emitting it.
  let exitCode: ExitCode = EXIT.done;
  return {
    exitCode: () => exitCode,
    write: (text) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const seconds = stallLimitMs / 1_000;
          reject(
            new AppError('unavailable', `the output was not read for ${seconds} s; write to a file with --output`),
          );
        }, stallLimitMs);
        stream.write(text, (error) => {
          clearTimeout(timer);
          const failed = error !== null && error !== undefined;
          if (failed && systemCodeOf(error) !== 'EPIPE') exitCode = EXIT.fault;
          resolve(!failed);
        });
      }),
  };
}

/**
 * Lets `work` write a file of mode 0600 that gets its name only after it is complete. An older file stays until then.
 * @throws AppError `bad_input` that names the path.
 */
export async function writeWholeFile(
  path: string,
  work: (write: (text: string) => Promise<boolean>) => Promise<unknown>,
): Promise<void> {
  const { part, file } = await openPart(path);
  const heard = removeWhenStopped(part);
  try {
    try {
      await work(async (text) => {
        await naming(path, () => file.appendFile(text));
        return true;
      });
      await naming(path, () => file.sync());
    } finally {
      await file.close();
    }
    await naming(path, () => rename(part, path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    heard.end();
  }
}

/**
 * Throws the errors of `writeWholeFile` immediately, and leaves no file. A command calls it before a long computation.
 * @throws AppError `bad_input` that names the path.
 */
export async function refuseUnlessWritable(path: string): Promise<void> {
  const { part, file } = await openPart(path);
  await file.close();
  await rm(part, { force: true });
}

/** Removes the part file if a signal stops the process, unless the program handles the signal itself. */
function removeWhenStopped(part: string): { end(): void } {
  const stop = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 0) return;
    rmSync(part, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.once(signal, stop);
  return {
    end() {
      for (const signal of ENDING_SIGNALS) process.removeListener(signal, stop);
    },
  };
}

async function openPart(path: string): Promise<{ readonly part: string; readonly file: FileHandle }> {
  refuseUnlessFile(path);
  const part = `${path}.${process.pid}.part`;
  // A killed process with the same pid may have left the file: in a container the pid is always the same.
  await naming(path, () => rm(part, { force: true }));
  return { part, file: await naming(path, () => open(part, 'wx', FILE_MODE)) };
}

/** Refuses a device, a folder or a link, because the rename would replace it. */
function refuseUnlessFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new AppError('bad_input', { field: path, fault: 'exists and is not a file' });
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = `cannot be written (${systemCodeOf(error)})`;
    throw new AppError('bad_input', { field: path, fault }, { cause: error });
  }
}
