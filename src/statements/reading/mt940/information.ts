/** What a :86: says about one booking. Everything is empty that it does not say. */
export interface Information {
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  readonly remittance: string;
  readonly endToEndId: string;
}
