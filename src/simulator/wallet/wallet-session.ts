import { detail } from '../core/answers';
import { FieldCheck } from '../core/field-check';
import type { SimAnswer, SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { namedWallet } from './named-wallet';
import type { SimWalletSession } from './wallet-state';

const TOKEN_LIFE_SECS = 300;
const REFRESH_LIFE_MS = 86_400_000;
const BEARER = 'Bearer ';

/** Authenticate Session (interface section 4.3): starts a short session of a linked wallet. */
export const authenticate: SimOperation = {
  name: 'wallet.authenticate',
  method: 'POST',
  path: '/api/accounts/authenticate',
  auth: 'api_key',
  answer(simulation, request) {
    const named = namedWallet(simulation, FieldCheck.ofBody(request));
    if (named.kind === 'refused') return named.answer;
    const { sessions } = simulation.world.wallet;
    dropExpired(simulation);
    const session: SimWalletSession = {
      refreshToken: simulation.newId('refresh_'),
      trackingId: named.wallet.trackingId,
      refreshExpiresAt: simulation.now() + REFRESH_LIFE_MS,
      ...newToken(simulation),
    };
    sessions[session.refreshToken] = session;
    const { token, refreshToken } = session;
    return {
      status: 200,
      body: { success: true, token, expires_in: TOKEN_LIFE_SECS, refresh_token: refreshToken },
    };
  },
};

/** Refresh Session: returns a new token for the same refresh token, whose expiry does not change (open point 68). */
export const refresh: SimOperation = {
  name: 'wallet.refresh',
  method: 'GET',
  path: '/api/accounts/authenticate/refresh',
  auth: 'session',
  answer(simulation, { headers }): SimAnswer {
    const given = headers.authorization ?? '';
    const refreshToken = given.startsWith(BEARER) ? given.slice(BEARER.length) : '';
    const { sessions } = simulation.world.wallet;
    const session = Object.hasOwn(sessions, refreshToken) ? sessions[refreshToken] : undefined;
    if (session === undefined || simulation.now() >= session.refreshExpiresAt) {
      return detail(401, 'The refresh token is not valid or has expired.');
    }
    Object.assign(session, newToken(simulation));
    return { status: 200, body: { success: true, token: session.token, expires_in: TOKEN_LIFE_SECS } };
  },
};

function newToken(simulation: Simulation): Pick<SimWalletSession, 'token' | 'tokenExpiresAt'> {
  return { token: simulation.newId('session_'), tokenExpiresAt: simulation.now() + TOKEN_LIFE_SECS * 1_000 };
}

/** Removes expired sessions, so that a world that runs for months does not grow. */
function dropExpired(simulation: Simulation): void {
  const { sessions } = simulation.world.wallet;
  for (const { refreshToken, refreshExpiresAt } of Object.values(sessions)) {
    if (simulation.now() >= refreshExpiresAt) Reflect.deleteProperty(sessions, refreshToken);
  }
}
