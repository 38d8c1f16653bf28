import { GatewayError } from '../gateway-error';

/**
 * Copies the caller's input and reads each own field once. The caller may change the input during the call, and the
 * answer must be compared with the values that were sent. Returns a value that is not an object unchanged, for the
 * operation's own check.
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
