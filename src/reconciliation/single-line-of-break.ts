import type { ReconBreak } from '../breaks';
import { AppError } from '../kernel';

/** The line that an action is about when it names none. @throws AppError `bad_input`. */
export function singleLineOfBreak(reconBreak: ReconBreak | undefined, action: string): string {
  const [lineId, ...others] = reconBreak?.subject.lineIds ?? [];
  if (lineId === undefined || others.length > 0) {
    throw new AppError('bad_input', `${action} needs the lineId where its break does not stand on one line`);
  }
  return lineId;
}
