import type { Clock, Instant } from '../../kernel';
import type { BudgetEntry, BudgetStore } from './budget-store';

/** More payments than one client verifies within one spacing. A typical entry takes about a kilobyte. */
const ENTRIES_MAX = 10_000;

interface KeptEntry extends BudgetEntry {
  readonly keepUntil: Instant;
}

/** Stores the budget of a single client in memory. When it is full, it deletes the entry that expires first. */
export function memoryBudgetStore(clock: Clock): BudgetStore {
  const entries = new Map<string, KeptEntry>();
  // One counter for all keys: a deleted and recreated key never gets a version that a caller still holds.
  let lastVersion = 0;

  function current(key: string): KeptEntry | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.keepUntil >= clock.now()) return entry;
    entries.delete(key);
    return undefined;
  }

  function makeRoom(): void {
    if (entries.size < ENTRIES_MAX) return;
    const now = clock.now();
    let first: { readonly key: string; readonly keepUntil: Instant } | undefined;
    for (const [key, { keepUntil }] of entries) {
      if (keepUntil < now) entries.delete(key);
      else if (first === undefined || keepUntil < first.keepUntil) first = { key, keepUntil };
    }
    if (first !== undefined && entries.size >= ENTRIES_MAX) entries.delete(first.key);
  }

  return {
    async read(key) {
      const entry = current(key);
      return entry && { value: entry.value, version: entry.version };
    },
    async replace(key, { value, keepUntil }, expectedVersion) {
      const entry = current(key);
      if (entry?.version !== expectedVersion) return false;
      if (entry === undefined) makeRoom();
      lastVersion += 1;
      entries.set(key, { value, keepUntil, version: lastVersion });
      return true;
    },
  };
}
