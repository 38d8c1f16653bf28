import { sha256Hex } from '../../../src/kernel';
import type { WorldFiles } from '../world';

/** Returns the same files with every list in another order, which depends only on the number. */
export function shuffledFiles(files: WorldFiles, shuffle: number): WorldFiles {
  const mixed = <T>(rows: readonly T[], name: string): T[] =>
    rows
      .map((row, index) => ({ row, key: sha256Hex(`${shuffle}:${name}:${index}`) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ row }) => row);
  return {
    items: mixed(files.items, 'items'),
    observations: mixed(files.observations, 'observations'),
    lines: mixed(files.lines, 'lines'),
    fees: files.fees === undefined ? undefined : mixed(files.fees, 'fees'),
    holidays: mixed(files.holidays, 'holidays'),
  };
}
