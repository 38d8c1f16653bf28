import { AppError, assert, type BusinessDate, quoted } from '../../../kernel';
import { type DateReader, dateReader } from '../date-text';
import type { FormChoice } from './form-choice';
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
  /** Set if several formats fit every date. */
  readonly choice: FormChoice | undefined;
}

interface SeenDate {
  readonly text: string;
  readonly place: string;
}

/** Enough dates to find one that two formats read as different days. */
const KEPT_DATES_MAX = 100;

/** Finds the date format that fits every row. */
export class DateProof {
  #fitting = FORMATS.map(candidateOf);
  #short = SHORT_FORMATS.map(candidateOf);
  #seen = 0;
  readonly #kept = new Map<string, SeenDate>();

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
    if (this.#kept.size < KEPT_DATES_MAX && !this.#kept.has(text)) this.#kept.set(text, { text, place });
  }

  /** Begins with the lines of another account, whose days say nothing of the order beside the days above. */
  startOver(): void {
    for (const candidate of [...this.#fitting, ...this.#short]) candidate.last = undefined;
  }

  /**
   * Returns the date format. If several fit, it is the one that a person gave, otherwise the one of the header's
   * language, otherwise the first.
   * @throws AppError `bad_input` without any date, or if the given format does not fit every date.
   */
  result(dayFirst: boolean, given: string | undefined): ProvenDates {
    if (this.#seen === 0) throw noProposal('expected a row with a date below the header, got none');
    const fitting = this.#candidates();
    const wanted = given === undefined ? undefined : this.#given(given);
    const chosen = wanted ?? (dayFirst ? daysFirstOf(fitting) : undefined);
    const [first] = fitting;
    assert(first !== undefined, 'a date that no format fits is refused');
    const choice = fitting.length < 2 ? undefined : this.#choice(fitting, chosen === undefined);
    return { ...(chosen ?? first), choice };
  }

  #given(format: string): Candidate {
    const found = [...this.#fitting, ...this.#short].find((candidate) => candidate.format === format);
    if (found !== undefined) return found;
    throw new AppError('bad_input', {
      field: 'dateFormat',
      expected: `${namesOf(this.#candidates(), ' or ')}, which every date of the file fits`,
      got: format,
    });
  }

  #choice(fitting: readonly Candidate[], isOpen: boolean): FormChoice {
    const readingsOf = ({ text }: SeenDate): FormChoice['readings'] =>
      fitting.map(({ format, read }) => ({ value: format, meaning: read(text) ?? '' }));
    const kept = [...this.#kept.values()];
    const differs = (seen: SeenDate): boolean => new Set(readingsOf(seen).map(({ meaning }) => meaning)).size > 1;
    const shown = kept.find(differs) ?? kept[0];
    assert(shown !== undefined, 'a choice of formats needs a date');
    return { field: 'dateFormat', isOpen, ...shown, readings: readingsOf(shown) };
  }

  #candidates(): readonly Candidate[] {
    return this.#fitting.length > 0 ? this.#fitting : this.#short;
  }
}

function candidateOf(format: string): Candidate {
  const none = { last: undefined, earliest: undefined, latest: undefined };
  return { format, read: dateReader(format), ...none, rises: false, falls: false };
}

/** Returns the format with the day first, if only one other fits, and differs from it in the order alone. */
function daysFirstOf(fitting: readonly Candidate[]): Candidate | undefined {
  const [daysFirst, ...more] = fitting.filter(({ format }) => format.startsWith('d'));
  const swapped = daysFirst?.format.replace(/^(d+)(.)(m+)/, '$3$2$1');
  const isPair = more.length === 0 && fitting.length === 2 && fitting.some(({ format }) => format === swapped);
  return isPair ? daysFirst : undefined;
}

function namesOf(candidates: readonly Candidate[], between = ' and '): string {
  return candidates.map(({ format }) => format).join(between);
}
