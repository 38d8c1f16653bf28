import { detail, numberError } from './answers';
import type { SimAnswer, SimOperation, SimRequest } from './operation';
import type { SimulatorSettings } from './settings';

/**
 * Refuses a call without the credential of its operation (interface section 5). The interface shows this refusal only
 * for QR operations; the others answer 401 with `detail`.
 */
export function refuseUnauthorized(
  { auth }: SimOperation,
  { headers }: SimRequest,
  { publicKey, privateKey, apiKey }: SimulatorSettings,
): SimAnswer | undefined {
  const given = headers.authorization ?? '';
  if (auth === 'session') return undefined;
  if (auth === 'api_key') return given === `Api-Key ${apiKey}` ? undefined : numberError(403, 'Forbidden');
  return given === `Bearer ${publicKey}:${privateKey}`
    ? undefined
    : detail(401, 'Authentication credentials were not provided or are not valid.');
}
