import { execFileSync } from 'node:child_process';

/**
 * Lets a running process write no file beyond that number of bytes; without a number the limit ends. Its writes fail as on
 * a full disk, and no root is needed. The process must ignore SIGXFSZ, as Node does.
 */
export function limitFiles(pid: number, bytesMax?: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytesMax ?? 'unlimited'}:unlimited`]);
}
