import type { ReconBreak } from '../breaks';
import { AppError } from '../kernel';

/** Returns the line of an action that names none: the only line of its break. @throws AppError `bad_input`. */
export function singleLineOfBreak(reconBreak: ReconBreak | undefined, action: string): string {
  const [lineId, ...others] = reconBreak?.subject.lineIds ?? [];
  if (lineId === undefined || others.length > 0) {
    const expected = `the credit for ${action}, because its break does not name exactly one`;
    const command = reconBreak === undefined ? {} : { command: `run "millime breaks show ${reconBreak.id}"` };
    throw new AppError('bad_input', { field: 'lineId', expected, ...command });
  }
  return lineId;
}
