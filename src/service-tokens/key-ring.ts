import { AppError, createRefresher, isAppError } from '../kernel';
import type { Logger } from '../logging';
import { keyFileFault } from './file-errors';
import { keyFileVersion, makeKeyFile, type ReadKeyFile, readKeyFile } from './key-file';
import type { KeySource, OwnKeySet, ServiceKey } from './key-set';
import { decodeSecretOfEnvironment } from './secret-of-environment';
import { createSharedRefresh } from './shared-refresh';

/** The age at which `current()` checks the key file again; well below the promised second. */
const KEY_FILE_AGE_MAX_MS = 500;

/** Tokens with an unknown kid cause an immediate refresh, at most one per interval. */
const REFRESH_INTERVAL_MS = 50;

export interface KeyRingSettings {
  readonly keysFile: string;
  readonly secret: string | undefined;
  /** Set if another issuer's tokens are accepted; Millime then needs no key of its own. */
  readonly foreign?: object | undefined;
  /** Whether a new file may replace a missing one that valid tokens need. False in production. */
  readonly mayReplaceLostFile?: boolean;
}

/** The current keys of Millime, even if another process changes the file. */
export interface KeyRing extends KeySource<OwnKeySet> {
  /**
   * Returns the keys.
   *
   * @throws AppError `misconfigured` when no usable key exists at the start; then the next call tries again.
   */
  current(): Promise<OwnKeySet>;
  /**
   * Returns the keys after a check of the file that started after the call, so that a key added just before is
   * included.
   */
  refresh(): Promise<OwnKeySet>;
  /** Returns whether the first use would create a key file, with the same errors. Creates none. */
  wouldMakeFile(): Promise<boolean>;
}

/**
 * Loads the keys at first use, and creates the key file if no source of keys exists. Follows changes of the file.
 * `lostFileFault` returns a fault if tokens need the keys of a missing file. An unusable change is logged and not
 * followed: a bad edit of the file must not lock out the gateway.
 */
export function createKeyRing(
  settings: KeyRingSettings,
  logger: Logger,
  lostFileFault: () => Promise<AppError | undefined> = async () => undefined,
): KeyRing {
  const deps: KeyRingDeps = { settings, logger, lostFileFault };
  const state: RingState = { keys: undefined, version: undefined, loggedFault: undefined, begun: 0, followed: 0 };
  const reread = async (): Promise<void> => {
    if (state.keys !== undefined) await follow(deps, state, state.keys);
  };
  const refresher = createRefresher(KEY_FILE_AGE_MAX_MS, () =>
    state.keys === undefined ? loadFirst(deps, state) : reread(),
  );
  const refreshNow = createSharedRefresh(REFRESH_INTERVAL_MS, reread);

  async function current(): Promise<OwnKeySet> {
    await refresher.fresh();
    if (state.keys === undefined) throw new AppError('internal', 'the keys were not loaded');
    return state.keys;
  }

  return {
    current,
    async refresh() {
      await refresher.fresh();
      await refreshNow();
      return current();
    },
    async wouldMakeFile() {
      if (state.keys !== undefined || hasOtherSource(settings)) return false;
      if ((await readKeyFile(settings.keysFile)) !== undefined) return false;
      return (await refuseLostFile(deps)) === undefined;
    },
  };
}

/** The keys of a ring, and the state of their file. */
interface RingState {
  keys: OwnKeySet | undefined;
  version: string | undefined;
  /** The fault of the last unusable change, so that it is logged once. */
  loggedFault: string | undefined;
  /** The number of started checks of the file, and the number of the last check whose result was used. */
  begun: number;
  followed: number;
}

interface KeyRingDeps {
  readonly settings: KeyRingSettings;
  readonly logger: Logger;
  readonly lostFileFault: () => Promise<AppError | undefined>;
}

function hasOtherSource({ secret, foreign }: KeyRingSettings): boolean {
  return secret !== undefined || foreign !== undefined;
}

async function loadFirst(deps: KeyRingDeps, state: RingState): Promise<void> {
  const { settings } = deps;
  const withoutKid = decodeSecretOfEnvironment(settings.secret);
  let file = await readKeyFile(settings.keysFile);
  if (file === undefined && !hasOtherSource(settings)) {
    file = (await refuseLostFile(deps)) ?? (await createdKeyFile(deps));
  }
  state.keys = keySetOf(file, withoutKid);
  state.version = file?.version;
}

/** Reads the file again if it has changed. An unusable change is logged and not followed. */
async function follow(
  { settings: { keysFile: path }, logger }: KeyRingDeps,
  state: RingState,
  current: OwnKeySet,
): Promise<void> {
  const turn = (state.begun += 1);
  const seen = await keyFileVersion(path);
  if (seen === state.version) {
    state.loggedFault = undefined;
    return;
  }
  try {
    const file = await readKeyFile(path);
    if (file === undefined) throw keyFileFault(path, 'is missing');
    // Two refreshes may run concurrently, and the one that started first must not undo the other's result.
    if (turn < state.followed) return;
    state.followed = turn;
    if (file.version === state.version) return;
    state.keys = keySetOf(file, current.withoutKid);
    state.version = file.version;
    state.loggedFault = undefined;
    logger.info('key file reloaded', {
      event: 'service_tokens.keys_reloaded',
      path,
      kids: file.keys.map((key) => key.kid),
    });
  } catch (error) {
    if (!isAppError(error)) throw error;
    // The version stays, so the next refresh reads the file again; the same fault is logged once.
    if (state.loggedFault === error.message) return;
    state.loggedFault = error.message;
    logger.error('changed key file refused, old keys kept', {
      event: 'service_tokens.key_file_bad',
      error,
    });
  }
}

/**
 * Refuses to replace a missing key file whose keys are needed. Another process may have created the file and a token
 * after the first check; then that file is used.
 */
async function refuseLostFile({ settings, logger, lostFileFault }: KeyRingDeps): Promise<ReadKeyFile | undefined> {
  const fault = await lostFileFault();
  if (fault === undefined) return undefined;
  const file = await readKeyFile(settings.keysFile);
  if (file !== undefined) return file;
  // The gateway treats a 403 as final, so no answer is better than refusing its tokens.
  if (settings.mayReplaceLostFile !== true) throw fault;
  logger.error('key file lost, new one created', {
    event: 'service_tokens.keys_lost',
    fault: fault.message,
  });
  return undefined;
}

async function createdKeyFile({ settings: { keysFile: path }, logger }: KeyRingDeps): Promise<ReadKeyFile> {
  if ((await makeKeyFile(path)) === 'made') {
    logger.info('key file created', { event: 'service_tokens.key_file_made', path });
  }
  const file = await readKeyFile(path);
  if (file === undefined) throw keyFileFault(path, 'was removed after it was created');
  return file;
}

function keySetOf(file: ReadKeyFile | undefined, withoutKid: readonly ServiceKey[]): OwnKeySet {
  const filed = file?.keys ?? [];
  return {
    byKid: new Map(filed.map((key) => [key.kid, key])),
    withoutKid,
    signing: filed.flatMap(({ signing }) => (signing === undefined ? [] : [signing])),
  };
}
