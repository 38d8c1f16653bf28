import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
// A run with all its servers needs less than half of it; a container often has 64 MB, which is too little.
const FREE_MIN_BYTES = 2 * 1024 ** 3;

/**
 * Where the databases of a run are made: in memory where that has room, because what they wait for otherwise is the
 * disk, and no test cuts the power. TMPDIR names another folder.
 */
export function fastFolder(): string {
  const named = process.env['TMPDIR'];
  return (named === undefined || named === '') && hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= FREE_MIN_BYTES;
  } catch {
    return false;
  }
}
