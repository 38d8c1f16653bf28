import { type Clock, DAY_MS, isJsonObject, MINUTE_MS, quoted, SECOND_MS, systemClock } from '../kernel';
import { type Logger, silentLogger } from '../logging';
import { readBaseUrl } from './addresses';
import type { BudgetStore } from './budget/budget-store';
import { copyInput } from './codec/copy-input';
import { GatewayError } from './gateway-error';
import { safeClock } from './safe-clock';
import { safeLogger } from './safe-logger';
import { valueKind } from './value-kind';

/** The options of the client. Their secrets stay in closures: no object that the client returns contains them. */
export interface GatewayClientOptions {
  /** `{base_url}` of the interface: https, or http on a loopback address. A trailing slash is trimmed. */
  readonly baseUrl: string;
  /** The application credential (interface section 5). Without the pair only the operations with `apiKey` work. */
  readonly publicKey?: string | undefined;
  readonly privateKey?: string | undefined;
  /** The special key of QR operations and `wallet.authenticate`. */
  readonly apiKey?: string | undefined;
  /** Which of the two documented path families POS calls use. Default `api`. */
  readonly posFamily?: 'api' | 'partners' | undefined;
  /**
   * The total time of one call in milliseconds, including retries and reading the body. Default 15,000; at most
   * 120,000.
   */
  readonly timeoutMs?: number | undefined;
  /** The client asks Verify Payment at most once per payment in this time, in milliseconds. Default 30,000. */
  readonly verifySpacingMs?: number | undefined;
  /** The business clock. Default: the system's. If it fails, the operation that reads it throws `validation`. */
  readonly clock?: Clock | undefined;
  /** Receives one line per call, without customer identifiers and credentials. Default: silent. */
  readonly logger?: Logger | undefined;
  /**
   * Limits of the calls that the gateway counts. With a shared `store` the limits apply to all processes together;
   * otherwise to this client alone.
   */
  readonly budget?: GatewayBudgetOptions | undefined;
  /** The time zone of timestamps without an offset. Default `Africa/Tunis`. */
  readonly timeZone?: string | undefined;
}

export interface GatewayBudgetOptions {
  readonly store?: BudgetStore | undefined;
  /** Verify requests in any 60 s, over all payments. Default 30. */
  readonly verifiesPerMinute?: number | undefined;
  /** Subscription creations in any 60 s. Default 60, the gateway's limit (interface section 8). */
  readonly creationsPerMinute?: number | undefined;
  /** How long the client sends no Verify after the gateway refused further calls, in milliseconds. Default 900,000. */
  readonly circuitMs?: number | undefined;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly publicKey: string | undefined;
  readonly appCredential: string | undefined;
  readonly apiKey: string | undefined;
  readonly posFamily: 'api' | 'partners';
  readonly timeoutMs: number;
  readonly verifySpacingMs: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly budget: GatewayBudgetOptions;
  readonly timeZone: string;
}

const OPERATION = 'createGatewayClient';
const OMIT = 'correct it, or omit it for the default';
const TIME_ZONE_DEFAULT = 'Africa/Tunis';
const TIMEOUT_DEFAULT_MS = 15 * SECOND_MS;
const TIMEOUT_MIN_MS = 1;
const TIMEOUT_MAX_MS = 2 * MINUTE_MS;
const PER_MINUTE_MAX = 6_000;
// Visible ASCII except the colon. Other characters are invalid in a header, and a colon would split the key pair
// wrongly.
const KEY_FORM = /^[\x21-\x39\x3b-\x7e]+$/;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws GatewayError `validation`; `fields` names each bad option and its fault, and shows no key and no address.
 */
export function readClientOptions(given: GatewayClientOptions): ClientSettings {
  const check = new OptionsCheck(given);
  const publicKey = check.key('publicKey');
  const privateKey = check.key('privateKey');
  check.together('publicKey', 'privateKey');
  const { store, ...limits } = check.budget();
  const settings = {
    baseUrl: readBaseUrl(check.value('baseUrl'), (reason) => check.refuse('baseUrl', reason)) ?? '',
    publicKey,
    appCredential: publicKey === undefined || privateKey === undefined ? undefined : `${publicKey}:${privateKey}`,
    apiKey: check.key('apiKey'),
    posFamily: check.posFamily(),
    timeoutMs: check.whole('timeoutMs', TIMEOUT_MIN_MS, TIMEOUT_MAX_MS) ?? TIMEOUT_DEFAULT_MS,
    verifySpacingMs: check.whole('verifySpacingMs', 0, DAY_MS),
    clock: safeClock(check.withMethods<Clock>('clock', ['now']) ?? systemClock, OPERATION),
    logger: safeLogger(check.withMethods<Logger>('logger', ['error', 'warn', 'info', 'debug']) ?? silentLogger),
    budget: { store, ...limits },
    timeZone: check.timeZone(),
  };
  check.done();
  return settings;
}

/** Reads the options one by one and collects their errors. */
class OptionsCheck {
  readonly #fields: Record<string, string[]> = {};
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(given: unknown) {
    const options = copyInput(OPERATION, given);
    if (!isJsonObject(options)) {
      this.refuse('options', `expected one object, got ${valueKind(options)}; pass at least { baseUrl }`);
    }
    this.#options = isJsonObject(options) ? options : {};
  }

  value(name: string): unknown {
    return this.#options[name];
  }

  key(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? value.trim() : '';
    if (KEY_FORM.test(text)) return text;
    const expected = 'visible ASCII characters without a colon, a space or a line break';
    const got = text === '' ? valueKind(value) : 'others (not shown)';
    return this.refuse(name, `expected ${expected}, got ${got}; copy the key again`);
  }

  together(one: string, other: string): void {
    const missing = [one, other].filter((name) => this.value(name) === undefined);
    if (missing.length !== 1) return;
    this.refuse(missing.join(), `expected ${one} and ${other} together, got one of them; pass both or neither`);
  }

  whole(name: string, min: number, max: number, value = this.value(name)): number | undefined {
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    return this.refuse(name, `expected a whole number from ${min} to ${max}, got ${shown(value)}; ${OMIT}`);
  }

  /** Checks only that the methods exist. A faulty method shows when it is called. */
  withMethods<T extends object>(
    name: string,
    methods: readonly (keyof T & string)[],
    value = this.value(name),
  ): T | undefined {
    if (value === undefined) return undefined;
    const object: Readonly<Record<string, unknown>> = isJsonObject(value) ? value : {};
    const missing = methods.filter((method) => typeof object[method] !== 'function');
    if (missing.length === 0) return value as T;
    const got = isJsonObject(value) ? `one without ${calls(missing)}` : valueKind(value);
    return this.refuse(name, `expected an object with ${calls(methods)}, got ${got}; ${OMIT}`);
  }

  posFamily(): 'api' | 'partners' {
    const value = this.value('posFamily') ?? 'api';
    if (value === 'api' || value === 'partners') return value;
    this.refuse('posFamily', `expected api or partners, got ${shown(value)}; ${OMIT}`);
    return 'api';
  }

  timeZone(): string {
    const value = this.value('timeZone') ?? TIME_ZONE_DEFAULT;
    if (typeof value === 'string' && isTimeZone(value)) return value;
    this.refuse('timeZone', `expected an IANA time zone such as Europe/Paris, got ${shown(value)}; ${OMIT}`);
    return TIME_ZONE_DEFAULT;
  }

  budget(): GatewayBudgetOptions {
    const value = copyInput(OPERATION, this.value('budget') ?? {});
    if (!isJsonObject(value)) this.refuse('budget', `expected one object, got ${valueKind(value)}; ${OMIT}`);
    const given: Readonly<Record<string, unknown>> = isJsonObject(value) ? value : {};
    const { verifiesPerMinute, creationsPerMinute, circuitMs, store } = given;
    return {
      store: this.withMethods<BudgetStore>('budget.store', ['read', 'replace'], store),
      verifiesPerMinute: this.whole('budget.verifiesPerMinute', 1, PER_MINUTE_MAX, verifiesPerMinute),
      creationsPerMinute: this.whole('budget.creationsPerMinute', 1, PER_MINUTE_MAX, creationsPerMinute),
      circuitMs: this.whole('budget.circuitMs', 1, DAY_MS, circuitMs),
    };
  }

  refuse(name: string, reason: string): undefined {
    (this.#fields[name] ??= []).push(reason);
    return undefined;
  }

  /**
   * Ends the check.
   *
   * @throws GatewayError when any check failed.
   */
  done(): void {
    const refused = Object.entries(this.#fields);
    if (refused.length === 0) return;
    const message = refused.map(([name, reasons]) => `${name}: ${reasons.join(', ')}`).join('; ');
    throw new GatewayError('validation', message, { operation: OPERATION, fields: this.#fields });
  }
}

/** Shows the value of an option that holds no secret. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' ? String(value) : valueKind(value);
}

function calls(methods: readonly string[]): string {
  return methods.map((method) => `${method}()`).join(', ');
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-CA', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
