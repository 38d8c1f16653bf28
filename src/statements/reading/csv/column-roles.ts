import { accountKey, quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { type Direction, directionOf } from '../direction-words';
import { isCancelHeading, isStateHeading, namesState, sideOf, type State, stateOf } from '../state-words';
import type { CsvProfileText } from '../statement-profile';
import type { ColumnKind } from './column-kinds';
import type { ColumnRole } from './known-columns';
import { noProposal } from './no-proposal';
import type { ProposedColumn, ProposedHeader } from './propose-header';
import type { SeenColumn } from './seen-column';
import type { Survey } from './survey-rows';

/** A column that may be part of the money, and that nothing reads: only a person can set it aside. */
export interface ColumnDoubt {
  readonly column: SeenColumn;
  readonly kind: ColumnKind | 'directions';
}

type Words = CsvProfileText['columns'];
const DOUBTFUL: readonly ColumnKind[] = ['amounts', 'accounts', 'states'];

/** What each column of a file is used for. */
export interface ColumnRoles {
  /** Those whose cells are used unchanged. */
  readonly plain: ReadonlyMap<ColumnRole, ProposedColumn>;
  readonly direction: Words['direction'];
  readonly status: Words['status'];
  /** Words right of the balances that may be their signs, if the balances prove it. */
  readonly balanceMarks: Words['direction'];
  /** Columns of two words, of which each may be the debit. */
  readonly sides: readonly NonNullable<Words['direction']>[];
  readonly doubts: readonly ColumnDoubt[];
  /** The columns that carry nothing of the money, by what their values look like. */
  readonly unread: readonly { readonly column: SeenColumn; readonly kind: ColumnKind }[];
}

export interface RoleFacts {
  /** The own account that a label, or else a person, names. */
  readonly account: string | undefined;
  /** The currency that a label, the header or the amounts name. */
  readonly currency: string | undefined;
  readonly wholeAmounts: boolean;
  /** The columns that a person sets aside. */
  readonly setAside: readonly string[];
}

/**
 * Finds what each column is used for. The name of a column only suggests it; its values decide. Whatever looks like money,
 * a side, a currency, an account or a state and is not used becomes a doubt.
 * @throws AppError `bad_input` if values contradict what they are used for.
 */
export function columnRoles(header: ProposedHeader, survey: Survey, facts: RoleFacts): ColumnRoles {
  return new Roles(header, survey, facts).result();
}

class Roles {
  readonly #header: ProposedHeader;
  readonly #survey: Survey;
  readonly #facts: RoleFacts;
  readonly #plain: Map<ColumnRole, ProposedColumn>;
  readonly #doubts: ColumnDoubt[] = [];
  #direction: Words['direction'];
  #status: Words['status'];

  constructor(header: ProposedHeader, survey: Survey, facts: RoleFacts) {
    this.#header = header;
    this.#survey = survey;
    this.#facts = facts;
    this.#plain = new Map(header.columns);
    this.#plain.delete('direction');
    this.#plain.delete('status');
  }

  result(): ColumnRoles {
    this.#placeAccount();
    this.#placeCurrency();
    this.#status = this.#findStatus();
    const sides = this.#findDirection();
    const balanceMarks = this.#balanceMarks();
    const unread = this.#unread().map((column) => ({ column, kind: column.kind(this.#facts.wholeAmounts) }));
    for (const { column, kind } of unread) {
      const isNamed =
        (isCancelHeading(column.name) || isStateHeading(column.name) || (namesState(column.name) && column.isFew())) &&
        kind !== 'empty';
      const isDoubtful = DOUBTFUL.includes(kind) || isNamed || this.#isOtherCurrency(column, kind);
      if (isDoubtful && !this.#doubts.some((doubt) => doubt.column === column)) this.#doubts.push({ column, kind });
    }
    const nameless = this.#doubts.find(({ column }) => column.name === '');
    if (nameless !== undefined) {
      const [[text, { line }] = ['', { line: 0 }]] = nameless.column.values;
      throw noProposal(
        `line ${line}: expected a heading above ${quoted(text)}, in column ${nameless.column.index + 1}, got none`,
      );
    }
    const direction = this.#direction;
    const status = this.#status;
    return { plain: this.#plain, direction, status, balanceMarks, sides, doubts: this.#doubts, unread };
  }

  #seen(role: ColumnRole): SeenColumn | undefined {
    return this.#survey.columns[(this.#plain.get(role) ?? this.#header.columns.get(role))?.index ?? -1];
  }

  /** The columns without a use, and not set aside by a person. */
  #unread(): SeenColumn[] {
    const used = new Set([...this.#plain.values()].map(({ index }) => index));
    const named = new Set([this.#direction?.column, this.#status?.column, ...this.#facts.setAside]);
    return this.#survey.columns.filter(({ index, name }) => !used.has(index) && !named.has(name));
  }

  #isOtherCurrency({ texts }: SeenColumn, kind: ColumnKind): boolean {
    return kind === 'currencies' && texts.some((text) => currencyOf(text) !== this.#facts.currency);
  }

  /**
   * An own account is one that the whole file shares and that no payee column goes with, or each of several that stand
   * left of the days. An account beside payees is that of the other side.
   */
  #placeAccount(): void {
    const column = this.#seen('account');
    const place = this.#plain.get('account');
    if (column === undefined || place === undefined) return;
    if (column.values.size === 0) {
      this.#plain.delete('account');
      return;
    }
    const keys = new Set(column.texts.map(accountKey));
    const { account } = this.#facts;
    const hasPayees = this.#plain.has('counterparty');
    const isShared = keys.size === 1;
    const isLeft = column.index < (this.#plain.get('bookingDate')?.index ?? 0);
    const isOwn =
      account === undefined ? !hasPayees && (isShared || isLeft) : isShared && keys.has(accountKey(account));
    if (isOwn) {
      if (column.emptyAt !== undefined) {
        throw noProposal(`line ${column.emptyAt}, column ${quoted(column.name)}: expected the account, got nothing`);
      }
      return;
    }
    this.#plain.delete('account');
    const isPayees =
      hasPayees && (!isShared || account !== undefined) && (account === undefined || !keys.has(accountKey(account)));
    if (isPayees && !this.#plain.has('counterpartyAccount')) this.#plain.set('counterpartyAccount', place);
    else this.#doubts.push({ column, kind: 'accounts' });
  }

  #placeCurrency(): void {
    const named = this.#seen('currency');
    if (this.#plain.has('currency') && named !== undefined) {
      const stranger = named.texts.find((text) => currencyOf(text) === undefined);
      if (stranger !== undefined) {
        throw noProposal(`column ${quoted(named.name)}: expected a currency of ISO 4217, got ${quoted(stranger)}`);
      }
      const differs = this.#differsFromStated(named);
      if (named.values.size === 0 || differs) this.#plain.delete('currency');
      if (differs) this.#doubts.push({ column: named, kind: 'currencies' });
      return;
    }
    const found = this.#unread().filter((column) => column.kind(false) === 'currencies');
    const [only, second] = found;
    if (only === undefined || second !== undefined || only.name === '' || this.#differsFromStated(only)) return;
    this.#plain.set('currency', { name: only.name, index: only.index });
  }

  /** Whether a column of currencies names another one than the rows around the lines, the header or the amounts. */
  #differsFromStated({ texts }: SeenColumn): boolean {
    const { currency } = this.#facts;
    return currency !== undefined && texts.some((text) => currencyOf(text) !== currency);
  }

  #findStatus(): Words['status'] {
    const named = this.#header.columns.has('status') ? this.#seen('status') : undefined;
    if (named !== undefined && named.values.size > 0) {
      const found = statesOf(named);
      if (found !== undefined) return found;
      const stranger = [...named.values].find(([text]) => stateOf(text) === undefined);
      // A column of remarks may have the name of a column of states.
      const isRemark = named.name.toLowerCase() === 'info' && named.texts.every((text) => stateOf(text) === undefined);
      if (isRemark) return undefined;
      const [text, line] = stranger === undefined ? ['', named.emptyAt] : [stranger[0], stranger[1].line];
      throw noProposal(
        `line ${line ?? 0}, column ${quoted(named.name)}: ${quoted(text)} is not a known word for booked or pending; ` +
          'set columns.status in a profile',
      );
    }
    const found = this.#unread().flatMap((column) => cancelsOf(column) ?? statesOf(column) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Finds the column that says which amounts are debits; returns those of two words, one of which may say it. */
  #findDirection(): NonNullable<Words['direction']>[] {
    if (!this.#plain.has('amount')) return [];
    const { debit, credit } = this.#survey.marks.amount;
    const named = this.#header.columns.has('direction') ? this.#seen('direction') : undefined;
    const code = this.#seen('transactionCode');
    const columns = named === undefined ? [...this.#unread(), ...(code === undefined ? [] : [code])] : [named];
    const known = columns.filter(
      (column) => column.values.size > 0 && column.texts.every((text) => sideOf(text) !== undefined),
    );
    if (debit !== undefined || credit !== undefined) {
      known.forEach(refuseConflict);
      return [];
    }
    const [only, second] = known;
    if (second !== undefined) throw noProposal('two columns state debit or credit; set direction in a profile');
    if (only !== undefined && only.emptyAt === undefined) {
      this.#direction = wordsOf(only, (text) => sideOf(text));
      return [];
    }
    for (const column of columns) this.#requireNoStranger(column, column === named);
    const doubtful = columns.filter((column) => column.kind(this.#facts.wholeAmounts) === 'words' && column !== code);
    this.#doubts.push(...doubtful.map((column) => ({ column, kind: 'directions' as const })));
    return [...doubtful, ...(code === undefined ? [] : [code])].flatMap((column) => {
      const [a = '', b, ...more] = column.texts;
      if (b === undefined || more.length > 0 || column.emptyAt !== undefined) return [];
      return [a, b].map((debitWord) => wordsOf(column, (text) => (text === debitWord ? 'debit' : 'credit')));
    });
  }

  #requireNoStranger(column: SeenColumn, isNamed: boolean): void {
    if (!column.isFew(8) || column.values.size === 0) return;
    const stranger = [...column.values].find(([text]) => sideOf(text) === undefined);
    const isKnown = column.texts.some((text) => directionOf(text) !== undefined);
    if (stranger === undefined || !(isKnown || isNamed)) return;
    const [text, { line }] = stranger;
    if (isNamed && !isKnown && column.values.size === 2) return;
    throw noProposal(
      `line ${line}, column ${quoted(column.name)}: ${quoted(text)} is not a known word for debit or credit, ` +
        'and the amounts have no sign',
    );
  }

  #balanceMarks(): Words['direction'] {
    const at = this.#plain.get('balance')?.index;
    const column = at === undefined || this.#plain.has('amount') ? undefined : this.#survey.columns[at + 1];
    if (column === undefined || column.name === '' || !this.#unread().includes(column)) return undefined;
    const sides = column.texts.map((text) => sideOf(text));
    return sides.includes('debit') && !sides.includes(undefined) ? wordsOf(column, (text) => sideOf(text)) : undefined;
  }
}

function refuseConflict(column: SeenColumn): void {
  for (const [text, { negative, positive }] of column.values) {
    const side = sideOf(text);
    const line = side === 'debit' ? positive : negative;
    if (line === undefined) continue;
    throw noProposal(`line ${line}: the sign of the amount and the word for ${side ?? ''} contradict each other`);
  }
}

/** Returns the words of a column by their side; the usual ones for a side that the file does not have. */
function wordsOf(column: SeenColumn, side: (text: string) => Direction | undefined): NonNullable<Words['direction']> {
  const words = (wanted: Direction): string[] => {
    const written = column.texts.filter((text) => side(text) === wanted);
    return written.length > 0 ? written : [wanted === 'debit' ? 'D' : 'C'];
  };
  return { column: column.name, debit: words('debit'), credit: words('credit') };
}

function statesOf(column: SeenColumn): Words['status'] {
  const { texts, name } = column;
  if (name === '' || column.emptyAt !== undefined || texts.length > 20) return undefined;
  const words = (wanted: State): string[] => texts.filter((text) => stateOf(text) === wanted);
  if (texts.length === 0 || texts.some((text) => stateOf(text) === undefined)) return undefined;
  const booked = words('booked');
  return {
    column: name,
    booked: booked.length > 0 ? booked : ['booked'],
    pending: words('pending'),
    rejected: words('rejected'),
  };
}

const YES = ['o', 'oui', 'x', 'y', 'yes', 'ja', '1', 'true', 'vrai', 'نعم'];
const NO = ['n', 'non', 'no', 'nein', '0', 'false', 'faux', 'لا'];

/** Returns the states of a column such as `Extourne`, whose mark takes a line back. */
function cancelsOf(column: SeenColumn): Words['status'] {
  const { texts, name } = column;
  if (!isCancelHeading(name) || texts.length === 0) return undefined;
  const isOf = (words: readonly string[]) => (text: string) => words.includes(text.toLowerCase());
  if (!texts.every((text) => isOf(YES)(text) || isOf(NO)(text))) return undefined;
  const booked = texts.filter(isOf(NO));
  return {
    column: name,
    booked: booked.length > 0 ? booked : ['non'],
    pending: [],
    rejected: texts.filter(isOf(YES)),
    ...(column.emptyAt === undefined ? {} : { emptyIsBooked: true }),
  };
}
