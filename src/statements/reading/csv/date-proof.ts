import { type BusinessDate, quoted } from '../../../kernel';
import { type DateReader, dateReader } from '../date-text';
import { noProposal } from './no-proposal';

/** With points the month is never first. A two-digit year is first only before hyphens. */
const DAYS = [
  ...['/', '-', '.', ' '].map((mark) => `dd${mark}mm${mark}yyyy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yyyy`),
  ...['/', '-', '.'].map((mark) => `yyyy${mark}mm${mark}dd`),
  ...['/', '-', '.'].map((mark) => `dd${mark}mm${mark}yy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yy`),
  'yy-mm-dd',
  'yyyymmdd',
  'ddmmyyyy',
];
const NAMED_DAYS = [' ', '-', '/', '.'].flatMap((mark) => [`d${mark}mmm${mark}yyyy`, `d${mark}mmm${mark}yy`]);
/** Each of these also fits two-digit days, so they are tried only if the others do not fit. */
const SHORT_DAYS = [
  ...['/', '-', '.'].map((mark) => `d${mark}m${mark}yyyy`),
  ...['/', '-'].map((mark) => `m${mark}d${mark}yyyy`),
];
const FORMATS = withTimes([...DAYS, ...NAMED_DAYS]);
const SHORT_FORMATS = withTimes(SHORT_DAYS);

function withTimes(days: readonly string[]): string[] {
  return [...days, ...days.map((format) => `${format} time`), ...days.map((format) => `${format}Ttime`)];
}

interface Candidate {
  readonly format: string;
  readonly read: DateReader;
  last: BusinessDate | undefined;
  earliest: BusinessDate | undefined;
  latest: BusinessDate | undefined;
  rises: boolean;
  falls: boolean;
}

export interface ProvenDates {
  readonly format: string;
  /** Whether some day is later, or earlier, than the one in the row above. */
  readonly rises: boolean;
  readonly falls: boolean;
  /** The first and the last day of the rows. */
  readonly earliest: BusinessDate | undefined;
  readonly latest: BusinessDate | undefined;
}

/** Finds the date format that fits every row. */
export class DateProof {
  #fitting = FORMATS.map(candidateOf);
  #short = SHORT_FORMATS.map(candidateOf);
  #seen = 0;

  /** Adds a date. @throws AppError `bad_input` if no format fits this date and all earlier ones. */
  see(text: string, place: string, order: 'in order' | 'in any order'): void {
    const before = this.#candidates();
    const fits = (candidate: Candidate): boolean => {
      const date = candidate.read(text);
      if (date === undefined) return false;
      if (order === 'in order') {
        candidate.rises ||= candidate.last !== undefined && date > candidate.last;
        candidate.falls ||= candidate.last !== undefined && date < candidate.last;
        candidate.last = date;
        if (candidate.earliest === undefined || date < candidate.earliest) candidate.earliest = date;
        if (candidate.latest === undefined || date > candidate.latest) candidate.latest = date;
      }
      return true;
    };
    this.#fitting = this.#fitting.filter(fits);
    this.#short = this.#short.filter(fits);
    if (this.#candidates().length === 0) {
      const expected = this.#seen === 0 ? 'a date' : `a date as ${namesOf(before)}, like those above`;
      throw noProposal(`${place}: expected ${expected}, got ${quoted(text)}`);
    }
    this.#seen += 1;
  }

  /** Begins with the lines of another account, whose days say nothing of the order beside the days above. */
  startOver(): void {
    for (const candidate of [...this.#fitting, ...this.#short]) candidate.last = undefined;
  }

  /**
   * Returns the date format. @throws AppError `bad_input` without any date, or if two formats fit and the header's
   * language decides nothing.
   */
  result(dayFirst: boolean): ProvenDates {
    if (this.#seen === 0) throw noProposal('expected a row with a date below the header, got none');
    const fitting = this.#candidates();
    const [first, ...others] = fitting;
    if (first !== undefined && others.length === 0) return first;
    const [daysFirst, ...more] = fitting.filter(({ format }) => format.startsWith('d'));
    const swapped = daysFirst?.format.replace(/^(d+)(.)(m+)/, '$3$2$1');
    const isPair = more.length === 0 && others.length === 1 && fitting.some(({ format }) => format === swapped);
    if (daysFirst !== undefined && isPair && dayFirst) return daysFirst;
    throw noProposal(`the dates fit ${namesOf(fitting)}; set dateFormat in a profile`);
  }

  #candidates(): readonly Candidate[] {
    return this.#fitting.length > 0 ? this.#fitting : this.#short;
  }
}

function candidateOf(format: string): Candidate {
  const none = { last: undefined, earliest: undefined, latest: undefined };
  return { format, read: dateReader(format), ...none, rises: false, falls: false };
}

function namesOf(candidates: readonly Candidate[]): string {
  return candidates.map(({ format }) => format).join(' and ');
}
