import { AppError, createRefresher, isAppError } from '../kernel';
import type { Logger } from '../logging';
import { keyFileFault } from './file-errors';
import { keyFileVersion, makeKeyFile, type ReadKeyFile, readKeyFile } from './key-file';
import type { KeySource, OwnKeySet, ServiceKey } from './key-set';
import { decodeSecretOfEnvironment } from './secret-of-environment';
import { createSharedRefresh } from './shared-refresh';

/** Age after which `current()` checks the key file again; well below the promised second. */
const KEY_FILE_AGE_MAX_MS = 500;

/** Tokens with an unknown kid cause an immediate refresh, at most one per interval. */
const REFRESH_INTERVAL_MS = 50;

export interface KeyRingSettings {
  readonly keysFile: string;
  readonly secret: string | undefined;
  /** Set when another issuer's tokens are accepted; then Millime needs no key of its own. */
  readonly foreign?: object | undefined;
  /** Whether a new file may replace a missing one although tokens need its keys. Not in production. */
  readonly mayReplaceLostFile?: boolean;
}

/** Millime's own keys as they are now, even if another process changes the file. */
export interface KeyRing extends KeySource<OwnKeySet> {
  /** @throws AppError `misconfigured` when no usable key exists at the start; then the next call tries again. */
  current(): Promise<OwnKeySet>;
  /** Returns the keys after a check of the file that began after the call, so that a key added just before is included. */
  refresh(): Promise<OwnKeySet>;
  /** Returns whether the first use would create a key file. Creates none, and fails as the first use would. */
  wouldMakeFile(): Promise<boolean>;
}

/**
 * Loads the keys at first use, creating the key file when no source of keys exists, and follows the file's changes.
 * `lostFileFault` reports when tokens need the keys of a missing file. An unusable change is logged and not followed: a bad
 * edit of the file must not lock out the gateway.
 */
export function createKeyRing(
  settings: KeyRingSettings,
  logger: Logger,
  lostFileFault: () => Promise<AppError | undefined> = async () => undefined,
): KeyRing {
  const path = settings.keysFile;
  const hasOtherSource = settings.secret !== undefined || settings.foreign !== undefined;
  let keys: OwnKeySet | undefined;
  let version: string | undefined;
  let loggedFault: string | undefined;
  let begun = 0;
  let followed = 0;

  /** Another process may have created the file and a token after the first check; then that file is used. */
  async function refuseLostFile(): Promise<ReadKeyFile | undefined> {
    const fault = await lostFileFault();
    if (fault === undefined) return undefined;
    const file = await readKeyFile(path);
    if (file !== undefined) return file;
    // The gateway treats 403 as final, so no answer is better than that.
    if (settings.mayReplaceLostFile !== true) throw fault;
    logger.error('key file lost, new one created', {
      event: 'service_tokens.keys_lost',
      fault: fault.message,
    });
    return undefined;
  }

  async function loadFirst(): Promise<void> {
    const withoutKid = decodeSecretOfEnvironment(settings.secret);
    let file = await readKeyFile(path);
    if (file === undefined && !hasOtherSource) file = await refuseLostFile();
    if (file === undefined && !hasOtherSource) {
      if ((await makeKeyFile(path)) === 'made') {
        logger.info('key file created', { event: 'service_tokens.key_file_made', path });
      }
      file = await readKeyFile(path);
      if (file === undefined) throw keyFileFault(path, 'was removed after it was created');
    }
    keys = keySetOf(file, withoutKid);
    version = file?.version;
  }

  async function follow(current: OwnKeySet): Promise<void> {
    const turn = (begun += 1);
    const seen = await keyFileVersion(path);
    if (seen === version) {
      loggedFault = undefined;
      return;
    }
    try {
      const file = await readKeyFile(path);
      if (file === undefined) throw keyFileFault(path, 'is missing');
      // Two refreshes may run concurrently: the one that began first must not undo the result of the other.
      if (turn < followed) return;
      followed = turn;
      if (file.version === version) return;
      keys = keySetOf(file, current.withoutKid);
      version = file.version;
      loggedFault = undefined;
      logger.info('key file reloaded', {
        event: 'service_tokens.keys_reloaded',
        path,
        kids: file.keys.map((key) => key.kid),
      });
    } catch (error) {
      if (!isAppError(error)) throw error;
      // The version stays, so the next refresh reads again; the same fault is logged once.
      if (loggedFault === error.message) return;
      loggedFault = error.message;
      logger.error('changed key file refused, old keys kept', {
        event: 'service_tokens.key_file_bad',
        error,
      });
    }
  }

  async function rereadFile(): Promise<void> {
    if (keys !== undefined) await follow(keys);
  }

  const refresher = createRefresher(KEY_FILE_AGE_MAX_MS, () => (keys === undefined ? loadFirst() : rereadFile()));
  const refreshNow = createSharedRefresh(REFRESH_INTERVAL_MS, rereadFile);

  async function current(): Promise<OwnKeySet> {
    await refresher.fresh();
    if (keys === undefined) throw new AppError('internal', 'the keys were not loaded');
    return keys;
  }

  return {
    current,
    async refresh() {
      await refresher.fresh();
      await refreshNow();
      return current();
    },
    async wouldMakeFile() {
      if (keys !== undefined || hasOtherSource || (await readKeyFile(path)) !== undefined) return false;
      return (await refuseLostFile()) === undefined;
    },
  };
}

function keySetOf(file: ReadKeyFile | undefined, withoutKid: readonly ServiceKey[]): OwnKeySet {
  const filed = file?.keys ?? [];
  return {
    byKid: new Map(filed.map((key) => [key.kid, key])),
    withoutKid,
    signing: filed.flatMap(({ signing }) => (signing === undefined ? [] : [signing])),
  };
}
