import { AppError, isJsonObject } from '../../kernel';
import type { ProofJson } from './day-proof';
import type { Seal } from './seal-chain';
import type { SealedKind } from './sealed-row';

/** The content of the seal of a closed day. */
export interface SealContent {
  readonly proof: ProofJson;
  /** The digest of each page, in order. */
  readonly pages: readonly string[];
  readonly rows: Readonly<Record<SealedKind, number>>;
  /** The reason to close it without a statement. */
  readonly reason: string | null;
}

export function contentOf(content: SealContent): string {
  return JSON.stringify(content);
}

/**
 * Reads what `contentOf` wrote; `ledger verify` detects later changes.
 *
 * @throws AppError `conflict` if it is not the content of a seal.
 */
export function readContent({ number, content }: Seal): SealContent {
  const parsed: unknown = parseJson(content);
  if (!isJsonObject(parsed) || !Array.isArray(parsed['pages']) || !isJsonObject(parsed['proof'])) {
    throw new AppError('seal_changed', { seal: number });
  }
  return parsed as unknown as SealContent;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller names the seal
  }
}
