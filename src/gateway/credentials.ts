import type { ClientSettings } from './client-options';
import { GatewayError } from './gateway-error';
import type { Operation } from './operation';

export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization: string;
  /** Removes every secret of the request from a text, because the gateway may echo the request in an error. */
  readonly hide: (text: string) => string;
}

/**
 * Returns the credential of one call (interface section 5).
 *
 * @throws GatewayError `authentication` when the client was created without it.
 */
export function credentialFor<Input>(
  settings: ClientSettings,
  { auth, name }: Operation<Input, unknown>,
  input: Input,
): Credential {
  if (typeof auth === 'object') {
    const token = auth.bearer(input);
    return { authorization: `Bearer ${token}`, hide: hider([...secretsOf(settings), token]) };
  }
  const secret = auth === 'app' ? settings.appCredential : settings.apiKey;
  if (secret === undefined) {
    const missing = auth === 'app' ? 'publicKey and privateKey' : 'apiKey';
    throw new GatewayError('authentication', `the client has no ${missing}`, { operation: name });
  }
  return { authorization: `${auth === 'app' ? 'Bearer' : 'Api-Key'} ${secret}`, hide: hider(secretsOf(settings)) };
}

function secretsOf({ appCredential, apiKey }: ClientSettings): readonly string[] {
  return [appCredential, ...(appCredential?.split(':') ?? []), apiKey].filter((text) => text !== undefined);
}

function hider(secrets: readonly string[]): (text: string) => string {
  // Secrets appear plain, or encoded as servers print headers and addresses. The longest goes first: if one secret
  // contains another, hiding the shorter one first would leave the rest readable.
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, '[hidden]'), text);
}
