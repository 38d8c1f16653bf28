import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MEGABYTE = 1_000_000 / 1_024;

/** What a process holds, as Linux counts it. */
export interface ProcessState {
  readonly residentMegabytes: number;
  readonly openHandles: number;
}

/** Reads what a process holds now. */
export function processState(pid: number): ProcessState {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    residentMegabytes: Number(kib) / KIB_PER_MEGABYTE,
    openHandles: readdirSync(`/proc/${pid}/fd`).length,
  };
}
