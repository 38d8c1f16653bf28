import type { CutSlot } from './cut-slots';
import { chanceOf, type TakenSet, takenSet } from './taken-set';

/**
 * The limits for beginnings in the middle of a file: slots with more open items are skipped, and only some of a stretch
 * are tried.
 */
const COLD_OPEN_MAX = 8;
const COLD_NODES_MAX = 256;

export interface Beginning {
  readonly taken: TakenSet;
  /** The index of its slot. */
  readonly at: number;
  readonly logChance: number;
}

/** Returns the sets that an earlier cut can have taken, the likeliest first. */
export function beginnings(
  slots: readonly CutSlot[],
  first: number,
  last: number,
): { readonly found: readonly Beginning[]; readonly isCutShort: boolean } {
  const found: Beginning[] = [];
  let isCutShort = false;
  for (let at = first; at <= last; at += 1) {
    const slot = slots[at];
    if (slot === undefined) continue;
    if (slot.isCrowded || slot.open.length > COLD_OPEN_MAX) {
      isCutShort = true;
      continue;
    }
    for (let mask = 0; mask < 2 ** slot.open.length; mask += 1) {
      const chosen = slot.open.filter((_, bit) => ((mask >> bit) & 1) === 1);
      const taken = takenSet(slot.sure, [...slot.taken, ...chosen.map(({ position }) => position)]);
      found.push({ taken, at, logChance: chanceOf(slot, taken) });
    }
  }
  found.sort((a, b) => b.logChance - a.logChance || a.at - b.at);
  return { found: found.slice(0, COLD_NODES_MAX), isCutShort: isCutShort || found.length > COLD_NODES_MAX };
}
