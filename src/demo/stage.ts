import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, type Instant } from '../kernel';
import type { CommandLine } from './command-line';
import { setClock } from './set-clock';
import type { DemoGateway } from './simulated-gateway';
import type { Story } from './story';

/** All that the demo plays with. */
export interface Stage {
  readonly folder: string;
  readonly gateway: DemoGateway;
  readonly millime: CommandLine;
  readonly serviceUrl: string;
  /** The gateway's, for the agents' calls. */
  readonly token: string;
  readonly story: Story;
  /** The business time that everybody has reached. */
  now: Instant;
}

export const CLOCK_NAME = 'clock';

/**
 * Moves the time of Millime, and then that of the gateway: what the gateway sends now is signed with the time at which it
 * is received.
 */
export async function moveTo(stage: Stage, instant: Instant): Promise<void> {
  setClock(join(stage.folder, CLOCK_NAME), formatInstant(instant));
  await stage.gateway.moveTo(instant);
  stage.now = instant;
}

/** Writes a file for the command line to read, and gives its path. */
export function writeInput({ folder }: Stage, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
