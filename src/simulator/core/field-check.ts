import { addToGroup, type Instant, isUuid, type Millimes, millimes, parseInstant, ZERO_MILLIMES } from '../../kernel';
import { fieldErrors } from './answers';
import type { SimAnswer, SimRequest } from './operation';
import { bodyField } from './requests';
import { isWebUrl } from './web-url';

const TEXT_CHARACTERS_MAX = 255;
const REQUIRED = 'is required';

/** One invalid field, with the name that the interface gives it. */
export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

/**
 * Collects the errors in the fields of a request. Each check returns the value, or a placeholder for a refused one, so
 * that a request can be read in one pass. Use no value while faults exist.
 */
export class FieldCheck {
  readonly #faults: FieldFault[] = [];
  readonly #read: (name: string) => unknown;

  private constructor(read: (name: string) => unknown) {
    this.#read = read;
  }

  static ofBody(request: SimRequest): FieldCheck {
    return new FieldCheck((name) => bodyField(request, name));
  }

  static ofQuery({ query }: SimRequest): FieldCheck {
    return new FieldCheck((name) => query.get(name));
  }

  get faults(): readonly FieldFault[] {
    return this.#faults;
  }

  /** Returns the answer of section 7.1 to the faults; `undefined` without faults. */
  refusal(): SimAnswer | undefined {
    if (this.#faults.length === 0) return undefined;
    const fields = new Map<string, string[]>();
    for (const { field, reason } of this.#faults) addToGroup(fields, field, reason);
    return fieldErrors(Object.fromEntries(fields));
  }

  refuse(field: string, reason: string): void {
    this.#faults.push({ field, reason });
  }

  /** Returns whether the field is set: null, empty and absent count as not set. */
  has(name: string): boolean {
    return (this.#read(name) ?? '') !== '';
  }

  text(name: string): string {
    if (!this.has(name)) this.refuse(name, REQUIRED);
    return this.textOrNull(name) ?? '';
  }

  textOrNull(name: string): string | null {
    if (!this.has(name)) return null;
    const value = this.#read(name);
    if (typeof value !== 'string') this.refuse(name, 'is not a string');
    else if (value.length > TEXT_CHARACTERS_MAX) this.refuse(name, `is longer than ${TEXT_CHARACTERS_MAX} characters`);
    else return value;
    return null;
  }

  /** Returns the uuid in lower case, because its case has no meaning. */
  uuid(name: string): string {
    const value = this.text(name);
    if (value !== '' && !isUuid(value)) this.refuse(name, 'is not a uuid');
    return value.toLowerCase();
  }

  /** Reads a JSON integer above zero; digits in a string are refused. */
  amount(name: string): Millimes {
    const value = this.#read(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return millimes(value);
    this.refuse(name, this.has(name) ? 'is not a whole number of millimes above 0' : REQUIRED);
    return ZERO_MILLIMES;
  }

  /** Reads an integer from the digits in a query. */
  whole(name: string, { min, max, fallback }: Readonly<Record<'min' | 'max' | 'fallback', number>>): number {
    const text = this.textOrNull(name);
    if (text === null) return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    if (value !== undefined && value >= min && value <= max) return value;
    this.refuse(name, `is not a whole number from ${min} to ${max}`);
    return fallback;
  }

  /** Reads ISO 8601 with an offset, as all timestamps of the interface. */
  instant(name: string): Instant | undefined {
    const text = this.textOrNull(name);
    if (text === null) return undefined;
    const instant = parseInstant(text);
    if (instant === undefined) this.refuse(name, 'is not an ISO 8601 time with an offset');
    return instant;
  }

  webUrl(name: string): string | null {
    if (!this.has(name)) return null;
    const value = this.#read(name);
    if (typeof value === 'string' && isWebUrl(value)) return value;
    this.refuse(name, 'is not an https URL');
    return null;
  }
}
