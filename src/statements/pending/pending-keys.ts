import type { Decoded } from '../../db';
import { sha256Hex } from '../../kernel';
import type { Movement, PendingEntry } from '../statement-records';
import type { PENDING_KEYS } from '../statement-rows';

/** The keys by which an announced entry is found when it is booked. */
export type PendingKeys = Decoded<typeof PENDING_KEYS>;

export interface NewPending {
  readonly entry: PendingEntry;
  readonly keys: PendingKeys;
}

/** The facts that an announced movement and its booking share. Their dates may differ. */
export type Announced = Pick<
  Movement,
  'account' | 'currency' | 'amountMinor' | 'counterparty' | 'remittance' | 'bankReference' | 'endToEndId'
>;

export function pendingKeys(entry: Announced): PendingKeys {
  const reference = entry.endToEndId || entry.bankReference;
  return {
    referenceKey: reference === '' ? undefined : referenceKey(entry, reference),
    contentKey: contentKey(entry),
  };
}

/** Returns every key by which a booked line may be found among announced ones, the surest first. */
export function bookingKeys(line: Announced): string[] {
  const references = [line.endToEndId, line.bankReference].filter((reference) => reference !== '');
  return [...references.map((reference) => referenceKey(line, reference)), contentKey(line)];
}

function referenceKey({ account, currency, amountMinor }: Announced, reference: string): string {
  return sha256Hex(JSON.stringify(['reference', account, currency, amountMinor, reference]));
}

function contentKey({ account, currency, amountMinor, counterparty, remittance }: Announced): string {
  return sha256Hex(JSON.stringify(['content', account, currency, amountMinor, counterparty, remittance]));
}
