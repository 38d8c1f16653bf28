import { AppError, counted } from '../../kernel';

/** The number of faults shown to a person. More faults mean a wrong file or a wrong program behind it. */
const FAULTS_SHOWN_MAX = 20;

/** The faults in the files of one run, in the order of their discovery. Only the first ones are stored. */
export class FaultList {
  readonly #shown: string[] = [];
  #count = 0;

  /** Adds a fault. `place` names file, line and column. */
  add(place: string, reason: string): void {
    this.#count += 1;
    if (this.#shown.length < FAULTS_SHOWN_MAX) this.#shown.push(`${place}: ${reason}`);
  }

  /** Throws if any fault was noted. @throws AppError `file_faults` with one detail for each shown fault. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const hidden = this.#count - this.#shown.length;
    const details = hidden === 0 ? this.#shown : [...this.#shown, `and ${hidden} more`];
    throw new AppError('file_faults', { file: 'input files', fault: counted(this.#count, 'fault') }, { details });
  }
}
