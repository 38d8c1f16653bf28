import { existsSync } from 'node:fs';
import { AppError, parseStrictJson } from '../kernel';
import type { Logger } from '../logging';
import { decodeSavedState, mergeSettings, savedStateText, type RunningSimulator, type SavedState } from '../simulator';
import { readInputFile } from './command';
import { writeWholeFile } from './export-output';

const SAVE_EVERY_MS = 60_000;
const DEPTH_MAX = 32;

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
  let last: Promise<void> = Promise.resolve();
  // One after the other: each writes beside the file before it takes its place.
  const save = (): Promise<void> => {
    const saved = last.then(async () => {
      const state = await simulator.whenAtRest(() => savedStateText(simulator));
      await writeWholeFile(path, (write) => write(state));
    });
    last = saved.catch(() => undefined); // whoever asked for it hears of it
    return saved;
  };
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

function readJson(path: string): unknown {
  const json = parseStrictJson(readInputFile(path).toString('utf8'), { depthMax: DEPTH_MAX });
  if (json.ok) return json.value;
  throw new AppError('bad_input', `${path}: cannot be read as JSON (${json.fault})`);
}
