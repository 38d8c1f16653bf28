/** hledger's letters for the types of accounts: asset, liability, equity, revenue, expense. */
type AccountTypeLetter = 'A' | 'L' | 'E' | 'R' | 'X';

// The chart belongs to the ledger module, which this one does not import; a test compares the two.
const TYPE_OF_KIND: Readonly<Record<string, AccountTypeLetter>> = {
  agent_receivable: 'A',
  gateway_clearing: 'A',
  bank: 'A',
  bank_unmatched: 'L',
  bank_other: 'E',
  gateway_fees: 'X',
  gateway_fees_tva: 'X',
  dues_assessed: 'R',
  payments_received: 'R',
  write_off: 'X',
  opening_balances: 'E',
};

/**
 * Encodes a name for exports: each UTF-8 byte outside `[A-Za-z0-9._-]` becomes `%` and two upper-case hexadecimal
 * digits. Different names have different encodings, and decodeURIComponent restores the name.
 */
export function encodeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Separates the kind of an account from its id by a colon, as hledger does. */
export function encodeAccount(account: string): string {
  const { kind, id } = partsOf(account);
  return id === undefined ? encodeName(kind) : `${encodeName(kind)}:${encodeName(id)}`;
}

/** Returns undefined for a kind outside the chart: a ledger that another program wrote stays readable. */
export function accountTypeLetter(account: string): AccountTypeLetter | undefined {
  const { kind } = partsOf(account);
  return Object.hasOwn(TYPE_OF_KIND, kind) ? TYPE_OF_KIND[kind] : undefined;
}

function partsOf(account: string): { kind: string; id: string | undefined } {
  const colon = account.indexOf(':');
  return colon === -1
    ? { kind: account, id: undefined }
    : { kind: account.slice(0, colon), id: account.slice(colon + 1) };
}
