import { ownValue } from '../../kernel';
import { isWebUrl } from '../core/web-url';

const REQUIRED = 'This field is required.';
const NOT_AN_INTEGER = 'A valid integer is required.';

export interface TextLimits {
  readonly max: number;
  /** Whether an empty text is valid. */
  readonly blank?: boolean;
}

export interface WholeLimits {
  readonly min: number;
  readonly max?: number;
  /** Messages that replace the default ones. */
  readonly below?: string;
  readonly above?: string;
}

/**
 * Reads the fields of a request's body and collects their faults, in the shape `{<field>: [<reason>]}` of interface
 * section 7.1. A faulty field reads as a harmless placeholder: check `faults` before using any.
 */
export class FieldReader {
  readonly faults: Record<string, string[]> = {};
  readonly #body: Readonly<Record<string, unknown>>;

  constructor(body: Readonly<Record<string, unknown>>) {
    this.#body = body;
  }

  value(name: string): unknown {
    return ownValue(this.#body, name);
  }

  refuse(name: string, reason: string): void {
    (this.faults[name] ??= []).push(reason);
  }

  /** Returns `otherwise` for an absent field; a field read without `optional` is required. */
  optional<T, U>(name: string, otherwise: U, read: (name: string) => T): T | U {
    return this.value(name) === undefined ? otherwise : read(name);
  }

  /** Counts characters as code points (open point 62). */
  text(name: string, { max, blank = false }: TextLimits): string {
    const value = this.#present(name);
    if (value === undefined) return '';
    if (typeof value !== 'string') {
      this.refuse(name, 'Not a valid string.');
      return '';
    }
    if (value.trim() === '' && !blank) this.refuse(name, 'This field may not be blank.');
    else if (Array.from(value).length > max) this.refuse(name, `Ensure this field has no more than ${max} characters.`);
    return value;
  }

  whole(name: string, { min, max, below, above }: WholeLimits): number {
    const value = this.#present(name);
    if (value === undefined) return min;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      this.refuse(name, NOT_AN_INTEGER);
      return min;
    }
    if (value < min) this.refuse(name, below ?? `Ensure this value is greater than or equal to ${min}.`);
    else if (max !== undefined && value > max) {
      this.refuse(name, above ?? `Ensure this value is less than or equal to ${max}.`);
    }
    return value;
  }

  oneOf<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = this.#present(name);
    const choice = choices.find((each) => each === value);
    if (value !== undefined && choice === undefined) {
      this.refuse(name, `${JSON.stringify(value)} is not a valid choice.`);
    }
    return choice ?? choices[0];
  }

  flag(name: string): boolean {
    const value = this.#present(name);
    if (value !== undefined && typeof value !== 'boolean') this.refuse(name, 'Must be a valid boolean.');
    return value === true;
  }

  link(name: string): string {
    const value = this.#present(name);
    if (value !== undefined && !isWebUrl(value)) this.refuse(name, 'Must be an https URL.');
    return typeof value === 'string' ? value : '';
  }

  #present(name: string): unknown {
    const value = this.value(name);
    if (value === undefined) this.refuse(name, REQUIRED);
    else if (value === null) this.refuse(name, 'This field may not be null.');
    return value ?? undefined;
  }
}
