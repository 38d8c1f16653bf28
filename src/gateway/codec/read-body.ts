import { type BusinessCalendar, isJsonObject, type Millimes, ownValue } from '../../kernel';
import { isWebLink } from '../addresses';
import { decodeMillimes } from './decode-millimes';
import { decodeTime } from './gateway-time';
import { ShapeFault } from './shape-fault';

const CURRENCY = 'TND';

/**
 * Reads the fields of one JSON object of the gateway. Strict for money and identity, tolerant otherwise: unknown fields
 * and new words of an enumeration pass, an absent optional field is `undefined` or null.
 */
export class ReadBody {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #calendar: BusinessCalendar;
  readonly #timesWithoutOffset: string[] = [];

  constructor(raw: unknown, where: string, calendar: BusinessCalendar) {
    if (!isJsonObject(raw)) throw new ShapeFault(`${where} is not an object`);
    this.raw = raw;
    this.#where = where;
    this.#calendar = calendar;
  }

  object(name: string): ReadBody {
    return new ReadBody(this.value(name), `${this.#where}.${name}`, this.#calendar);
  }

  /** Reads an array of objects; `decode` reads each. */
  list<T>(name: string, decode: (item: ReadBody) => T): T[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.fault(name, 'is not an array');
    return value.map((item, index) => decode(new ReadBody(item, `${this.#where}.${name}[${index}]`, this.#calendar)));
  }

  /** Reads a required, non-empty text, for fields that identify or decide something. */
  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== 'string' || value === '') throw this.fault(name, 'is not a text');
    return value;
  }

  /** Reads a text that may be empty, null or missing. */
  textOrNull(name: string): string | null {
    const value = this.value(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw this.fault(name, 'is not a text');
    return value;
  }

  /** Reads an address that a browser may open. */
  link(name: string): string {
    const value = this.text(name);
    if (!isWebLink(value)) throw this.fault(name, 'is not a web address');
    return value;
  }

  /** Reads a link that may be empty, null or missing. */
  linkOrNull(name: string): string | null {
    return this.isAbsent(name) ? null : this.link(name);
  }

  /**
   * Reads the currency of the amounts in this object. In another currency the same digits would be other money (open
   * point 120).
   */
  currency(name: string): string {
    const value = this.text(name);
    if (value !== CURRENCY) throw this.fault(name, `is not ${CURRENCY}`);
    return value;
  }

  currencyOrNull(name: string): string | null {
    return this.isAbsent(name) ? null : this.currency(name);
  }

  /** Reads an amount: a JSON integer or its digits, never negative (open point 1). */
  millimes(name: string): Millimes {
    const amount = this.amount(name, 'unsigned');
    if (amount === undefined) throw this.fault(name, 'is not a whole number of millimes');
    return amount;
  }

  /** Reads an amount that may not exist yet: `""`, null and missing are null, never zero (open point 26). */
  millimesOrNull(name: string): Millimes | null {
    return this.isAbsent(name) ? null : this.millimes(name);
  }

  /** Reads a balance. Only balances may be negative. */
  signedMillimes(name: string): Millimes {
    const amount = this.amount(name, 'signed');
    if (amount === undefined) throw this.fault(name, 'is not a whole number of millimes');
    return amount;
  }

  whole(name: string): number {
    const value = this.value(name);
    if (!Number.isSafeInteger(value)) throw this.fault(name, 'is not a whole number');
    return value === 0 ? 0 : (value as number); // never -0
  }

  wholeOrNull(name: string): number | null {
    const value = this.value(name);
    return value === undefined || value === null ? null : this.whole(name);
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.fault(name, 'is neither true nor false');
    return value;
  }

  /**
   * Reads a timestamp as UTC ISO 8601 text. Null, empty, missing and unreadable become null: no timestamp decides about
   * money, and `raw` has the original. `as` is the name of the field in the result.
   */
  time(name: string, as: string): string | null {
    const time = decodeTime(this.value(name), this.#calendar);
    if (time === undefined) return null;
    if (time.assumedOffset) this.#timesWithoutOffset.push(as);
    return time.text;
  }

  requiredTime(name: string, as: string): string {
    const time = this.time(name, as);
    if (time === null) throw this.fault(name, 'is not a timestamp');
    return time;
  }

  /**
   * Returns the result field that lists timestamps without an offset, which were read in the configured time zone (open
   * point 3).
   */
  assumedOffset(): { readonly assumedOffset?: readonly string[] } {
    return this.#timesWithoutOffset.length === 0 ? {} : { assumedOffset: [...this.#timesWithoutOffset] };
  }

  /** Reads an object of unknown shape: names in camelCase, values unchanged; empty when it is absent. */
  camelCased(name: string): Readonly<Record<string, unknown>> {
    const value = this.value(name);
    if (!isJsonObject(value)) return {};
    const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
      key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      inner,
    ]);
    return Object.fromEntries(entries);
  }

  /** Returns whether `next` names another page. The interface does not define its type (open point 63). */
  hasNext(): boolean {
    const next = this.value('next');
    return next !== undefined && next !== null && next !== false && next !== '';
  }

  /** Returns the row count of all pages, from a number or its digits; undefined when the gateway gave none. */
  rowCount(): number | undefined {
    const value = this.value('count');
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return isCount(count) ? count : undefined;
  }

  value(name: string): unknown {
    return ownValue(this.raw, name);
  }

  fault(name: string, what: string): ShapeFault {
    return new ShapeFault(`${this.#where}.${name} ${what}`);
  }

  private isAbsent(name: string): boolean {
    const value = this.value(name);
    return value === undefined || value === null || value === '';
  }

  private amount(name: string, sign: 'signed' | 'unsigned'): Millimes | undefined {
    return decodeMillimes(this.value(name), sign);
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
