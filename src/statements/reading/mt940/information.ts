/** The content of a :86: about one booking. Missing parts are empty. */
export interface Information {
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
  readonly endToEndId: string;
}
