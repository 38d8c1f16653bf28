import { AppError, isAppError, quoted } from '../../../kernel';
import { currencyOf, formatDecimal } from '../currencies';
import { type DateReader, dateReader } from '../date-text';
import { addDecimals, equalDecimals } from '../decimal';
import type { Encoding } from '../decode-text';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import type { ParsedLine, StatementEvent } from '../parsed-statement';
import { Problems } from '../problems';
import { ProofInProgress } from '../prove-statement';
import { fileFault, tooLarge } from '../refusal';
import type { CsvProfileText, StatementProfile } from '../statement-profile';
import { LOOKS } from './column-kinds';
import { type ColumnRoles, columnRoles } from './column-roles';
import { contradicted, type FormChoice, type GivenForm, undecided } from './form-choice';
import { type AmountForm, amountForm, choiceOf, dateForm, type FormFound, readAmount } from './forms';
import type { ColumnRole } from './known-columns';
import { KNOWN_LABELS } from './known-labels';
import { findText } from './labeled-rows';
import { accountLabelAround, isLabeled } from './labels-around';
import { namingEncoding, noProposal, proposed } from './no-proposal';
import { proposeEncodings } from './propose-encoding';
import { proposeAccount, proposeAround, type StatedFacts, statedFacts } from './propose-facts';
import { type ProposedHeader, proposeHeader } from './propose-header';
import { readRows } from './read-csv-statement';
import { type RowSource, textRows } from './row-source';
import { type Survey, surveyRows } from './survey-rows';

/** A profile created from a file that no profile of the installation reads. */
export interface ProposedProfile {
  /** Named `proposed`. */
  readonly profile: StatementProfile;
  /** The same profile as an entry of the profiles file, for a person to name, check and store. */
  readonly json: string;
  /** The findings with their places, one sentence each. */
  readonly reasons: readonly string[];
  /** The fields for which several values fit. Of an open one, the profile has a value that may be wrong. */
  readonly choices: readonly FormChoice[];
  /** What the profile reads in the file; undefined if it must be read for that. */
  readonly events?: readonly StatementEvent[];
}

/** Returns the errors that refuse a file as long as its profile has open choices. */
export function undecidedIn({ choices }: ProposedProfile): AppError[] {
  return choices.filter(({ isOpen }) => isOpen).map(undecided);
}

/**
 * Creates a profile from a CSV file's own header and rows: it tries the ways of reading that the rows allow, with the
 * reader that reads every file. What neither the rows nor the balances decide stays open for a person, and every other
 * ambiguity is refused, because a wrong guess would book wrong money.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfile(bytes: Uint8Array, given: GivenForm = {}): ProposedProfile {
  if (bytes.length > WHOLE_FILE_BYTES_MAX) {
    throw tooLarge('CSV');
  }
  // Two encodings may have the letters of a file, and only one of them the words of its header.
  const texts = proposeEncodings(bytes).map(({ encoding, text }) => ({ encoding, source: textRows(text) }));
  const known = (texts.length > 1 ? texts.find(({ source }) => namesColumns(source)) : undefined) ?? texts[0];
  if (known === undefined) throw fileFault('the file is empty');
  try {
    return proposeProfileOf(known.source, given, known.encoding);
  } catch (error) {
    throw namingEncoding(error, bytes, known.encoding);
  }
}

/**
 * Creates a profile from the rows of a text or of a sheet, whose encoding is then without meaning.
 * @throws AppError `bad_input` whose details name the unknown parts and their places.
 */
export function proposeProfileOf(
  source: RowSource,
  given: GivenForm = {},
  encoding: Encoding = 'utf-8',
): ProposedProfile {
  if (source.isBlank()) throw fileFault('the file is empty');
  return new Proposal(source, given, encoding).result();
}

function namesColumns(source: RowSource): boolean {
  try {
    proposeHeader(source);
    return true;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return false;
    throw error;
  }
}

/** Rows read in all tries together, at most: a large file is tried in fewer ways. */
const ROWS_TRIED_MAX = 3_000_000;

/** What a reading shows, the worst first. `running`: the balances beside the lines prove every line but the first. */
const RANKS = ['unreadable', 'unbalanced', 'no-proof', 'running', 'ok'] as const;
type Rank = (typeof RANKS)[number];

interface Try {
  readonly text: CsvProfileText;
  readonly rank: Rank;
  /** Why it cannot be read. */
  readonly error: AppError | undefined;
  readonly events: readonly StatementEvent[];
  /** What only the balances prove, one sentence each. */
  readonly reasons: readonly string[];
}

/** A change of the profile that needs the proof of the balances, and its reason. */
interface Suggestion {
  readonly change: (text: CsvProfileText) => CsvProfileText;
  readonly reasons: readonly string[];
}

class Proposal {
  readonly #source: RowSource;
  readonly #given: GivenForm;
  readonly #encoding: Encoding;
  readonly #header: ProposedHeader;
  readonly #survey: Survey;
  readonly #facts: StatedFacts;
  readonly #accountLabel: string | undefined;
  readonly #account: string | undefined;
  readonly #currency: string | undefined;
  readonly #amounts: AmountForm;
  readonly #dates: FormFound<string>;
  /** What the days show; undefined if they do not change, or rise and fall. */
  readonly #order: CsvProfileText['order'];
  readonly #roles: ColumnRoles;
  #rowsTried = 0;

  constructor(source: RowSource, given: GivenForm, encoding: Encoding) {
    this.#source = source;
    this.#given = given;
    this.#encoding = encoding;
    const setAside = given.setAside ?? [];
    this.#header = proposeHeader(source, setAside);
    this.#requireColumns(setAside);
    this.#survey = surveyRows(source, this.#header);
    const { dayFirst } = this.#header;
    this.#dates = dateForm(this.#survey.dates, { dayFirst, given: given.dateFormat });
    this.#order = orderOf(this.#survey, dateReader(this.#dates.value));
    this.#facts = statedFacts(this.#header, this.#survey);
    const around = this.#survey.sections[0] ?? [];
    this.#accountLabel = accountLabelAround(around);
    this.#currency = this.#facts.currency ?? this.#currencyOfRows() ?? currencyOf(given.currency ?? '');
    this.#amounts = amountForm(this.#survey.amounts, {
      ...{ preferred: dayFirst ? ',' : '.', given: given.decimalSign, currency: this.#currency },
    });
    const label = this.#accountLabel;
    this.#account = label && findText(around, { label: new RegExp(label, 'iu') }, new Problems())?.text;
    this.#roles = columnRoles(this.#header, this.#survey, {
      account: this.#account ?? given.account,
      currency: this.#facts.currency,
      wholeAmounts: this.#amounts.whole !== undefined,
      setAside,
    });
  }

  result(): ProposedProfile {
    const { best, sign } = this.#bestTry();
    const decimal = this.#decimalChoice(best);
    const choices = [this.#dates.choice, decimal, this.#unitChoice(), sign, ...this.#setAsideChoices(best)].filter(
      (choice) => choice !== undefined,
    );
    if (decimal === undefined && this.#amounts.choice?.isOpen === true && best.rank !== 'ok') {
      return new Proposal(this.#source, { ...this.#given, decimalSign: this.#otherSign }, this.#encoding).result();
    }
    const isOpen = choices.some((choice) => choice.isOpen);
    if (!isOpen) this.#requireProof(best);
    for (const choice of choices) this.#requireUncontradicted(choice, best);
    const profile = proposed(best.text);
    const reasons = [...this.#reasons(best.text), ...best.reasons];
    return { profile, json: JSON.stringify(best.text, null, 2), reasons, choices, events: best.events };
  }

  /** Returns the best reading, and the choice of the side of unsigned amounts if only a person can make it. */
  #bestTry(): { readonly best: Try; readonly sign: FormChoice | undefined } {
    const { amount } = this.#survey.marks;
    const isOneColumn = this.#roles.plain.has('amount') && this.#roles.direction === undefined;
    const { bare } = amount;
    const isUnclear = isOneColumn && bare !== undefined && (amount.debit === undefined || amount.credit !== undefined);
    const draft = this.#draft();
    if (!isUnclear) return { best: this.#best(draft), sign: undefined };
    const unmarked = (value: 'credit' | 'debit'): Try => this.#best({ ...draft, unmarked: value });
    const { unmarked: given } = this.#given;
    const readings = (['credit', 'debit'] as const).map((value) => ({ value, meaning: `a ${value}` }));
    const column = this.#roles.plain.get('amount')?.name ?? '';
    const place = `line ${bare.line}, column ${quoted(column)}`;
    const sign = choiceOf('unmarked', given === undefined, { text: bare.text, place }, readings);
    if (given !== undefined) return { best: unmarked(given), sign };
    const sides = this.#roles.sides.map((direction) =>
      this.#best({ ...draft, columns: { ...draft.columns, direction } }),
    );
    const [credits, debits] = [unmarked('credit'), unmarked('debit')];
    // Balances beside the lines alone leave the side of the first line without proof.
    const [only, second] = [credits, debits, ...sides].filter(({ rank }) => rank === 'ok');
    if (only !== undefined && second === undefined) return { best: only, sign: undefined };
    return { best: credits, sign };
  }

  /** Returns the reading of a profile, with what the balances prove of the labels and columns that only suggest something. */
  #best(text: CsvProfileText): Try {
    const plain = this.#tryOrders({ change: (same) => same, reasons: [] }, text);
    if (plain.rank === 'ok') return plain;
    for (const suggestion of this.#suggestions(text)) {
      const found = this.#tryOrders(suggestion, text);
      const isBalance = found.rank === 'running' && found.text.columns.balance !== text.columns.balance;
      if (found.rank === 'ok' || isBalance) return found;
    }
    return plain;
  }

  #tryOrders({ change, reasons }: Suggestion, text: CsvProfileText): Try {
    const changed = change(text);
    const read = this.#try(changed, reasons);
    // If the days do not show the order, the balances beside the lines may.
    if (read.rank !== 'unbalanced' || changed.columns.balance === undefined || this.#order) return read;
    const turned = this.#try({ ...changed, order: 'newest-first' }, reasons);
    return RANKS.indexOf(turned.rank) > RANKS.indexOf(read.rank) ? turned : read;
  }

  #try(text: CsvProfileText, reasons: readonly string[]): Try {
    const none = { text, reasons, events: [] };
    if (this.#rowsTried > ROWS_TRIED_MAX) return { ...none, rank: 'no-proof', error: undefined };
    try {
      const events = readRows(this.#source, { profile: proposed(text), account: this.#given.account });
      this.#rowsTried += events.length;
      return { ...none, events, rank: rankOf(events), error: undefined };
    } catch (error) {
      if (!isAppError(error, 'bad_input')) throw error;
      return { ...none, rank: 'unreadable', error };
    }
  }

  /** A balance brought forward as the opening one, and words right of the balances as their signs, the fullest first. */
  #suggestions(text: CsvProfileText): Suggestion[] {
    const hasReport = this.#survey.sections.some((rows) =>
      rows.some(({ cells, dated }) => !dated && isLabeled(cells, 'report')),
    );
    const { balanceMarks: direction, unread, plain } = this.#roles;
    const amounts = unread.filter(({ kind }) => kind === 'amounts');
    if (!plain.has('balance') && amounts.length > 0) {
      return amounts.map(({ column: { name } }) => ({
        change: ({ setAside = {}, ...before }) => ({
          ...before,
          columns: { ...before.columns, balance: name },
          setAside: Object.fromEntries(Object.entries(setAside).filter(([each]) => each !== name)),
          balancesFromRunning: 'proven',
        }),
        reasons: [`the column ${quoted(name)} states the balance after each line, as the amounts prove`],
      }));
    }
    const opening: Suggestion[] =
      hasReport && text.opening === undefined
        ? [
            {
              change: (before) => ({ ...before, opening: { label: KNOWN_LABELS.report } }),
              reasons: ['a balance brought forward is the opening one, as the balances prove'],
            },
          ]
        : [];
    if (direction === undefined) return opening;
    const marked: Suggestion = {
      change: (before) => ({ ...before, columns: { ...before.columns, direction } }),
      reasons: [`the column ${quoted(direction.column)} states the sign of the balance, as the balances prove`],
    };
    const both = opening.map(({ change, reasons }) => ({
      change: (before: CsvProfileText) => marked.change(change(before)),
      reasons: [...reasons, ...marked.reasons],
    }));
    return [...both, marked, ...opening];
  }

  /** Returns a profile of all that the rows show, in the order of the file. */
  #draft(): CsvProfileText {
    const { delimiter, names } = this.#header;
    const { plain, direction, status, unread } = this.#roles;
    const { currency, ...columns } = plainColumns(plain);
    const isFixed = this.#facts.currencyPart.currency !== undefined && 'fixed' in this.#facts.currencyPart.currency;
    const set = [
      ...unread.map(({ column, kind }) => [column.name, kind] as const),
      ...(this.#given.setAside ?? []).map((name) => [name, 'any'] as const),
    ].filter(([name]) => name !== '');
    const unit = this.#given.unit ?? this.#facts.unit;
    return {
      name: 'proposed',
      description: `made from a file with the header ${names.filter((name) => name !== '').join(', ')}`.slice(0, 500),
      ...{ format: 'csv', encoding: this.#encoding, delimiter },
      ...proposeAccount({ columns: plain }, this.#accountLabel).part,
      ...(currency !== undefined && isFixed ? {} : this.#facts.currencyPart),
      columns: { ...columns, currency, direction, status },
      headings: [...names],
      ...(set.length === 0 ? {} : { setAside: Object.fromEntries(set) }),
      dateFormat: this.#dates.value,
      ...(this.#debitSign() === 'none' ? {} : { debitSign: 'minus' as const }),
      ...(this.#negativeCredit() === undefined ? {} : { reversals: true }),
      decimalSign: this.#amounts.value,
      thousandsSeparators: [...this.#amounts.thousandsSeparators],
      ...(unit === 'millimes' ? { unit } : {}),
      ...(this.#survey.undated === undefined ? {} : { emptyDates: 'as-above' as const }),
      // The running balance alone leaves the first line without proof.
      balancesFromRunning: plain.has('balance') ? 'proven' : false,
      ...proposeAround({ columns: plain }, this.#survey, this.#dates.value),
      order: this.#order ?? 'oldest-first',
    };
  }

  #debitSign(): 'none' | 'minus' {
    const { debit, bare } = this.#survey.marks.debit;
    if (debit === undefined || !this.#roles.plain.has('debit')) return 'none';
    if (bare === undefined) return 'minus';
    throw noProposal(
      `line ${debit.line}: the debit ${quoted(debit.text)} has a minus`,
      `line ${bare.line}: the debit ${quoted(bare.text)} has none`,
    );
  }

  /** Returns the first credit with a minus: it takes a credit back only if the balances prove it. */
  #negativeCredit(): string | undefined {
    const { debit } = this.#survey.marks.credit;
    if (debit === undefined || !this.#roles.plain.has('credit')) return undefined;
    return `line ${debit.line}: expected a credit without a minus, got ${quoted(debit.text)}`;
  }

  #requireProof({ rank, error }: Try): void {
    const negative = this.#negativeCredit();
    if (negative !== undefined && rank !== 'ok') {
      throw noProposal(`${negative}; the balances do not prove it, so set reversals in a profile`);
    }
    if (error !== undefined) throw error;
    const { undated } = this.#survey;
    if (undated !== undefined && rank !== 'ok') {
      const column = this.#roles.plain.get('bookingDate')?.name ?? '';
      throw noProposal(
        `line ${undated}, column ${quoted(column)}: expected a date as ${this.#dates.value}, got nothing; ` +
          'the balances do not prove that it is the one above, so set emptyDates in a profile',
      );
    }
  }

  /** Returns the choice of the decimal sign, unless the balances make it. */
  #decimalChoice(best: Try): FormChoice | undefined {
    const { choice } = this.#amounts;
    if (choice?.isOpen !== true) return choice;
    const rank = this.#rankWith({ decimalSign: this.#otherSign });
    const isDecided =
      (best.rank === 'ok') !== (rank === 'ok') && [best.rank, rank].some((each) => CONTRADICTED.has(each));
    return isDecided ? undefined : choice;
  }

  get #otherSign(): ',' | '.' {
    return this.#amounts.value === ',' ? '.' : ',';
  }

  #rankWith(more: GivenForm): Rank {
    const other = new Proposal(this.#source, { ...this.#given, ...more }, this.#encoding);
    return other.#bestTry().best.rank;
  }

  /**
   * Checks that the balances do not contradict the value that a person gave, while they fit another one.
   * @throws AppError `bad_input` that names the other one.
   */
  #requireUncontradicted({ field, isOpen, readings }: FormChoice, best: Try): void {
    const got = this.#given[field];
    if (isOpen || typeof got !== 'string' || !CONTRADICTED.has(best.rank)) return;
    const other = readings.find(({ value }) => value !== got && !CONTRADICTED.has(this.#rankWith({ [field]: value })));
    if (other !== undefined) throw contradicted(field, got, other.value);
  }

  /** Whole numbers in TND may be dinars or millimes, which no balance of the file shows. */
  #unitChoice(): FormChoice | undefined {
    const { whole } = this.#amounts;
    const { unit: stated } = this.#facts;
    const { unit: given } = this.#given;
    const mayBeTnd = this.#currency === undefined || this.#currency === 'TND';
    if (stated === 'millimes' && (whole === undefined || !mayBeTnd)) {
      throw noProposal(`expected whole amounts in TND, because the file states millimes; set unit in a profile`);
    }
    if (given !== undefined && given !== (stated ?? (whole === undefined ? 'dinars' : given))) {
      const why = stated === undefined ? 'because amounts have decimals' : 'which the file states';
      throw new AppError('bad_input', { field: 'unit', expected: `${stated ?? 'dinars'}, ${why}`, got: given });
    }
    if (whole === undefined || stated !== undefined || !mayBeTnd) return undefined;
    const amount = readAmount(whole.text, this.#amounts.value)?.units ?? 0n;
    const readings = (['dinars', 'millimes'] as const).map((value) => ({
      value,
      meaning: formatDecimal({ units: amount, scale: value === 'millimes' ? 3 : 0 }, 'TND'),
    }));
    return choiceOf('unit', given === undefined, whole, readings);
  }

  /** Returns a choice for each column that may be part of the money, unless the balances prove that it is not. */
  #setAsideChoices({ text, rank }: Try): FormChoice[] {
    const isOfOther = this.#roles.plain.has('currency') && this.#facts.currency === undefined;
    const direction = text.columns.direction?.column;
    // If the balances contradict the reading, a column of few words may be the reason.
    const words = this.#roles.unread.filter(({ kind }) => kind === 'words' && rank === 'unbalanced');
    const doubts = new Map([...words, ...this.#roles.doubts].map((doubt) => [doubt.column, doubt]));
    return [...doubts.values()].flatMap(({ column, kind }) => {
      if (column.name === text.columns.balance || (kind === 'amounts' && rank === 'ok' && !isOfOther)) return [];
      if (kind === 'directions' && (column.name === direction || rank === 'ok' || rank === 'running')) return [];
      const [[shown, { line }] = ['', { line: 0 }]] = column.values;
      const readings = [{ value: column.name, meaning: LOOKS[DOUBTED[kind] ?? kind] }];
      return [choiceOf('setAside', true, { text: shown, place: `line ${line}` }, readings)];
    });
  }

  #currencyOfRows(): string | undefined {
    const column = this.#survey.columns[this.#header.columns.get('currency')?.index ?? -1];
    return column && currencyOf(column.texts[0] ?? '');
  }

  #requireColumns(setAside: readonly string[]): void {
    const { names } = this.#header;
    const unknown = setAside.find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const expected = `one of the columns ${names
      .filter((name) => name !== '')
      .map(quoted)
      .join(', ')}`;
    throw new AppError('bad_input', { field: 'setAside', expected, got: unknown });
  }

  #reasons({ order, columns, unmarked, unit, debitSign, reversals, setAside = {} }: CsvProfileText): string[] {
    const { line, delimiter } = this.#header;
    const names = Object.keys(setAside).map(quoted).join(', ');
    const sign =
      columns.amount === undefined
        ? `debits and credits have a column each${debitSign === 'minus' ? '; each debit has a minus' : ''}`
        : columns.direction !== undefined
          ? `the column ${quoted(columns.direction.column)} states what is a debit`
          : unmarked === undefined
            ? 'the amounts have signs; a minus is a debit'
            : `an amount without a sign is a ${unmarked}`;
    return [
      `the text is ${this.#encoding}`,
      `line ${line} is the header; ${JSON.stringify(delimiter)} separates the columns`,
      `every date fits ${this.#dates.choice?.isOpen === true ? 'several formats' : this.#dates.value}; the file is ${order ?? ''}`,
      this.#amounts.reason,
      sign,
      ...(reversals === true ? ['a credit with a minus takes a credit back, as the balances prove'] : []),
      ...(columns.currency === undefined
        ? this.#facts.reasons
        : [`the column ${quoted(columns.currency)} states the currency`]),
      ...(unit === undefined ? [] : [`the amounts are in ${unit}`]),
      proposeAccount({ columns: this.#roles.plain }, this.#accountLabel, this.#account).reason,
      ...(columns.status === undefined
        ? []
        : [`the column ${quoted(columns.status.column)} states which lines are booked`]),
      ...(names === '' ? [] : [`not read: ${names}`]),
    ];
  }
}

function orderOf({ runs }: Survey, readDate: DateReader): CsvProfileText['order'] {
  const steps = runs.flatMap((run) => {
    const days = run.map((text) => readDate(text) ?? '');
    return days.slice(1).map((day, index) => (day > (days[index] ?? '') ? 'rises' : 'falls'));
  });
  const falls = steps.includes('falls');
  return falls === steps.includes('rises') ? undefined : falls ? 'newest-first' : 'oldest-first';
}

const CONTRADICTED: ReadonlySet<Rank> = new Set(['unbalanced', 'unreadable']);

/** Returns what the balances show of all statements together. */
function rankOf(events: readonly StatementEvent[]): Rank {
  const found: Rank[] = [];
  let lines: ParsedLine[] = [];
  for (const event of events) {
    if (event.kind === 'line') {
      lines.push(event.line);
      continue;
    }
    const proof = new ProofInProgress();
    for (const line of lines) proof.add(line);
    const { verdict, booked } = proof.finish(event.statement);
    const counted = booked.entries > 1 ? lines.filter(({ status }) => status === 'booked') : lines;
    found.push(verdict === 'no-proof' && follows(counted) ? 'running' : verdict);
    lines = [];
  }
  return RANKS.find((each) => found.includes(each)) ?? 'no-proof';
}

/** Returns whether there are several lines, and each balance is that of the line before with the amount. */
function follows(lines: readonly ParsedLine[]): boolean {
  if (lines.length < 2) return false;
  return lines.every(({ amount, balanceAfter }, index) => {
    const before = lines[index - 1]?.balanceAfter;
    if (balanceAfter === undefined) return false;
    return before === undefined || equalDecimals(addDecimals(before, amount), balanceAfter);
  });
}

/** Of a doubtful column, a text or a word is a state. */
const DOUBTED: Partial<Record<keyof typeof LOOKS, keyof typeof LOOKS>> = { text: 'states', words: 'states' };

/** Returns the columns whose cells are used unchanged. Two more columns have words with a meaning. */
function plainColumns(plain: ReadonlyMap<ColumnRole, { readonly name: string }>): CsvProfileText['columns'] {
  const named = Object.fromEntries([...plain].map(([role, { name }]) => [role, name]));
  return { bookingDate: '', remittance: '', ...named };
}
