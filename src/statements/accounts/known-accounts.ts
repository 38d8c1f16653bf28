import { accountKey } from '../reading/account-name';

/** The bank accounts of stored statements. */
export interface KnownAccounts {
  /** The names under which statements are stored, oldest first. */
  readonly stored: readonly string[];
}

/**
 * Returns the account of a canonical name. An account keeps the name of its first statement, because stored rows never
 * change: older versions stored a RIB with separators, with its holder or as its IBAN. Pure.
 */
export function accountOf(name: string, { stored }: KnownAccounts): string {
  if (stored.includes(name)) return name;
  return stored.find((other) => accountKey(other) === name) ?? name;
}
