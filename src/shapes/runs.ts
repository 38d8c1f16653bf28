import { z } from 'zod';
import { millimes, parseBusinessDate } from '../kernel';
import { CHANNELS, EVIDENCE_GRADES, FEE_ROUNDINGS, type FeeRule } from '../payout-inference';
import {
  type FeeSchedule,
  type ListedRun,
  type ReconcileOutcome,
  type ReplayResult,
  type ShownRun,
  toFeeRuleJson,
  VERDICTS,
} from '../reconciliation';
import { dayValue, idValue, instantJson, instantValue, millimesValue, totalValue } from './values';

const runFields = {
  id: idValue,
  through: dayValue,
  verdict: z.enum(VERDICTS),
  recordedAt: instantValue,
  recordedBy: z.string(),
};

/** A recorded run. */
export const runValue = z.strictObject(runFields).meta({ id: 'Run' });

/** A recorded run with its sums. */
export const shownRunValue = z
  .strictObject({
    ...runFields,
    model: z.string().nullable(),
    pendingMillimes: totalValue.nullable().meta({ description: 'Unpaid money inside its grace.' }),
    matchedMillimes: totalValue.nullable(),
    breaks: z.int().nullable().meta({ description: 'The number of breaks; null if the run did not store it.' }),
    decided: z.int().nullable().meta({ description: 'The differences that two people wrote off or accepted.' }),
    matched: z.int().nullable().meta({ description: 'The credits that this run matched.' }),
    replayable: z.boolean().meta({ description: 'Whether it stored the inputs that a replay needs.' }),
  })
  .meta({ id: 'ShownRun' });

/** Returns a run as JSON. */
export function runJson(run: ListedRun): z.input<typeof runValue> {
  return {
    ...run,
    verdict: run.verdict as z.input<typeof runValue>['verdict'],
    recordedAt: instantJson(run.recordedAt),
  };
}

/** Returns a run with its sums as JSON. */
export function shownRunJson({ summary, isReplayable, ...run }: ShownRun): z.input<typeof shownRunValue> {
  const { model, pendingMillimes, matchedMillimes, breaks, decided, matched } = summary;
  return {
    ...runJson(run),
    model: model ?? null,
    pendingMillimes: pendingMillimes ?? null,
    matchedMillimes: matchedMillimes ?? null,
    breaks: breaks ?? null,
    decided: decided ?? null,
    matched: matched ?? null,
    replayable: isReplayable,
  };
}

const cutOfResult = z.strictObject({ after: instantValue, until: instantValue.nullable() }).nullable();
const differingItems = z.strictObject({ items: z.int(), item_ids: z.array(z.string()) });

const candidateOfResult = z.strictObject({
  probability: z.number().nullable(),
  kind: z.string(),
  stream: z.string(),
  cut: z.strictObject({ after: instantValue, until: instantValue }),
  gross_millimes: millimesValue,
  fee_millimes: millimesValue,
  tva_millimes: millimesValue,
  difference_millimes: millimesValue,
  items: z.int(),
  item_ids: z.array(z.string()).nullable(),
  adds: differingItems,
  lacks: differingItems,
  against: z.array(
    z.strictObject({
      code: z.string(),
      probability: z.number().optional(),
      items: z.int().optional(),
      item_id: z.string().optional(),
      amount_millimes: millimesValue.optional(),
      text: z.string(),
    }),
  ),
});

const creditOfResult = z.strictObject({
  line_id: idValue,
  outcome: z.enum(['resolved', 'ambiguous', 'unexplained', 'search_cut_short']),
  item_ids: z.array(z.string()),
  common_core: z.array(z.string()),
  gross_millimes: millimesValue,
  fee_millimes: millimesValue,
  tva_millimes: millimesValue,
  remainder_millimes: millimesValue,
  evidence: z.enum(EVIDENCE_GRADES).nullable(),
  claimed_error: z.number().nullable(),
  proposal: z.array(z.string()),
  cut: cutOfResult,
  candidates: z.array(candidateOfResult).optional(),
});

const breakOfResult = {
  class: z.string(),
  amount_millimes: millimesValue.nullable(),
  item_ids: z.array(z.string()),
  line_ids: z.array(z.string()),
  since: dayValue,
};

/** The result of a run, in the form of `result.json`: its parts are in snake case. */
export const runResultValue = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    through: dayValue,
    model: z.string().nullable(),
    credits: z.array(creditOfResult),
    pendingMillimes: totalValue,
    matchedMillimes: totalValue,
    expected: z.array(z.strictObject({ due_on: dayValue, items: z.int(), amount_millimes: totalValue })),
    breaks: z.array(z.strictObject(breakOfResult)),
    decided: z.array(
      z.strictObject({
        ...breakOfResult,
        break_id: idValue,
        resolution: z.string().nullable(),
        written_off_millimes: millimesValue,
      }),
    ),
    difference: z
      .strictObject({
        newlyResolved: z.array(z.string()),
        takenBack: z.array(z.string()),
        breaks: z.strictObject({
          new: z.array(z.string()),
          persisting: z.array(z.string()),
          resolved: z.array(z.string()),
        }),
      })
      .optional()
      .meta({ description: 'Of a dry run: what it would change.' }),
  })
  .meta({ id: 'RunResult' });

/** Returns the result of a run as JSON; of a dry run with what it would change. */
export function runResultJson(
  { result, difference }: ReconcileOutcome,
  { dryRun }: { readonly dryRun: boolean },
): z.input<typeof runResultValue> {
  const json: object = { ...result, ...(dryRun ? { difference } : {}) };
  // Its lists are readonly and long, so they are not copied.
  return json as z.input<typeof runResultValue>;
}

const digestsValue = z.strictObject({ engineVersion: z.string(), answerDigest: z.string() });

/** The comparison of a run with its repetition. */
export const replayValue = z
  .strictObject({
    runId: idValue,
    through: dayValue,
    isSame: z.boolean(),
    differsIn: z.array(z.enum(['settings', 'request', 'answer', 'engine'])),
    recorded: digestsValue,
    repeated: digestsValue,
  })
  .meta({ id: 'Replay' });

/** Returns the comparison of a run with its repetition as JSON. */
export function replayJson(result: ReplayResult): z.input<typeof replayValue> {
  return { ...result, differsIn: [...result.differsIn] };
}

const PPM_MAX = 1_000_000;
/** A fixed fee above a million dinars is a mistake. */
const FIXED_MAX = 1_000_000_000;
const RULES_MAX = 1_000;

/** A fee rule in the form of the fees file. */
export const feeRuleValue = z
  .strictObject({
    channel: z.enum(CHANNELS),
    rate_ppm: z.int().min(0).max(PPM_MAX).meta({ description: 'Millionths of the amount.', example: 15000 }),
    fixed_millimes: z.int().min(0).max(FIXED_MAX),
    tva_ppm: z.int().min(0).max(PPM_MAX).meta({ description: 'Millionths of the fee.', example: 190000 }),
    rounding: z.enum(FEE_ROUNDINGS),
    basis: z.enum(['item', 'payout']),
    from: dayValue
      .refine((text) => parseBusinessDate(text) !== undefined, { error: 'expected a day such as 2026-03-02' })
      .optional()
      .meta({ description: 'The first day of the rule.' }),
  })
  .meta({ id: 'FeeRule' });

/** The fee rules of a gateway: each channel and first day once. */
export const feeRulesField = z
  .array(feeRuleValue)
  .max(RULES_MAX)
  .refine((rules) => new Set(rules.map(({ channel, from = '' }) => `${channel} ${from}`)).size === rules.length, {
    error: 'expected each channel and first day once',
  });

/** Returns the rules that a body states. */
export function feeRulesOf(rules: z.output<typeof feeRulesField>): FeeRule[] {
  return rules.map(({ channel, rate_ppm: ratePpm, fixed_millimes: fixed, tva_ppm: tvaPpm, rounding, basis, from }) => ({
    ...{ channel, ratePpm, fixedMillimes: millimes(fixed), tvaPpm, rounding, basis },
    from: from === undefined ? undefined : parseBusinessDate(from),
  }));
}

/** The gateway's fees, as a run learned them or a person stated them. */
export const feeScheduleValue = z
  .strictObject({
    id: idValue,
    state: z.enum(['inferred', 'confirmed', 'given']),
    fees: z.array(feeRuleValue),
    credits: z.array(idValue).meta({ description: 'The credits from which a run learned them.' }),
    firstDate: dayValue.nullable(),
    lastDate: dayValue.nullable(),
    recordedAt: instantValue,
    confirmedBy: z.string().nullable(),
    confirmedAt: instantValue.nullable(),
  })
  .meta({ id: 'FeeSchedule' });

/** Returns a fee schedule as JSON. */
export function feeScheduleJson(schedule: FeeSchedule): z.input<typeof feeScheduleValue> {
  const { id, rules, lineIds, firstDate, lastDate, recordedAt, confirmedBy, confirmedAt } = schedule;
  return {
    id,
    state: feeScheduleState(schedule),
    fees: rules.map(toFeeRuleJson) as z.input<typeof feeRuleValue>[],
    credits: [...lineIds],
    firstDate: firstDate ?? null,
    lastDate: lastDate ?? null,
    recordedAt: instantJson(recordedAt),
    confirmedBy: confirmedBy ?? null,
    confirmedAt: instantJson(confirmedAt),
  };
}

/** Returns who is responsible for a schedule. One that a person gave lists no credits. */
export function feeScheduleState({
  lineIds,
  confirmedBy,
}: Pick<FeeSchedule, 'lineIds' | 'confirmedBy'>): 'inferred' | 'confirmed' | 'given' {
  if (confirmedBy === undefined) return 'inferred';
  return lineIds.length === 0 ? 'given' : 'confirmed';
}
