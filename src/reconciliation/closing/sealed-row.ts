import { fingerprintOf, sha256Hex } from '../../kernel';

/** The kinds of rows under a seal. */
export const SEALED_KINDS = ['ledger', 'match', 'unmatch', 'break_event'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

/** One row under a seal: its key, its name for people, and the digest of its values. */
export interface SealedRow {
  readonly key: string;
  readonly name: string;
  readonly digest: string;
}

export interface SealPage {
  readonly kind: SealedKind;
  readonly rows: readonly SealedRow[];
}

/** The first difference between a sealed page and the present rows. */
export interface RowFault {
  readonly fault: 'touched' | 'deleted';
  readonly kind: SealedKind;
  readonly name: string;
}

/** Returns the digest of a row: its values as text, in a fixed order, then those of its dependent rows. */
export function digestOfRow(values: readonly unknown[]): string {
  return fingerprintOf(...values);
}

/** Returns the stored text of a page. */
export function pageToText({ rows }: SealPage): string {
  return JSON.stringify(rows.map(({ key, name, digest }) => [key, name, digest]));
}

export function digestOfPage(kind: SealedKind, text: string): string {
  return sha256Hex(`${kind}\n${text}`);
}

/** Reads a page whose digest was verified. */
export function pageRows(text: string): SealedRow[] {
  return (JSON.parse(text) as [string, string, string][]).map(([key, name, digest]) => ({ key, name, digest }));
}

/** Compares a page with the present rows of its keys. */
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
