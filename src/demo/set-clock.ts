import { renameSync, writeFileSync } from 'node:fs';

/** Sets the business clock of every process of the demo. The rename prevents a partial read. */
export function setClock(clockFile: string, instant: string): void {
  writeFileSync(`${clockFile}.new`, instant);
  renameSync(`${clockFile}.new`, clockFile);
}
