import { isUtf8 } from 'node:buffer';
import {
  type BusinessDate,
  isJsonObject,
  millimes,
  ownValue,
  parseBusinessDate,
  parseStrictJson,
  quoted,
} from '../../kernel';
import { CHANNELS, FEE_ROUNDINGS, type FeeRule } from '../match-request';
import type { InputFile } from './csv-rows';
import { FaultList } from './fault-list';

const KEYS = ['channel', 'rate_ppm', 'fixed_millimes', 'tva_ppm', 'rounding', 'basis', 'from'];
const BASES = ['item', 'payout'] as const;
/** The file is a list of flat objects. */
const DEPTH_MAX = 2;
const BYTES_MAX = 1_000_000;
const RULES_MAX = 1_000;
const PPM_MAX = 1_000_000;
/** A fixed fee above a million dinars is a mistake. */
const FIXED_MAX = 1_000_000_000;

const JSON_FAULT = {
  not_json: 'is not JSON',
  too_deep: 'must be a list of flat objects',
  duplicate_key: 'names a key twice in one object',
} as const;

/**
 * Reads one `fees.json`.
 * @throws AppError `file_faults`, which names the file and the entry.
 */
export function readFeesFile(file: InputFile): FeeRule[] {
  const faults = new FaultList();
  const rules = readFees(file, faults);
  faults.throwIfAny();
  return rules;
}

/** Reads `fees.json`: the gateway's fees by channel and first day. The result is valid only if no fault was noted. */
export function readFees(file: InputFile, faults: FaultList): FeeRule[] {
  const rules = decodeList(file.bytes);
  if (typeof rules === 'string') {
    faults.add(file.name, rules);
    return [];
  }
  const read = rules.map((value, index) =>
    readRule(value, (key, reason) => {
      faults.add(`${file.name}, [${index}]${key === '' ? '' : `.${key}`}`, reason);
    }),
  );
  refuseTwice(read, (index) =>
    faults.add(`${file.name}, [${index}]`, 'is about the same channel and day as one before'),
  );
  return read.filter((rule) => rule !== undefined);
}

function decodeList(bytes: Uint8Array): readonly unknown[] | string {
  if (bytes.length > BYTES_MAX) return `is larger than ${BYTES_MAX} bytes`;
  if (!isUtf8(bytes)) return 'is not UTF-8';
  const text = new TextDecoder().decode(bytes); // removes a byte order mark
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok) return JSON_FAULT[json.fault];
  if (!Array.isArray(json.value)) return 'must be a list';
  return json.value.length > RULES_MAX ? `has more than ${RULES_MAX} entries` : json.value;
}

type Note = (key: string, reason: string) => void;

function readRule(value: unknown, note: Note): FeeRule | undefined {
  if (!isJsonObject(value)) {
    note('', 'must be an object');
    return undefined;
  }
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) note('', `has the unknown key ${quoted(unknown)}`);
  const channel = oneOf(value, 'channel', CHANNELS, note);
  const ratePpm = count(value, 'rate_ppm', PPM_MAX, note);
  const fixedMillimes = count(value, 'fixed_millimes', FIXED_MAX, note);
  const tvaPpm = count(value, 'tva_ppm', PPM_MAX, note);
  const rounding = oneOf(value, 'rounding', FEE_ROUNDINGS, note);
  const basis = oneOf(value, 'basis', BASES, note);
  const from = fromDay(value, note);
  if (channel === undefined || ratePpm === undefined || fixedMillimes === undefined) return undefined;
  if (tvaPpm === undefined || rounding === undefined || basis === undefined || from === 'bad') return undefined;
  return { channel, ratePpm, fixedMillimes: millimes(fixedMillimes), tvaPpm, rounding, basis, from };
}

function oneOf<Name extends string>(
  object: Readonly<Record<string, unknown>>,
  key: string,
  names: readonly Name[],
  note: Note,
): Name | undefined {
  const value = ownValue(object, key);
  const name = names.find((each) => each === value);
  if (name === undefined) note(key, `must be one of ${names.join(', ')}`);
  return name;
}

function count(object: Readonly<Record<string, unknown>>, key: string, most: number, note: Note): number | undefined {
  const value = ownValue(object, key);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  note(key, `must be a whole number from 0 to ${most}`);
  return undefined;
}

function fromDay(object: Readonly<Record<string, unknown>>, note: Note): BusinessDate | undefined | 'bad' {
  const value = ownValue(object, 'from') ?? undefined;
  if (value === undefined) return undefined;
  const day = typeof value === 'string' ? parseBusinessDate(value) : undefined;
  if (day !== undefined) return day;
  note('from', 'must be a day from 1970 to 2199 as YYYY-MM-DD');
  return 'bad';
}

function refuseTwice(rules: readonly (FeeRule | undefined)[], refuse: (index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (rule === undefined) continue;
    const key = `${rule.channel} ${rule.from ?? ''}`;
    if (seen.has(key)) refuse(index);
    seen.add(key);
  }
}
