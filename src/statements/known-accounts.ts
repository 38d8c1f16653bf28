import { accountKey, keyFault } from '../kernel';

/** The bank accounts of stored statements, and what people decided about their names. */
export interface KnownAccounts {
  /** The names under which statements are stored, oldest first. */
  readonly stored: readonly string[];
  /** The account of each name that a person joined to one, or accepted as one. */
  readonly decided: ReadonlyMap<string, string>;
}

/**
 * Returns the account of a canonical name. A decision of a person counts first. Otherwise an account keeps the name of
 * its first statement, because stored rows never change: older versions stored a RIB with separators, with its holder or
 * as its IBAN. Pure.
 */
export function accountOf(name: string, { stored, decided }: KnownAccounts): string {
  const found = decided.get(name);
  if (found !== undefined) return found;
  const other = stored.includes(name) ? name : stored.find((each) => accountKey(each) === name);
  return other === undefined ? name : (decided.get(other) ?? other);
}

/** Returns the name that a person means: one that is stored as typed, or the canonical name. Pure. */
export function typedName(text: string, { stored }: Pick<KnownAccounts, 'stored'>): string {
  const typed = text.replace(/\s+/gu, '');
  return stored.includes(typed) ? typed : accountKey(text);
}

/** Returns the account that a person names in any form. Pure. */
export function findAccount(text: string, known: KnownAccounts): string {
  return accountOf(typedName(text, known), known);
}

/** Returns the names under which the statements of an account are stored, its own first. Pure. */
export function namesOf(account: string, { decided }: Pick<KnownAccounts, 'decided'>): string[] {
  const joined = [...decided].filter(([name, to]) => to === account && name !== account).map(([name]) => name);
  return [account, ...joined.sort()];
}

/**
 * Returns the first of these accounts that a person must confirm: a new one whose number cannot be right, although
 * another account exists. Pure.
 */
export function unprovenAccount(accounts: readonly string[], { stored, decided }: KnownAccounts): string | undefined {
  const isKnown = (account: string): boolean => stored.includes(account) || decided.has(account);
  const fresh = [...new Set(accounts)].filter((account) => !isKnown(account));
  // The first account of an installation needs no question.
  const asked = stored.length === 0 ? fresh.slice(1) : fresh;
  return asked.find((account) => keyFault(account) !== undefined);
}
