import { existsSync } from 'node:fs';
import { type Instant, isAppError, type Notice } from '../kernel';
import { keyFileFault } from './file-errors';
import { lostKeyFileFault } from './lost-key-file';
import { findStaleTempFiles } from './stale-temp-files';
import type { ExpiryDeps, TokenDeps } from './token-deps';
import { expiryWarning, type TokenExpiry, tokenExpiry } from './token-expiry';

/** What an operator should know about the tokens of an installation. */
export interface TokenDiagnosis {
  /** Faults that stop the service from working. */
  readonly problems: readonly Notice[];
  /** Faults that will stop it soon, or affect only some callers. */
  readonly warnings: readonly Notice[];
  /** When the last valid token expires; undefined when no token is valid, or it is unknown. */
  readonly expiresAt: Instant | undefined;
}

type DiagnoseDeps = ExpiryDeps & Pick<TokenDeps, 'keysFile' | 'hasSecret' | 'foreignKeys'>;

export interface DiagnoseOptions {
  readonly isDatabaseReady: boolean;
  /** Formats the instants in the sentences for their reader. */
  readonly instantText: (instant: Instant) => string;
}

/** Checks the keys and the tokens and changes nothing: it creates no missing key file. */
export async function diagnoseTokens(
  deps: DiagnoseDeps,
  { isDatabaseReady, instantText }: DiagnoseOptions,
): Promise<TokenDiagnosis> {
  const { keysFile, hasSecret, keyRing, foreignKeys } = deps;
  const warnings: Notice[] = [];
  const foreignFault = await faultOf(async () => foreignKeys?.current());
  if (foreignFault !== undefined) warnings.push(foreignFault);
  for (const leftover of await findStaleTempFiles(keysFile)) {
    warnings.push({ text: `${leftover} holds secret keys of an ended process; the next rotation removes it` });
  }
  const hasOtherSource = hasSecret || foreignKeys !== undefined;
  const fault = existsSync(keysFile)
    ? await faultOf(() => keyRing.current())
    : await missingFileFault(deps, isDatabaseReady, hasOtherSource);
  if (fault !== undefined) return { problems: [fault], warnings, expiresAt: undefined };
  if (!isDatabaseReady) return { problems: [], warnings, expiresAt: undefined };

  const expiry = await tokenExpiry(deps);
  const warning = expiryWarning(expiry, instantText) ?? neverMinted(expiry, hasOtherSource);
  if (warning !== undefined) warnings.push(warning);
  return { problems: [], warnings, expiresAt: 'expiresAt' in expiry ? expiry.expiresAt : undefined };
}

async function missingFileFault(
  deps: DiagnoseDeps,
  isDatabaseReady: boolean,
  hasOtherSource: boolean,
): Promise<Notice | undefined> {
  // A running server continues with its loaded keys, but a restarted one would not have them.
  const lost = isDatabaseReady ? await lostKeyFileFault(deps) : undefined;
  if (lost !== undefined || hasOtherSource) return lost?.notice;
  return keyFileFault(deps.keysFile, { text: 'does not exist yet', command: '"millime serve" creates it' }).notice;
}

function neverMinted({ state }: TokenExpiry, hasOtherSource: boolean): Notice | undefined {
  if (state !== 'never_minted' || hasOtherSource) return undefined;
  return { text: 'the gateway has no token yet', command: 'run "millime token mint"' };
}

async function faultOf(work: () => Promise<unknown>): Promise<Notice | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isAppError(error)) return error.notice;
    throw error;
  }
}
