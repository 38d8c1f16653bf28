import { createSecretKey } from 'node:crypto';
import { AppError } from '../kernel';
import { secretFault } from './key-material';
import type { ServiceKey } from './key-set';

/**
 * Decodes the key of SERVICE_JWT_SECRET, which consists of the bytes of the text; returns none if it is not set.
 *
 * @throws AppError `misconfigured`, one line that names the variable and does not show it.
 */
export function decodeSecretOfEnvironment(secret: string | undefined): readonly ServiceKey[] {
  if (secret === undefined) return [];
  const bytes = Buffer.from(secret, 'utf8');
  const fault = secretFault(bytes, 'create one with "openssl rand -hex 32"');
  if (fault !== undefined) throw new AppError('misconfigured', { field: 'SERVICE_JWT_SECRET', fault });
  return [{ kid: undefined, alg: 'HS256', verifies: createSecretKey(bytes) }];
}
