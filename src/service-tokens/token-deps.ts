import type { Database } from '../db';
import type { Clock } from '../kernel';
import type { Logger } from '../logging';
import type { ClaimsExpected } from './claims';
import type { KeyRing } from './key-ring';
import type { KeySource } from './key-set';
import type { KnownSignatures } from './known-signatures';
import type { Revocations } from './revocations';

/** The dependencies of the use cases; each takes a part of them. */
export interface TokenDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expected: ClaimsExpected;
  /** The accepted issuers, each with its own keys: a key of one never verifies a token of another. */
  readonly issuers: ReadonlyMap<string, KeySource>;
  readonly keyRing: KeyRing;
  readonly keysFile: string;
  readonly hasSecret: boolean;
  readonly foreignKeys: KeySource | undefined;
  readonly revocations: Revocations;
  readonly signatures: KnownSignatures;
}

export type ExpiryDeps = Pick<TokenDeps, 'database' | 'clock' | 'logger' | 'keyRing'>;
