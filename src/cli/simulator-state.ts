import { existsSync } from 'node:fs';
import { AppError, parseStrictJson } from '../kernel';
import type { Logger } from '../logging';
import { decodeSavedState, mergeSettings, type RunningSimulator, type SavedState, savedStateText } from '../simulator';
import { readInputFile } from './command';
import { writeWholeFile } from './export-output';

const SAVE_EVERY_MS = 1_000;
const DEPTH_MAX = 32;

/** Reads the state file, if it exists. @throws AppError `bad_input` if it contains no state of this version. */
export function readState(path: string): SavedState | undefined {
  if (!existsSync(path)) return undefined;
  return decodeSavedState(readJson(path), path);
}

/** Merges the settings file over the saved settings. Returns `undefined` without either. */
export function readSettings(path: string | undefined, saved: unknown): unknown {
  return path === undefined ? saved : mergeSettings(saved, readJson(path));
}

export interface StateKeeper {
  /** Writes the state one last time. */
  end(): Promise<void>;
}

/**
 * Writes the state immediately, within a second after each change, and once more at the end. The passing of time alone
 * is not a change.
 * @throws AppError `bad_input` if the file cannot be written.
 */
export async function keepState(
  path: string,
  simulator: RunningSimulator['simulator'],
  logger: Logger,
): Promise<StateKeeper> {
  let savedRevision: number | undefined;
  let last: Promise<void> = Promise.resolve();
  let isSaving = false;
  let hasFailed = false;

  async function write(): Promise<void> {
    const { state, revision } = await simulator.whenAtRest(() => ({
      state: savedStateText(simulator),
      revision: simulator.revision(),
    }));
    await writeWholeFile(path, (writeText) => writeText(state));
    savedRevision = revision;
  }
  // One write at a time, because each write uses the same part file.
  function save(): Promise<void> {
    const saved = last.then(write);
    last = saved.catch(() => undefined); // the caller of save() gets the error
    return saved;
  }
  async function saveChange(): Promise<void> {
    if (isSaving || simulator.revision() === savedRevision) return;
    isSaving = true;
    try {
      await save();
      hasFailed = false;
    } catch (error) {
      // A full disk is logged once, and the write is retried each second.
      if (!hasFailed) {
        logger.error('simulator state not saved', { event: 'simulator.not_saved', error });
      }
      hasFailed = true;
    } finally {
      isSaving = false;
    }
  }

  await save();
  const timer = setInterval(() => void saveChange(), SAVE_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return save();
    },
  };
}

function readJson(path: string): unknown {
  const json = parseStrictJson(readInputFile(path).toString('utf8'), { depthMax: DEPTH_MAX });
  if (json.ok) return json.value;
  throw new AppError('bad_input', { field: path, fault: `cannot be read as JSON (${json.fault})` });
}
