import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds, as the kernel of this machine counts it. */
export interface Resources {
  readonly memoryMb: number;
  /** Files, sockets and pipes. */
  readonly handles: number;
}

const KB_PER_MB = 1_024;

/** Reads what a process holds now. */
export function resourcesOf(pid: number): Resources {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memoryMb: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / KB_PER_MB,
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The middle of some numbers, which one spike does not move. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
