import type { ClientSettings } from './client-options';
import { GatewayError } from './gateway-error';
import type { Operation } from './operation';

export interface Credential {
  /** The value of the header Authorization. */
  readonly authorization: string;
  /** Takes every secret that the request carries out of a text: a gateway may echo in its error what it was sent. */
  readonly hide: (text: string) => string;
}

/**
 * The credential of one call (interface section 5).
 *
 * @throws GatewayError `authentication` when the client was made without it.
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
  // As they are, and as a server shows the header or an address in other spellings. The longest first, so that what one
  // secret leaves of another that holds it does not stay.
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, '[hidden]'), text);
}
