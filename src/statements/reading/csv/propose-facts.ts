import { quoted } from '../../../kernel';
import { amountParts } from '../amount-text';
import { currencyOf } from '../currencies';
import { dateReader } from '../date-text';
import type { CsvProfileText } from '../statement-profile';
import { balanceEnd } from './balance-end';
import { KNOWN_LABELS } from './known-labels';
import { balanceAround, currencyAround } from './labels-around';
import { noProposal } from './no-proposal';
import type { ProposedHeader } from './propose-header';
import type { Survey } from './survey-rows';

/** A part of a profile, and its reason. */
interface Proposed<T> {
  readonly part: T;
  readonly reason: string;
}

/** The unit of amounts in TND, and the currency, that the rows around the lines or the headings name. */
export interface StatedFacts {
  readonly currency: string | undefined;
  readonly currencyPart: Pick<CsvProfileText, 'currency'>;
  readonly unit: 'dinars' | 'millimes' | undefined;
  /** What states them, one sentence each. */
  readonly reasons: readonly string[];
}

const MILLIMES = /(?<!\p{L})(?:millimes?|مليم(?:ات)?)(?!\p{L})/iu;
const THOUSANDS = /(?<!\p{L})(?:milliers?|mille (?:dt|tnd|dinars?)|thousands?|k ?(?:dt|tnd|dinars?)|آلاف)(?!\p{L})/iu;
/** A dinar alone is the currency; as a unit, something is expressed in it. */
const IN_WORDS =
  /(?:exprim\S*|libell[ée]\S*|montants?|sommes?|soldes?|chiffres?|amounts?|unit[ée]?s?|figures|expressed)[^\p{L}]{1,3}(?:en |in )?(\p{L}[\p{L} .€]{1,30})/iu;

/**
 * Returns the currency and the unit that the file states outside its columns of currencies; neither is usual in Tunisia.
 * @throws AppError `bad_input` if it names several, or thousands.
 */
export function statedFacts(header: ProposedHeader, { sections, amounts }: Survey): StatedFacts {
  const rows = sections.flat().filter(({ dated }) => !dated);
  const texts = [
    ...rows.map(({ line, cells }) => ({ line, text: cells.filter((cell) => cell !== '').join(' ') })),
    ...header.names.map((text) => ({ line: header.line, text })),
  ];
  const labels = sections.flatMap((around) => currencyAround(around) ?? []);
  const stated = texts.flatMap(({ text }) => currencyOf(IN_WORDS.exec(text)?.[1]?.trim() ?? '') ?? []);
  const beside = amounts.flatMap(({ text }) => amountParts(text)?.currency ?? []);
  const ofLabels = labels.flatMap(({ text }) => currencyOf(text) ?? []);
  const others = new Set([...header.currencies, ...beside, ...stated]);
  const all = new Set([...ofLabels, ...others]);
  const [code, second] = all;
  if (second !== undefined && (labels.length === 0 || [...others].some((each) => !ofLabels.includes(each)))) {
    throw noProposal(
      `expected one currency, and the file names ${code ?? ''} and ${second}; set currency in a profile`,
    );
  }
  const [label] = labels;
  const where = header.currencies.size > 0 ? 'the header states' : beside.length > 0 ? 'amounts state' : 'a row states';
  const unit = statedUnit(texts);
  return {
    currency: code,
    currencyPart:
      label === undefined
        ? code === undefined
          ? {}
          : { currency: { fixed: code } }
        : { currency: { label: KNOWN_LABELS.currency } },
    unit: unit?.unit,
    reasons: [
      label === undefined
        ? code === undefined
          ? 'the file does not state its currency'
          : `${where} the currency: ${code}`
        : `line ${label.line} states the currency: ${label.text}`,
      ...(unit === undefined ? [] : [`line ${unit.line} states the unit of the amounts: ${unit.unit}`]),
    ],
  };
}

function statedUnit(
  texts: readonly { readonly line: number; readonly text: string }[],
): { readonly unit: 'dinars' | 'millimes'; readonly line: number } | undefined {
  const found = texts.flatMap(({ line, text }) => {
    if (THOUSANDS.test(text)) {
      throw noProposal(`line ${line}: expected amounts in dinars or millimes, got ${quoted(text.trim())}`);
    }
    const isDinars = /dinar|دينار/iu.test(IN_WORDS.exec(text)?.[1] ?? '');
    return [
      ...(MILLIMES.test(text) ? [{ unit: 'millimes' as const, line }] : []),
      ...(isDinars ? [{ unit: 'dinars' as const, line }] : []),
    ];
  });
  const [first] = found;
  const other = found.find(({ unit }) => unit !== first?.unit);
  if (first !== undefined && other !== undefined) {
    throw noProposal(
      `line ${other.line}: expected amounts in ${first.unit}, as line ${first.line} states, got ${other.unit}`,
    );
  }
  return first;
}

export function proposeAccount(
  { columns }: Pick<ProposedHeader, 'columns'>,
  label: string | undefined,
  text = '',
): Proposed<Pick<CsvProfileText, 'account'>> {
  const column = columns.get('account');
  if (column !== undefined) return { part: {}, reason: `the column ${quoted(column.name)} states the account` };
  if (label === undefined) return { part: {}, reason: 'the file does not state its account' };
  return { part: { account: { label } }, reason: `a label states the account: ${text}` };
}

/** Proposes the labels in the rows around the lines. */
export function proposeAround(
  { columns }: Pick<ProposedHeader, 'columns'>,
  { sections, bookingDates }: Survey,
  format: string,
): Pick<CsvProfileText, 'opening' | 'closing' | 'totals' | 'otherRows'> {
  const twoColumns = columns.has('debit');
  const around = sections.flat();
  const readDate = dateReader(format);
  const [first, ...others] = bookingDates.flatMap(({ text }) => readDate(text) ?? []).sort();
  const days = first === undefined ? undefined : { first, last: others.at(-1) ?? first };
  const labelOf = (which: 'opening' | 'closing'): Pick<CsvProfileText, typeof which> => {
    if (sections.some((rows) => balanceAround(rows, which) !== undefined)) {
      return { [which]: { label: KNOWN_LABELS[which] } };
    }
    const isDated = around.some((row) => balanceEnd(row, days, readDate) === which);
    return isDated ? { [which]: { label: KNOWN_LABELS.dated } } : {};
  };
  return {
    ...labelOf('opening'),
    ...labelOf('closing'),
    ...(twoColumns ? { totals: { label: KNOWN_LABELS.totals } } : {}),
    // The next file of the bank may have a second page.
    otherRows: [...(twoColumns ? [] : [KNOWN_LABELS.totals]), KNOWN_LABELS.other],
  };
}
