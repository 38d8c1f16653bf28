/** What the values of a column that nothing reads look like. Each kind but the first three may be part of the money. */
export const COLUMN_KINDS = ['empty', 'text', 'words', 'amounts', 'currencies', 'accounts', 'states'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** What values of a kind look like, for a message. */
export const LOOKS: Readonly<Record<ColumnKind | 'directions', string>> = {
  empty: 'nothing',
  text: 'a text',
  words: 'a word of few',
  amounts: 'an amount',
  currencies: 'a currency',
  accounts: 'an account',
  states: 'a state',
  directions: 'a word for debit or credit',
};
