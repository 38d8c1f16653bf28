import type { Database } from '../db';
import type { Actor } from '../identity';
import type { Clock, Page } from '../kernel';
import type { Logger } from '../logging';
import { type DiagnoseOptions, diagnoseTokens, type TokenDiagnosis } from './diagnose';
import { createForeignKeys } from './foreign-keys';
import { createKeyRing } from './key-ring';
import type { KeySource } from './key-set';
import { KnownSignatures } from './known-signatures';
import { listTokens, type TokenKey, type TokenQuery } from './list-tokens';
import { lostKeyFileFault } from './lost-key-file';
import { type FreshToken, type MintCommand, type MintPlan, mintToken, planMint } from './mint-token';
import type { ListedToken } from './minted-token';
import { createRevocations } from './revocations';
import { type RevokeOptions, type RevokeOutcome, revokeToken } from './revoke-token';
import { type RotateCommand, rotateKeys, type Rotation } from './rotate-keys';
import type { TokenDeps } from './token-deps';
import { type TokenExpiry, tokenExpiry, warnOfExpiry } from './token-expiry';
import { type VerifiedToken, type VerifyOptions, verifyToken } from './verify-token';

export { putDurableFile, temporaryName, unlinkIfThere } from './durable-file';
export { placeKeyFile, readKeyFile } from './key-file';
export type { TokenDiagnosis } from './diagnose';
export { isKeyAlgorithm, KEY_ALGORITHMS, type KeyAlgorithm } from './key-set';
export type { FreshToken, MintCommand, MintPlan } from './mint-token';
export type { TokenKey, TokenQuery } from './list-tokens';
export type { ListedToken } from './minted-token';
export type { RevokeOptions, RevokeOutcome } from './revoke-token';
export type { RotateCommand, Rotation } from './rotate-keys';
export type { TokenExpiry } from './token-expiry';
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
    /** A foreign issuer whose tokens are also accepted, verified with its published keys. */
    readonly foreign: { readonly issuer: string; readonly jwksUrl: URL } | undefined;
    /** Whether Millime may create a new key file for a lost one that valid tokens need. False in production. */
    readonly mayReplaceLostFile?: boolean;
  };
}

/** Mints, revokes and verifies the gateway's tokens. */
export interface ServiceTokens {
  /**
   * Loads the keys, and creates the key file if no source of keys exists. A server calls it before it listens; the
   * other calls do it automatically.
   *
   * @throws AppError `misconfigured`, one line that names the variable and no secret; also when the key file is missing
   * and valid tokens need it.
   */
  start(): Promise<void>;
  /**
   * Verifies an Authorization header. Undefined means 403, whatever the reason.
   *
   * @throws AppError `unavailable` when the token is valid but its revocation cannot be checked, or when it is from the
   * foreign issuer and its keys cannot be fetched.
   */
  verify(authorizationHeader: string | undefined, options?: VerifyOptions): Promise<VerifiedToken | undefined>;
  /**
   * Mints a token.
   *
   * @throws AppError `bad_input`, also when no active key has the algorithm; `misconfigured` when no key can sign.
   */
  mint(command: MintCommand): Promise<FreshToken>;
  /** Returns the token that `mint` would create, with the same errors, and creates nothing. */
  planMint(command: MintCommand): Promise<MintPlan>;
  /**
   * Creates a new key, which signs from now on. Earlier tokens stay valid.
   *
   * @throws AppError `conflict` when another process changes the key file concurrently; `misconfigured`.
   */
  rotate(command: RotateCommand): Promise<Rotation>;
  /** Returns the instant until which the gateway has a valid token. */
  expiry(): Promise<TokenExpiry>;
  /** Logs a warning from seven days before the last valid token expires. */
  warnOfExpiry(): Promise<void>;
  /** Returns what `doctor` reports about keys and tokens. Changes nothing. */
  diagnose(options: DiagnoseOptions): Promise<TokenDiagnosis>;
  /** Returns a page of the minted tokens, newest first, then of the revoked tokens of other issuers. */
  list(query: TokenQuery): Promise<Page<ListedToken, TokenKey>>;
  /**
   * Revokes a token permanently; a repeat changes nothing.
   *
   * @throws AppError `bad_input`.
   */
  revoke(jti: string, actor: Actor, options?: RevokeOptions): Promise<RevokeOutcome>;
}

export function createServiceTokens({ database, clock, logger, settings }: ServiceTokensDeps): ServiceTokens {
  const { issuer, audience, foreign, keysFile, secret } = settings;
  const keyRing = createKeyRing(settings, logger, () => lostKeyFileFault({ database, clock, keysFile }));
  const foreignKeys = foreign === undefined ? undefined : createForeignKeys(foreign.jwksUrl, logger);
  const issuers = new Map<string, KeySource>([[issuer, keyRing]]);
  if (foreign !== undefined && foreignKeys !== undefined) issuers.set(foreign.issuer, foreignKeys);
  const deps: TokenDeps = {
    database,
    clock,
    logger,
    expected: { issuer, audience },
    issuers,
    keyRing,
    keysFile,
    hasSecret: secret !== undefined,
    foreignKeys,
    revocations: createRevocations(database),
    signatures: new KnownSignatures(),
  };
  return {
    async start() {
      await keyRing.current();
      // Fetched early, so that the first call need not wait. Millime's own tokens do not need these keys, and a failure
      // is logged.
      foreignKeys?.current().catch(() => undefined);
    },
    verify: (authorizationHeader, options) => verifyToken(deps, authorizationHeader, options),
    mint: (command) => mintToken(deps, command),
    planMint: (command) => planMint(deps, command),
    rotate: (command) => rotateKeys(deps, command),
    expiry: () => tokenExpiry(deps),
    warnOfExpiry: () => warnOfExpiry(deps),
    diagnose: (options) => diagnoseTokens(deps, options),
    list: (query) => listTokens(deps, query),
    revoke: (jti, actor, options) => revokeToken(deps, jti, actor, options),
  };
}
