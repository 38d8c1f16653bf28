import { foldText, formatMoney, westernDigits } from '../../kernel';
import { type Decimal, unitsWithScale } from './decimal';

/** The number of decimals of each currency that does not have two (ISO 4217, list one). */
const EXPONENTS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLF: 4,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  UYW: 4,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};

/** The currencies with two decimals. A code in neither list is no currency, but probably a misread field. */
const TWO_DECIMALS = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ' +
    'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
    'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE ' +
    'SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ' +
    'ZWG'
  ).split(' '),
);

/** Withdrawn currencies, which old statements use (ISO 4217, list three). Those without decimals are second. */
const WITHDRAWN = new Set(
  (
    'AFA ATS AZM BGL BGN CSD CYP DEM EEK FIM FRF GHC GRD HRK IEP LTL LVL MRO MTL MZM NLG PLZ ROL RUR SDD SIT SKK SLL ' +
    'STD SRG VEB VEF YUM ZMK ZWL'
  ).split(' '),
);
const WITHDRAWN_WITHOUT_DECIMALS = new Set(['BEF', 'BYR', 'ESP', 'ITL', 'LUF', 'MGF', 'PTE', 'TRL']);

/** Returns the decimals of a currency; undefined for a code outside ISO 4217. */
export function exponentOf(currency: string): number | undefined {
  if (Object.hasOwn(EXPONENTS, currency)) return EXPONENTS[currency];
  if (WITHDRAWN_WITHOUT_DECIMALS.has(currency)) return 0;
  return TWO_DECIMALS.has(currency) || WITHDRAWN.has(currency) ? 2 : undefined;
}

/** The names that banks write instead of a code, in the form of `foldText`. A dinar alone is the Tunisian one here. */
const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TND: 'dt|d t|dinar|dinars|dinar tunisien|dinars tunisiens|tunisian dinar|tunisian dinars|دينار|دينار تونسي|د ت',
    EUR: 'euro|euros|يورو',
  }).flatMap(([code, names]) => names.split('|').map((name): [string, string] => [foldText(name), code])),
);

/**
 * Returns the code of a currency from its code or its usual names: `tnd`, `DT`, `Dinar tunisien`, `TND (dinar)`, `€`.
 * Undefined for any other text, and for two currencies.
 */
export function currencyOf(text: string): string | undefined {
  const parts = westernDigits(text)
    .replaceAll('€', ' EUR ')
    .split(/[()/:\u2013-]+/u);
  const codes = parts.filter((part) => part.trim() !== '').map(codeOf);
  return codes.every((code) => code === codes[0]) ? codes[0] : undefined;
}

function codeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return exponentOf(code) === undefined ? CODES_BY_NAME.get(foldText(text)) : code;
}

export type MinorUnits =
  | { readonly ok: true; readonly minor: number }
  /** The expected form, for a message. */
  | { readonly ok: false; readonly expected: string };

/**
 * Returns an amount as a safe integer of the currency's smallest unit: millimes for TND, cents for EUR, yen for JPY.
 */
export function toMinorUnits(amount: Decimal, currency: string): MinorUnits {
  const exponent = exponentOf(currency);
  if (exponent === undefined) return { ok: false, expected: 'an amount in a currency of ISO 4217' };
  const units = unitsWithScale(amount, exponent);
  if (units === undefined) return { ok: false, expected: `at most ${exponent} decimals, as ${currency} has` };
  const minor = Number(units);
  if (!Number.isSafeInteger(minor)) return { ok: false, expected: 'a smaller amount' };
  return { ok: true, minor };
}

/** Returns `-1234.567` for files and programs: the currency's decimals, a point, no grouping. */
export function minorUnitsText(minor: number | bigint, currency: string): string {
  const exponent = exponentOf(currency) ?? 0;
  const units = BigInt(minor);
  const digits = (units < 0n ? -units : units).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${units < 0n ? '-' : ''}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}

/** Formats an amount in the smallest unit of its currency for people: `1 234,50 EUR`, `-1 850,000 DT`. */
export function formatMinorUnits(minor: number | bigint, currency: string): string {
  return formatMoney(BigInt(minor), { decimals: exponentOf(currency) ?? 0, currency });
}

/** Formats an amount of a file for people, with the decimals of its currency, or more if it was written with more. */
export function formatDecimal({ units, scale }: Decimal, currency: string | undefined): string {
  const exponent = currency === undefined ? undefined : exponentOf(currency);
  const minor = exponent === undefined ? undefined : unitsWithScale({ units, scale }, exponent);
  return exponent === undefined || minor === undefined
    ? formatMoney(units, { decimals: scale, currency })
    : formatMoney(minor, { decimals: exponent, currency });
}
