import { quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { headerSeen } from './detect-profile';
import { type Heading, headings, LIKELY_DELIMITERS } from './find-header';
import { type ColumnRole, comparable, KNOWN_COLUMNS, type Language, LANGUAGES } from './known-columns';
import { noProposal } from './no-proposal';
import type { RowSource } from './row-source';

export interface ProposedColumn {
  readonly name: string;
  readonly index: number;
}

/** The header of a file that no profile knows, with the meaning of its known words. */
export interface ProposedHeader extends Heading {
  readonly delimiter: string;
  readonly columns: ReadonlyMap<ColumnRole, ProposedColumn>;
  /** Whether its language writes the day before the month; undefined if its words do not show the language. */
  readonly dayFirst: boolean;
  /** The currencies that the columns of amounts name, as in `Montant (TND)`. */
  readonly currencies: ReadonlySet<string>;
}

interface KnownName {
  readonly role: ColumnRole;
  readonly rank: number;
  readonly languages: readonly Language[];
}

/** If two names are equally clear, either may serve for a text, but not for a day or an amount. */
const TEXTS: readonly ColumnRole[] = [
  'remittance',
  'counterparty',
  'counterpartyAccount',
  'reference',
  'transactionCode',
];
const AMOUNTS = ['debit', 'credit', 'amount', 'balance'] as const;
/** `en dinars tunisiens`, `D.T.` */
const CURRENCY_WORDS_MAX = 2;
const UNIT_BEHIND = / (?:exprimes? )?(?:(?:en|in) )?(?:k|milliers|thousands|millimes?|مليم)(?: .*)?$/u;
const MEANINGS = meaningsByName();

/**
 * Proposes the header. @throws AppError `bad_input` if no line is a header of known words, or its words are ambiguous.
 */
export function proposeHeader(source: RowSource, setAside: readonly string[] = []): ProposedHeader {
  // A name is in several possible headings. One that a person sets aside has no meaning.
  const known = new Map<string, StrippedName>(setAside.map((name) => [name, { key: '', currency: undefined }]));
  const strip = (name: string): StrippedName => {
    const stripped = known.get(name) ?? withoutCurrency(name);
    known.set(name, stripped);
    return stripped;
  };
  const candidates = LIKELY_DELIMITERS.flatMap((delimiter) =>
    headings(source, { delimiter, quote: '"' }).map((heading) => headerOf(heading, delimiter, strip)),
  ).sort((a, b) => heightOf(a) - heightOf(b) || a.header.line - b.header.line);
  const best = candidates.reduce<Candidate | undefined>(
    (found, candidate) => (found === undefined || candidate.score > found.score ? candidate : found),
    undefined,
  );
  if (best === undefined || best.missing.length > 0) {
    throw noProposal(
      ...headerSeen(source),
      ...(best === undefined || best.score === 0 ? [] : [`line ${best.header.line} names known columns`]),
      `expected a line with known names of ${(best?.missing ?? ['columns']).join(', ')}`,
    );
  }
  const [doubt] = best.doubts;
  if (doubt !== undefined) throw noProposal(`line ${best.header.line}: ${doubt}`);
  return best.header;
}

/** A heading of one row is likelier than the same names with a row above them. */
function heightOf({ header: { rows } }: Candidate): number {
  return rows.length;
}

interface Candidate {
  readonly header: ProposedHeader;
  readonly missing: readonly string[];
  readonly doubts: readonly string[];
  readonly score: number;
}

function headerOf(heading: Heading, delimiter: string, strip: (name: string) => StrippedName): Candidate {
  const { names } = heading;
  const stripped = names.map(strip);
  const taken = new Map<ColumnRole, ProposedColumn & { readonly languages: readonly Language[] }>();
  const doubts: string[] = [];
  for (const role of stripped.some(({ key }) => MEANINGS.has(key)) ? roles() : []) {
    const found = stripped
      .flatMap(({ key }, index) => {
        const known = MEANINGS.get(key)?.find((meaning) => meaning.role === role);
        return known === undefined ? [] : [{ ...known, name: names[index] ?? '', index }];
      })
      .filter(({ index }) => ![...taken.values()].some((column) => column.index === index))
      .sort((a, b) => a.rank - b.rank);
    const [first, second] = found;
    if (first === undefined) continue;
    if (second !== undefined && isUnclear(role, first, second)) {
      doubts.push(`the columns ${quoted(first.name)} and ${quoted(second.name)} may both be the ${role}`);
    }
    taken.set(role, first);
  }
  if (taken.has('amount') && taken.has('debit') !== taken.has('credit')) {
    doubts.push('there are an amount column and a column of debits or credits alone');
  }
  const columns = withOneWayOfAmounts(taken);
  const languages = [...columns.values()].map((column) => column.languages);
  const english = languages.some((all) => all.length === 1 && all[0] === 'english');
  const header: ProposedHeader = {
    ...heading,
    delimiter,
    columns,
    dayFirst: !english && languages.some((all) => !all.includes('english')),
    currencies: new Set(
      AMOUNTS.flatMap((role) => {
        const at = columns.get(role)?.index;
        return at === undefined ? [] : (stripped[at]?.currency ?? []);
      }),
    ),
  };
  const missing = missingIn(columns);
  return { header, missing, doubts, score: columns.size * (missing.length === 0 ? 100 : 1) };
}

function isUnclear(role: ColumnRole, first: KnownName, second: KnownName): boolean {
  return role === 'amount' || (first.rank === second.rank && !TEXTS.includes(role));
}

/** Returns the roles, the clearer ones first: a booking text is the remittance only without a better column. */
function roles(): ColumnRole[] {
  return Object.keys(KNOWN_COLUMNS).filter((name): name is ColumnRole => name in KNOWN_COLUMNS);
}

/** Debit and credit columns show the sign themselves; beside them an amount column only repeats them, and a direction may
 * be that of the balance. */
function withOneWayOfAmounts<T>(taken: ReadonlyMap<ColumnRole, T>): Map<ColumnRole, T> {
  const columns = new Map(taken);
  const twoColumns = columns.has('debit') && columns.has('credit');
  const unused: readonly ColumnRole[] = twoColumns ? ['amount'] : ['debit', 'credit'];
  if (twoColumns || columns.has('amount')) unused.forEach((role) => columns.delete(role));
  return columns;
}

function missingIn(columns: ReadonlyMap<ColumnRole, unknown>): string[] {
  const amounts = columns.has('amount') || (columns.has('debit') && columns.has('credit'));
  return [
    ...(columns.has('bookingDate') ? [] : ['the booking date']),
    ...(columns.has('remittance') ? [] : ['the description']),
    ...(amounts ? [] : ['the amount, or the debit and the credit']),
  ];
}

interface StrippedName {
  /** In the form of `comparable`. */
  readonly key: string;
  readonly currency: string | undefined;
}

/** Splits off the currency: `Montant (TND)` means `montant`, in TND. */
function withoutCurrency(heading: string): StrippedName {
  const name = heading.replace(/ \(\d\)$/u, '');
  const key = comparable(name);
  if (MEANINGS.has(key) && !name.includes('€')) return { key, currency: undefined };
  const words = comparable(name.replaceAll('€', ' eur ')).split(' ');
  for (let at = Math.max(1, words.length - CURRENCY_WORDS_MAX); at < words.length; at += 1) {
    const currency = currencyOf(words.slice(at).join(' '));
    const before = words
      .slice(0, at)
      .join(' ')
      .replace(/ (?:en|in)$/u, '');
    if (currency !== undefined) return { key: before, currency };
  }
  // `Montant en millimes` and `Débit (exprimé en dinars)` say the unit, which is read elsewhere.
  const plain = key.replace(UNIT_BEHIND, '');
  if (plain !== key && MEANINGS.has(plain)) return { key: plain, currency: undefined };
  return { key, currency: undefined };
}

function meaningsByName(): ReadonlyMap<string, readonly KnownName[]> {
  const meanings = new Map<string, KnownName[]>();
  for (const role of roles()) {
    for (const language of LANGUAGES) {
      (KNOWN_COLUMNS[role][language] ?? []).forEach((word, rank) => {
        const name = comparable(word);
        const others = meanings.get(name) ?? [];
        const same = others.find((meaning) => meaning.role === role);
        const joined: KnownName = {
          role,
          rank: Math.min(rank, same?.rank ?? rank),
          languages: [...(same?.languages ?? []), language],
        };
        meanings.set(name, [...others.filter((meaning) => meaning !== same), joined]);
      });
    }
  }
  return meanings;
}
