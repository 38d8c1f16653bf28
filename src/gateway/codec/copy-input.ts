import { GatewayError } from '../gateway-error';

/**
 * Copies the caller's input and reads its own fields once: the caller may change it while the call waits, and the answer
 * is compared with what was sent. Anything but an object is returned unchanged, for the operation's own check.
 *
 * @throws GatewayError `validation` when a field cannot be read (a getter or a proxy that throws).
 */
export function copyInput<Input>(operation: string, input: Input): Input {
  if (typeof input !== 'object' || input === null) return input;
  try {
    return Array.isArray(input) ? input : { ...input };
  } catch {
    const fields = { arguments: ['cannot be read'] };
    throw new GatewayError('validation', 'the arguments cannot be read', { operation, fields });
  }
}
