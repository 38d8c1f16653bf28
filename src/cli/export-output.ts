import { lstatSync, rmSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { AppError } from '../kernel';
import { EXIT, type ExitCode } from './command';

/** How long a reader of our output may take nothing while we hold a snapshot of the database for him. */
const STALL_LIMIT_MS = 60_000;
const FILE_MODE = 0o600;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Text on its way to a stream, and how that went. */
export interface StreamOutput {
  /**
   * Waits until the system has taken the text. False when the stream cannot be written any more; what was wrong is its
   * `error` event to tell.
   *
   * @throws AppError `unavailable` when the reader takes nothing for a minute.
   */
  write(text: string): Promise<boolean>;
  /** A reader who has left, as `head` does, is no fault. */
  exitCode(): ExitCode;
}

export function outputTo(stream: Writable, stallLimitMs = STALL_LIMIT_MS): StreamOutput {
  // Kept here, because process.stdout forgets its error after telling it.
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
          if (failed && (error as { code?: string }).code !== 'EPIPE') exitCode = EXIT.fault;
          resolve(!failed);
        });
      }),
  };
}

/**
 * Lets `work` write a file of mode 0600 that appears under its name only when it is whole; an older one of that name
 * stays until then.
 *
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
 * Throws what `writeWholeFile` would throw at once, and leaves nothing there: for who works long before he has a text.
 *
 * @throws AppError `bad_input` that names the path.
 */
export async function refuseUnlessWritable(path: string): Promise<void> {
  const { part, file } = await openPart(path);
  await file.close();
  await rm(part, { force: true });
}

/** Who stops us leaves no half behind. Where somebody else hears the signal, the program has an end of its own. */
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
  // What a killed process of our number left behind: in a container the number is always the same.
  await naming(path, () => rm(part, { force: true }));
  return { part, file: await naming(path, () => open(part, 'wx', FILE_MODE)) };
}

/** The file comes by renaming, which would put it in the place of a device, a folder or a link. */
function refuseUnlessFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new AppError('bad_input', { field: path, fault: 'exists and is not a file' });
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { code?: string };
    const fault = `cannot be written (${code ?? 'unknown reason'})`;
    throw new AppError('bad_input', { field: path, fault }, { cause: error });
  }
}
