import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AppError, parseStrictJson } from '../kernel';
import type { Logger } from '../logging';
import { decodeSavedState, mergeSettings, savedStateText, type RunningSimulator, type SavedState } from '../simulator';
import { readInputFile } from './command';

const SAVE_EVERY_MS = 60_000;
const DEPTH_MAX = 32;
const OWNER_ONLY = 0o600;

/** @throws AppError `bad_input` when the file is there and holds no state of this version. */
export function readState(path: string): SavedState | undefined {
  return existsSync(path) ? decodeSavedState(readJson(path)) : undefined;
}

/** What the file says, on top of what was saved; `undefined` when neither says anything. */
export function readSettings(path: string | undefined, saved: unknown): unknown {
  return path === undefined ? saved : mergeSettings(saved, readJson(path));
}

/** Writes the state every minute, and once more at the end. */
export function keepState(
  path: string,
  simulator: RunningSimulator['simulator'],
  logger: Logger,
): { end(): Promise<void> } {
  const save = (): Promise<void> => simulator.whenAtRest(() => replaceFile(path, savedStateText(simulator)));
  const timer = setInterval(() => {
    save().catch((error: unknown) => {
      logger.error('the state of the simulator cannot be saved', { event: 'simulator.not_saved', error });
    });
  }, SAVE_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return save();
    },
  };
}

/** Whoever reads the file finds the old state or the new one, never half of it. */
function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(next, 'w', OWNER_ONLY);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    const { code } = error as { code?: string };
    throw new AppError('misconfigured', `--state: ${path} cannot be written (${code ?? 'unknown reason'})`, {
      cause: error,
    });
  }
}

function readJson(path: string): unknown {
  const json = parseStrictJson(readInputFile(path).toString('utf8'), { depthMax: DEPTH_MAX });
  if (json.ok) return json.value;
  throw new AppError('bad_input', `${path}: cannot be read as JSON (${json.fault})`);
}
