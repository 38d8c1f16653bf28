import { DAY_MS, formatInstant, type Instant, type Notice } from '../kernel';
import { openServiceTokenStore } from './service-token-store';
import type { ExpiryDeps } from './token-deps';

/** How long before the last token expires the warnings begin (open point 94). */
const WARNING_MS = 7 * DAY_MS;

/** Until when the gateway can call Millime with minted tokens. */
export type TokenExpiry =
  | { readonly state: 'ok' | 'expiring'; readonly expiresAt: Instant }
  /** Tokens were minted, but none is valid now. */
  | { readonly state: 'expired' }
  | { readonly state: 'never_minted' };

/** Finds the token with the latest expiry that is not expired, not revoked, and whose key is still in the file. */
export async function tokenExpiry({ database, clock, keyRing }: ExpiryDeps): Promise<TokenExpiry> {
  const { byKid } = await keyRing.refresh();
  const now = clock.now();
  const { lastExpiries, hasMinted } = await database.read(
    async (session) => {
      const store = openServiceTokenStore(session);
      return { lastExpiries: await store.lastExpiries(now), hasMinted: await store.hasMinted() };
    },
    { snapshot: true },
  );
  const usable = [...lastExpiries].flatMap(([kid, expiresAt]) => (byKid.has(kid) ? [expiresAt] : []));
  if (usable.length === 0) return { state: hasMinted ? 'expired' : 'never_minted' };
  const expiresAt = Math.max(...usable);
  return { state: expiresAt - now <= WARNING_MS ? 'expiring' : 'ok', expiresAt };
}

/** Returns the warning for a state as one line for the reader of `instantText`; undefined if none is needed. */
export function expiryWarning(expiry: TokenExpiry, instantText: (instant: Instant) => string): Notice | undefined {
  const command = 'run "millime token mint"';
  if (expiry.state === 'expired') return { text: 'the gateway has no valid token', command };
  if (expiry.state !== 'expiring') return undefined;
  return { text: `the last token of the gateway expires at ${instantText(expiry.expiresAt)}`, command };
}

/** Logs a warning if the gateway will soon have no valid token. Logs nothing before the first token is minted. */
export async function warnOfExpiry(deps: ExpiryDeps): Promise<void> {
  const expiry = await tokenExpiry(deps);
  if (expiry.state !== 'expiring' && expiry.state !== 'expired') return;
  const isExpired = expiry.state === 'expired';
  deps.logger.warn(isExpired ? 'gateway has no valid token' : 'last token of the gateway expires soon', {
    event: 'service_tokens.expiring',
    state: expiry.state,
    ...(isExpired ? {} : { expiresAt: formatInstant(expiry.expiresAt) }),
  });
}
