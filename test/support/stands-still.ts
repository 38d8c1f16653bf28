import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether every thread of a process is stopped. A signal that stops a process reaches one thread first: on a busy machine
 * the others go on for a while, and a server may still answer.
 */
export function standsStill(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => stateOf(`${tasks}/${task}/stat`) === 'T');
}

function stateOf(stat: string): string | undefined {
  try {
    return readFileSync(stat, 'latin1').split(') ').at(-1)?.[0]; // the name in front of it may have a ")" of its own
  } catch {
    return undefined; // the thread has ended
  }
}
