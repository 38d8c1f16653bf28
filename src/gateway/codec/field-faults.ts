import { isUuid, parseInstant } from '../../kernel';
import { isAllowedLink } from '../addresses';
import { isPathSegment } from '../transport/wire';
import { suggestFieldName } from './suggest-field-name';

/** The faulty fields of an input, with the reasons. Thrown before anything is sent. */
export class FieldFaults extends Error {
  override readonly name = 'FieldFaults';
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(fields: Readonly<Record<string, readonly string[]>>) {
    super(
      Object.entries(fields)
        .map(([name, reasons]) => `${name} ${reasons.join(', ')}`)
        .join('; '),
    );
    this.fields = fields;
  }
}

const LINK_CHARACTERS_MAX = 2_000;
const TEXT_CHARACTERS_MAX = 2_000;

/**
 * Collects the errors of an input before it is sent, under the caller's field names. Each check returns the value, or a
 * placeholder of its type for a bad one. So one expression can build the whole request, and `done` refuses it at the
 * end.
 */
export class InputCheck {
  readonly #fields = new Map<string, readonly string[]>();
  readonly #read = new Set<string>();
  readonly #input: Readonly<Record<string, unknown>>;

  constructor(input: unknown) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new FieldFaults({ arguments: ['must be one object'] });
    }
    this.#input = input as Readonly<Record<string, unknown>>;
  }

  /** Reads an integer number of millimes above zero. */
  amount(name: string, min = 1): number {
    const value = this.value(name);
    if (isWhole(value) && value >= min) return value;
    this.refuse(name, `must be a whole number of millimes, at least ${min}`);
    return Number.NaN;
  }

  text(name: string, { max = TEXT_CHARACTERS_MAX }: { readonly max?: number } = {}): string {
    if (this.value(name) === '') this.refuse(name, 'must not be empty');
    return this.possiblyEmptyText(name, { max });
  }

  possiblyEmptyText(name: string, { max }: { readonly max: number }): string {
    const value = this.value(name);
    // Open point 62: "characters" may mean code points or UTF-16 units. The UTF-16 count is never smaller, so it is the
    // stricter.
    if (typeof value !== 'string') this.refuse(name, 'must be a text');
    else if (value.length > max) this.refuse(name, `must have at most ${max} characters`);
    else if (!value.isWellFormed()) this.refuse(name, 'must be well-formed Unicode');
    else return value;
    return '';
  }

  /** Reads a text that goes unchanged into a header. */
  headerText(name: string): string {
    const value = this.text(name);
    if (!/^[\x21-\x7e]*$/.test(value)) this.refuse(name, 'must be visible ASCII');
    return value;
  }

  link(name: string): string {
    const value = this.text(name, { max: LINK_CHARACTERS_MAX });
    if (value !== '' && !isAllowedLink(value)) {
      this.refuse(name, 'must be an https URL, or http on a loopback address');
    }
    return value;
  }

  uuid(name: string): string {
    const value = this.value(name);
    if (typeof value === 'string' && isUuid(value)) return value;
    this.refuse(name, 'must be a UUID');
    return '';
  }

  instant(name: string): string {
    const value = this.value(name);
    if (typeof value === 'string' && parseInstant(value) !== undefined) return value;
    this.refuse(name, 'must be an ISO 8601 instant with an offset');
    return '';
  }

  whole(name: string, min: number, max: number): number {
    const value = this.value(name);
    if (isWhole(value) && value >= min && value <= max) return value;
    this.refuse(name, `must be a whole number from ${min} to ${max}`);
    return Number.NaN;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false');
    return false;
  }

  oneOf<T extends string | number>(name: string, words: readonly [T, ...T[]]): T {
    const value = this.value(name);
    const word = words.find((known) => known === value);
    if (word === undefined) this.refuse(name, `must be one of ${words.join(', ')}`);
    return word ?? words[0];
  }

  /** Reads a text that goes into a path. */
  id(name: string): string {
    const value = this.text(name);
    if (!isPathSegment(value)) this.refuse(name, 'must not be a step of a path');
    return value;
  }

  /**
   * Returns `{ [wireName]: value }` when the caller set the field, otherwise nothing: the client sends only fields that
   * were set.
   */
  given<T>(name: string, wireName: string, check: (name: string) => T): Readonly<Record<string, T>> {
    return this.value(name) === undefined ? {} : { [wireName]: check(name) };
  }

  value(name: string): unknown {
    this.#read.add(name);
    return this.#input[name];
  }

  refuse(name: string, reason: string): void {
    this.#fields.set(name, [...(this.#fields.get(name) ?? []), reason]);
  }

  /**
   * Ends the check. Also refuses fields that no check read: dropping a misspelled field would change the
   * request, for example into a capture of the whole amount. An undefined field counts as not set.
   *
   * @throws FieldFaults when any check failed.
   */
  done(): void {
    for (const [name, value] of Object.entries(this.#input)) {
      if (value === undefined || this.#read.has(name)) continue;
      const meant = suggestFieldName(name, [...this.#read]);
      this.refuse(name, `is not a field of this call${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    }
    if (this.#fields.size > 0) throw new FieldFaults(Object.fromEntries(this.#fields));
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
