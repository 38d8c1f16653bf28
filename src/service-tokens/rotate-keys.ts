import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Actor, openAuditTrail, requireScope } from '../identity';
import { AppError, isAppError, systemCodeOf } from '../kernel';
import { keyFileFault } from './file-errors';
import { acquireLock, type FileLock } from './file-lock';
import { checkedKeys, makeKeyFile, type ReadKeyFile, readKeyFile } from './key-file';
import { rotatedKeyFileText } from './key-file-text';
import type { KeyAlgorithm } from './key-set';
import { makeKey } from './new-key';
import { replaceKeyFile, resolveKeyFile } from './replace-key-file';
import { openServiceTokenStore } from './service-token-store';
import { removeStaleTempFiles } from './stale-temp-files';
import type { TokenDeps } from './token-deps';

export interface RotateCommand {
  readonly alg: KeyAlgorithm;
  /** Also removes the keys whose last token has expired. */
  readonly retire: boolean;
  readonly actor: Actor;
  /** Returns the planned rotation and changes nothing. */
  readonly dryRun?: boolean;
}

/** The result of a rotation, or of a dry run. */
export interface Rotation {
  /** The new key; undefined in a dry run, which creates none. */
  readonly kid: string | undefined;
  readonly alg: KeyAlgorithm;
  /** The keys that only verify from now on, in the order of the file. */
  readonly verifyOnly: readonly string[];
  /** The removed keys. */
  readonly retired: readonly string[];
}

type RotateDeps = Pick<TokenDeps, 'database' | 'clock' | 'logger' | 'keysFile'>;

/**
 * Puts a new key first in the key file. Earlier tokens stay valid until they expire, because previously active keys
 * still verify. Every server follows the file within a second, and immediately when a token with the new kid arrives.
 *
 * @throws AppError `conflict` when another process changes the file concurrently, or `misconfigured` when the file is
 * unusable.
 */
export async function rotateKeys(deps: RotateDeps, command: RotateCommand): Promise<Rotation> {
  const { alg, actor, dryRun = false } = command;
  requireScope(actor, 'tokens:manage');
  const path = await resolveKeyFile(deps.keysFile);
  if (dryRun) return planRotation(deps, command, await readKeyFile(path));

  const key = await makeKey(alg); // before the lock, because creating an RSA key can take a second
  const lock = await lockBeside(path);
  try {
    await removeStaleTempFiles(path);
    const file = await readKeyFile(path);
    const rotation = { ...(await planRotation(deps, command, file)), kid: key.kid };
    // Recorded before the file changes. A record of a failed rotation is better than a signing key without a record.
    const text = file && rotatedKeyFileText(file.text, key.entry, new Set(rotation.retired));
    if (text !== undefined) checkedKeys(path, text); // refuses an oversized file before anything is recorded
    await recordRotation(deps, 'token.rotation_begun', rotation, actor);
    if (file !== undefined && text !== undefined) {
      await replaceKeyFile(path, file, text, lock);
    } else if ((await makeKeyFile(path, key)) === 'found') {
      throw new AppError('file_changed', { path });
    }
    deps.logger.info('service token keys rotated', {
      event: 'service_tokens.rotated',
      ...rotation,
      recordedBy: actor.name,
    });
    await recordRotation(deps, 'token.rotated', rotation, actor);
    return rotation;
  } finally {
    await lock.release();
  }
}

async function recordRotation(
  { database, clock }: RotateDeps,
  action: 'token.rotation_begun' | 'token.rotated',
  { kid, alg, retired }: Rotation & { readonly kid: string },
  actor: Actor,
): Promise<void> {
  await database.transact((session) =>
    openAuditTrail(session).record({
      at: clock.now(),
      actor,
      action,
      subject: `token_key:${kid}`,
      detail: { alg, retired: retired.join(' ') },
    }),
  );
}

async function lockBeside(path: string): Promise<FileLock> {
  try {
    await mkdir(dirname(path), { recursive: true }); // the folder may not exist before the first start
    return await acquireLock(`${path}.lock`);
  } catch (error) {
    throw isAppError(error) ? error : keyFileFault(path, `cannot be locked (${systemCodeOf(error)})`, error);
  }
}

async function planRotation(
  { database, clock }: RotateDeps,
  { alg, retire }: RotateCommand,
  file: ReadKeyFile | undefined,
): Promise<Rotation> {
  const keys = file?.keys ?? [];
  const inUse = retire
    ? await database.read((session) => openServiceTokenStore(session).lastExpiries(clock.now()))
    : undefined;
  // A public key stays: it verifies tokens of another issuer, which are not in the table.
  const retired = keys.filter(
    ({ kid, status, isSecret }) => status === 'verify_only' && isSecret && inUse?.has(kid) === false,
  );
  return {
    kid: undefined,
    alg,
    verifyOnly: keys.filter((key) => !retired.includes(key)).map(({ kid }) => kid),
    retired: retired.map(({ kid }) => kid),
  };
}
