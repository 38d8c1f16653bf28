import type { Database } from '../db';
import type { Actor } from '../identity';
import type { Clock } from '../kernel';
import type { Logger } from '../logging';
import { createKeyRing } from './key-ring';
import { listTokens } from './list-tokens';
import { mintToken, planMint, type FreshToken, type MintCommand, type MintPlan } from './mint-token';
import type { ListedToken } from './minted-token';
import { createRevocations } from './revocations';
import { revokeToken, type RevokeOptions, type RevokeOutcome } from './revoke-token';
import { verifyToken, type VerifiedToken } from './verify-token';

export type { FreshToken, MintCommand, MintPlan } from './mint-token';
export type { ListedToken, MintedToken } from './minted-token';
export type { RevokeOptions, RevokeOutcome } from './revoke-token';
export type { VerifiedToken } from './verify-token';

export interface ServiceTokensDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: {
    readonly keysFile: string;
    /** Verifies tokens without `kid` and never signs. */
    readonly secret: string | undefined;
    readonly issuer: string;
    readonly audience: string;
  };
}

/** The desk that makes the gateway's tokens, and the guard that checks them. */
export interface ServiceTokens {
  /**
   * Loads the keys, and makes the key file when there is no source of keys. A server calls it before it listens; the
   * other calls do it by themselves.
   *
   * @throws AppError `misconfigured`, one line that names the variable and no secret.
   */
  start(): Promise<void>;
  /**
   * Reads an Authorization header. Undefined means 403, for whatever reason.
   *
   * @throws AppError `unavailable` when the token is good but its revocation cannot be checked.
   */
  verify(authorizationHeader: string | undefined): Promise<VerifiedToken | undefined>;
  /** @throws AppError `bad_input`, or `misconfigured` when there is no key to sign with. */
  mint(command: MintCommand): Promise<FreshToken>;
  /** What `mint` would make; fails as it would, and makes no token. */
  planMint(command: MintCommand): Promise<MintPlan>;
  list(): Promise<ListedToken[]>;
  /** Revokes for good. Twice changes nothing. @throws AppError `bad_input`. */
  revoke(jti: string, actor: Actor, options?: RevokeOptions): Promise<RevokeOutcome>;
}

export function createServiceTokens({ database, clock, logger, settings }: ServiceTokensDeps): ServiceTokens {
  const { issuer, audience } = settings;
  const deps = {
    database,
    clock,
    logger,
    expected: { issuer, audience },
    keyRing: createKeyRing(settings, logger),
    revocations: createRevocations(database),
  };
  return {
    async start() {
      await deps.keyRing.current();
    },
    verify: (authorizationHeader) => verifyToken(deps, authorizationHeader),
    mint: (command) => mintToken(deps, command),
    planMint: (command) => planMint(deps, command),
    list: () => listTokens(deps),
    revoke: (jti, actor, options) => revokeToken(deps, jti, actor, options),
  };
}
