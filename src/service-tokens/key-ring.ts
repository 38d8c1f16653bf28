import { AppError, createRefresher, isAppError } from '../kernel';
import type { Logger } from '../logging';
import { keyFileVersion, makeKeyFile, readKeyFile, type ReadKeyFile } from './key-file';
import { secretKey, type KeySet, type ServiceKey } from './key-set';
import { HMAC_KEY_BYTES_MIN } from './limits';

/** The key file is looked at again when the last look is older; well below the second that is promised. */
const KEY_FILE_AGE_MAX_MS = 500;

export interface KeyRingSettings {
  readonly keysFile: string;
  readonly secret: string | undefined;
}

/** The keys as they are now, whoever changes the file. */
export interface KeyRing {
  /** @throws AppError `misconfigured` when there is no usable key to start with; then the next call tries again. */
  current(): Promise<KeySet>;
}

/**
 * Loads the keys at first use, making the key file when there is no source of keys at all, and follows the file's
 * changes. A change for the worse is logged and not followed: a slip of the editor must not shut the gateway out.
 */
export function createKeyRing(settings: KeyRingSettings, logger: Logger): KeyRing {
  const path = settings.keysFile;
  let keys: KeySet | undefined;
  let version: string | undefined;
  let toldFault: string | undefined;

  async function loadFirst(): Promise<void> {
    const withoutKid = checkedSecret(settings.secret);
    let file = await readKeyFile(path);
    if (file === undefined && withoutKid === undefined) {
      if ((await makeKeyFile(path)) === 'made') {
        logger.info('made a key file for service tokens', { event: 'service_tokens.key_file_made', path });
      }
      file = await readKeyFile(path);
      if (file === undefined) throw new AppError('misconfigured', `SERVICE_JWT_KEYS_FILE: ${path} has gone again`);
    }
    keys = keySetOf(file, withoutKid);
    version = file?.version;
  }

  async function follow(current: KeySet): Promise<void> {
    const seen = await keyFileVersion(path);
    if (seen === version) {
      toldFault = undefined;
      return;
    }
    try {
      const file = await readKeyFile(path);
      if (file === undefined) throw new AppError('misconfigured', `SERVICE_JWT_KEYS_FILE: ${path} is no longer there`);
      keys = keySetOf(file, current.withoutKid);
      version = file.version;
      toldFault = undefined;
      logger.info('key file read again', {
        event: 'service_tokens.keys_reloaded',
        path,
        kids: file.keys.map((key) => key.kid),
      });
    } catch (error) {
      if (!isAppError(error)) throw error;
      // The version stays, so the next look reads again; the same fault is told once.
      if (toldFault === error.message) return;
      toldFault = error.message;
      logger.error('the changed key file is not usable; the old keys stay', {
        event: 'service_tokens.key_file_bad',
        error,
      });
    }
  }

  const refresher = createRefresher(KEY_FILE_AGE_MAX_MS, () => (keys === undefined ? loadFirst() : follow(keys)));

  return {
    async current() {
      await refresher.fresh();
      if (keys === undefined) throw new AppError('internal', 'the keys were not loaded');
      return keys;
    },
  };
}

function keySetOf(file: ReadKeyFile | undefined, withoutKid: ServiceKey | undefined): KeySet {
  const filed = file?.keys ?? [];
  return {
    byKid: new Map(filed.map((key) => [key.kid, key])),
    withoutKid,
    signing: filed.find((key) => key.status === 'active'),
  };
}

function checkedSecret(secret: string | undefined): ServiceKey | undefined {
  if (secret === undefined) return undefined;
  if (Buffer.byteLength(secret, 'utf8') < HMAC_KEY_BYTES_MIN) {
    throw new AppError('misconfigured', `SERVICE_JWT_SECRET must be at least ${HMAC_KEY_BYTES_MIN} bytes long`);
  }
  return secretKey(secret);
}
