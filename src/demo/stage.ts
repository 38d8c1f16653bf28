import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, type Instant } from '../kernel';
import type { CommandLine } from './command-line';
import { setClock } from './set-clock';
import type { DemoGateway } from './simulated-gateway';
import type { Story } from './story';

/** The objects that the steps of the demo share. */
export interface Stage {
  readonly folder: string;
  readonly gateway: DemoGateway;
  readonly millime: CommandLine;
  readonly serviceUrl: string;
  /** The gateway's token for calls about agents. */
  readonly token: string;
  readonly story: Story;
  /** The business time of Millime and the gateway. */
  now: Instant;
}

export const CLOCK_NAME = 'clock';

/** Moves the clock of Millime, then the gateway's clock, so that webhooks are signed with the time of their arrival. */
export async function moveTo(stage: Stage, instant: Instant): Promise<void> {
  setClock(join(stage.folder, CLOCK_NAME), formatInstant(instant));
  await stage.gateway.moveTo(instant);
  stage.now = instant;
}

/** Writes an input file and returns its path. */
export function writeInput({ folder }: Stage, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
