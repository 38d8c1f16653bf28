import { fingerprintOf, sha256Hex } from '../../kernel';

/** What a day is sealed over. */
export const SEALED_KINDS = ['ledger', 'match', 'unmatch', 'break_event'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

/** One row of a day as the seal keeps it: what finds it, what people call it, and the digest of all that it says. */
export interface SealedRow {
  readonly key: string;
  readonly name: string;
  readonly digest: string;
}

export interface SealPage {
  readonly kind: SealedKind;
  readonly rows: readonly SealedRow[];
}

/** The first difference between a sealed page and the rows as they are now. */
export interface RowFault {
  readonly fault: 'touched' | 'deleted';
  readonly kind: SealedKind;
  readonly name: string;
}

/** The digest of a row: its values as text, in a fixed order, then those of the rows that belong to it. */
export function digestOfRow(values: readonly unknown[]): string {
  return fingerprintOf(...values);
}

/** The text that is kept of a page. */
export function pageToText({ rows }: SealPage): string {
  return JSON.stringify(rows.map(({ key, name, digest }) => [key, name, digest]));
}

export function digestOfPage(kind: SealedKind, text: string): string {
  return sha256Hex(`${kind}\n${text}`);
}

/** Reads a page whose digest was found right. */
export function pageRows(text: string): SealedRow[] {
  return (JSON.parse(text) as [string, string, string][]).map(([key, name, digest]) => ({ key, name, digest }));
}

/** Compares a page with what its keys show now. */
export function firstFault(
  kind: SealedKind,
  sealed: readonly SealedRow[],
  now: readonly SealedRow[],
): RowFault | undefined {
  const byKey = new Map(now.map((row) => [row.key, row.digest]));
  for (const { key, name, digest } of sealed) {
    const found = byKey.get(key);
    if (found === undefined) return { fault: 'deleted', kind, name };
    if (found !== digest) return { fault: 'touched', kind, name };
  }
  return undefined;
}
