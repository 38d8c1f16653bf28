import { AppError, counted } from '../../kernel';

/** How many faults a person is shown. With more, it is the wrong file or the wrong program that wrote it. */
const FAULTS_SHOWN_MAX = 20;

/** What is wrong in the files of one run, in the order in which it was found. Only the first ones are kept. */
export class FaultList {
  readonly #shown: string[] = [];
  #count = 0;

  /** `place` says where: file, line, column. */
  add(place: string, reason: string): void {
    this.#count += 1;
    if (this.#shown.length < FAULTS_SHOWN_MAX) this.#shown.push(`${place}: ${reason}`);
  }

  /** @throws AppError `file_faults` with one detail for each fault that is shown, when there is any fault. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const hidden = this.#count - this.#shown.length;
    const details = hidden === 0 ? this.#shown : [...this.#shown, `and ${hidden} more`];
    throw new AppError('file_faults', { file: 'input files', fault: counted(this.#count, 'fault') }, { details });
  }
}
