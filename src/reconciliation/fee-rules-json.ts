import { assert, isJsonObject, millimes, parseBusinessDate } from '../kernel';
import { CHANNELS, FEE_ROUNDINGS, type FeeRule } from '../payout-inference';

/** A fee rule in the form of `fees.json`. */
export interface FeeRuleJson {
  readonly channel: string;
  readonly rate_ppm: number;
  readonly fixed_millimes: number;
  readonly tva_ppm: number;
  readonly rounding: string;
  readonly basis: string;
  readonly from?: string;
}

export function toFeeRuleJson(rule: FeeRule): FeeRuleJson {
  return {
    channel: rule.channel,
    rate_ppm: rule.ratePpm,
    fixed_millimes: rule.fixedMillimes,
    tva_ppm: rule.tvaPpm,
    rounding: rule.rounding,
    basis: rule.basis,
    ...(rule.from === undefined ? {} : { from: rule.from }),
  };
}

/** Writes a schedule as text, independent of the order of its rules. */
export function writeFeeRules(rules: readonly FeeRule[]): string {
  return `[${rules
    .map((rule) => JSON.stringify(toFeeRuleJson(rule)))
    .sort()
    .join(',')}]`;
}

/** Reads the text of `writeFeeRules`. Any other text is an internal fault. */
export function readFeeRules(text: string): FeeRule[] {
  const list: unknown = JSON.parse(text);
  assert(Array.isArray(list), 'a stored fee schedule is a list');
  return list.map(readRule);
}

function readRule(value: unknown): FeeRule {
  assert(isJsonObject(value), 'a stored fee rule is an object');
  const channel = CHANNELS.find((each) => each === value['channel']);
  const rounding = FEE_ROUNDINGS.find((each) => each === value['rounding']);
  const from = typeof value['from'] === 'string' ? parseBusinessDate(value['from']) : undefined;
  assert(channel !== undefined && rounding !== undefined, 'a stored fee rule is of a channel, with a rounding');
  return {
    channel,
    ratePpm: Number(value['rate_ppm']),
    fixedMillimes: millimes(Number(value['fixed_millimes'])),
    tvaPpm: Number(value['tva_ppm']),
    rounding,
    basis: value['basis'] === 'payout' ? 'payout' : 'item',
    from,
  };
}
