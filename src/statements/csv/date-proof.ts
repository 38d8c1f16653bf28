import type { BusinessDate } from '../../kernel';
import { dateReader, type DateReader } from '../date-text';
import { quoted } from '../problems';
import { noProposal } from './no-proposal';

/** With points nobody writes the month first; two digits of a year come first only before hyphens. */
const FORMATS = [
  ...['/', '-', '.', ' '].map((mark) => `dd${mark}mm${mark}yyyy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yyyy`),
  ...['/', '-', '.'].map((mark) => `yyyy${mark}mm${mark}dd`),
  ...['/', '-', '.'].map((mark) => `dd${mark}mm${mark}yy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yy`),
  'yy-mm-dd',
  'yyyymmdd',
  'ddmmyyyy',
];

interface Candidate {
  readonly format: string;
  readonly read: DateReader;
  last: BusinessDate | undefined;
  rises: boolean;
  falls: boolean;
}

export interface ProvenDates {
  readonly format: string;
  /** Whether some day is after, or before, the one in the row above. */
  readonly rises: boolean;
  readonly falls: boolean;
}

/** Finds the date format that every row fits. */
export class DateProof {
  #fitting: readonly Candidate[] = FORMATS.map((format) => ({
    format,
    read: dateReader(format),
    last: undefined,
    rises: false,
    falls: false,
  }));
  #seen = 0;

  /** @throws AppError `bad_input` when no format fits this date and all before it. */
  see(text: string, place: string, order: 'in order' | 'in any order'): void {
    const before = this.#fitting;
    this.#fitting = before.filter((candidate) => {
      const date = candidate.read(text);
      if (date === undefined) return false;
      if (order === 'in order') {
        candidate.rises ||= candidate.last !== undefined && date > candidate.last;
        candidate.falls ||= candidate.last !== undefined && date < candidate.last;
        candidate.last = date;
      }
      return true;
    });
    if (this.#fitting.length === 0) {
      const expected = this.#seen === 0 ? 'a date' : `a date as ${namesOf(before)}, like those above`;
      throw noProposal(`${place}: expected ${expected}, found ${quoted(text)}`);
    }
    this.#seen += 1;
  }

  /** @throws AppError `bad_input` when there was no date, or two formats fit and the header's language decides nothing. */
  result(dayFirst: boolean): ProvenDates {
    if (this.#seen === 0) throw noProposal('below the header stands no row with a date');
    const [first, ...others] = this.#fitting;
    if (first !== undefined && others.length === 0) return first;
    const [daysFirst, ...more] = this.#fitting.filter(({ format }) => format.startsWith('dd'));
    const swapped = daysFirst?.format.replace('dd', 'x').replace('mm', 'dd').replace('x', 'mm');
    const isPair = more.length === 0 && others.length === 1 && this.#fitting.some(({ format }) => format === swapped);
    if (daysFirst !== undefined && isPair && dayFirst) return daysFirst;
    throw noProposal(`the dates fit ${namesOf(this.#fitting)}: say which in a profile (dateFormat)`);
  }
}

function namesOf(candidates: readonly Candidate[]): string {
  return candidates.map(({ format }) => format).join(' and ');
}
