import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MICROS_PER_MS = 1_000;

/** What V8 writes with --cpu-prof, as far as it is used here. Times are microseconds. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly endTime: number;
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** Where a process spent its busy time. */
export interface BusyTime {
  /** The share of the window in which it was busy. */
  readonly busyShare: number;
  /** The share of the busy time, by part of the program. */
  readonly parts: ReadonlyMap<string, number>;
}

/** Reads the only profile in a folder, from one time before the end of the process until another, in milliseconds. */
export function readBusyTime(folder: string, fromMs: number, untilMs: number): BusyTime {
  const [name = ''] = readdirSync(folder);
  const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
  const partOf = new Map(profile.nodes.map(({ id, callFrame }) => [id, partName(callFrame)]));
  const from = profile.endTime - fromMs * MICROS_PER_MS;
  const until = profile.endTime - untilMs * MICROS_PER_MS;
  const micros = new Map<string, number>();
  let [at, idle, busy] = [profile.startTime, 0, 0];
  for (const [index, sample] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    // A sample holds until the next one.
    const took = profile.timeDeltas[index + 1] ?? 0;
    if (at < from || at >= until) continue;
    const part = partOf.get(sample) ?? '';
    if (part === IDLE) {
      idle += took;
      continue;
    }
    busy += took;
    micros.set(part, (micros.get(part) ?? 0) + took);
  }
  return {
    busyShare: busy / (busy + idle),
    parts: new Map([...micros].map(([part, took]) => [part, took / busy])),
  };
}

const IDLE = '(idle)';

/** Returns `src/<module>`, `node_modules/<package>`, `node:<module>`, or the name of a native function. */
export function partName({ functionName, url }: CallFrame): string {
  const packages = [...url.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)];
  const inPackage = packages.at(-1)?.[1];
  if (inPackage !== undefined) return `node_modules/${inPackage}`;
  const inProgram = /\/dist\/src\/([^/]+)/.exec(url)?.[1];
  if (inProgram !== undefined) return `src/${inProgram.replace(/[.]js$/, '')}`;
  if (url.startsWith('node:')) return /^node:(?:internal\/)?[^/]+/.exec(url)?.[0] ?? url;
  if (url !== '') return url;
  return functionName.startsWith('(') ? functionName : `native ${functionName}`;
}
