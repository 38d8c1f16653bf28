import { z } from 'zod';
import { totalToJson } from '../kernel';
import {
  BALANCE_LINE_LABELS,
  type CloseOutcome,
  type DayStatus,
  type ListedSeal,
  type Obstacle,
  OBSTACLE_CODES,
  type ProofJson,
  type ReopeningOutcome,
  SEAL_FAULTS,
  type SealFault,
} from '../reconciliation';
import type { RecordedBalance } from '../reporting';
import { dayValue, idValue, instantJson, instantValue, totalValue } from './values';

const MOVEMENTS = [
  'succeededMillimes',
  'refundedMillimes',
  'feesMillimes',
  'tvaMillimes',
  'payoutsMillimes',
  'payoutsReturnedMillimes',
  'writtenOffMillimes',
  'correctedMillimes',
] as const;

const channelProofFields = {
  channel: z.string(),
  openingMillimes: totalValue,
  movements: z.record(z.enum(MOVEMENTS), totalValue),
  closingMillimes: totalValue.meta({ description: 'The opening and the movements; also the sum of the lines.' }),
  lines: z.array(
    z.strictObject({
      label: z.enum(BALANCE_LINE_LABELS),
      amountMillimes: totalValue,
      items: z.int(),
      oldest: dayValue.nullable(),
      ageWorkingDays: z.int().nullable(),
    }),
  ),
};

const proofValue = z
  .strictObject({
    date: dayValue,
    lateTransactions: z.int(),
    channels: z.array(z.strictObject(channelProofFields)),
  })
  .meta({ id: 'DayProof' });

/** The parameters of obstacles. Which ones an obstacle has depends on its code. */
const obstacleParams = z.strictObject({
  date: dayValue.optional().meta({ description: 'The day to close first.' }),
  through: dayValue
    .optional()
    .meta({ description: 'The last day of the run to start, of closed days or of statements.' }),
  from: instantValue.optional().meta({ description: 'From when the day can be closed.' }),
  localTime: z.string().optional().meta({ description: '`from` in the business time zone.' }),
  lines: z.int().optional(),
  firstDate: dayValue.optional(),
  lastDate: dayValue.optional(),
  statementId: idValue.optional(),
  account: z.string().optional(),
  statements: z.int().optional(),
});

const obstaclesValue = z
  .array(
    z
      .strictObject({ code: z.enum(OBSTACLE_CODES), params: obstacleParams, detail: z.string() })
      .meta({ id: 'ClosingObstacle' }),
  )
  .meta({ description: 'What hinders the closing; empty if nothing does.' });

/** The outcome of a closing, or of its trial. */
export const closedDayValue = z
  .strictObject({
    outcome: z.enum(['closed', 'already_closed', 'dry_run']),
    date: dayValue,
    number: z.int().nullable().meta({ description: 'The number of the seal; null in a trial.' }),
    digest: z.string().nullable(),
    obstacles: obstaclesValue,
    lateTransactions: z.int(),
    channels: z.array(
      z.strictObject({
        ...channelProofFields,
        recordedLaterMillimes: totalValue.optional(),
        datedLaterMillimes: totalValue.optional(),
        ledgerDateClosingMillimes: totalValue
          .optional()
          .meta({ description: 'The closing balance of the daily report, which goes by ledger dates.' }),
      }),
    ),
  })
  .meta({ id: 'ClosedDay' });

/** One link of the chain of seals. */
export const sealValue = z
  .strictObject({
    number: z.int(),
    kind: z.enum(['closed', 'reopened']),
    date: dayValue,
    stands: z.boolean().meta({ description: 'Whether it closes the day now.' }),
    digest: z.string(),
    recordedAt: instantValue,
    recordedBy: z.string(),
    reopeningProposed: z.strictObject({ by: z.string(), at: instantValue, reason: z.string() }).nullable(),
  })
  .meta({ id: 'Seal' });

/** A day with its seal, or with the obstacles to its closing. */
export const dayStatusValue = z
  .strictObject({
    date: dayValue,
    state: z.enum(['open', 'closed', 'reopened']),
    seal: sealValue.nullable().meta({ description: 'The last closing of the day.' }),
    obstacles: obstaclesValue,
    proof: proofValue.nullable().meta({ description: 'The proof of the last closing.' }),
  })
  .meta({ id: 'DayStatus' });

/** The outcome of a step to reopen a day. */
export const reopeningValue = z.strictObject({
  kind: z.enum(['proposed', 'reopened']),
  date: dayValue,
  number: z.int().meta({ description: 'The number of the reversed closing.' }),
  proposedBy: z.string(),
  approvedBy: z.string().nullable(),
});

/** The first fault of one seal. */
export const sealFaultValue = z
  .strictObject({
    seal: z.int(),
    date: dayValue,
    fault: z.enum(SEAL_FAULTS),
    kind: z.string(),
    row: z.string(),
  })
  .meta({ id: 'SealFault' });

type Balances = ReadonlyMap<string, RecordedBalance>;

/** Returns the outcome of a closing as JSON. With the balances each channel states its closing in the daily report. */
export function closedDayJson(
  { kind, date, number, digest, proof, obstacles }: CloseOutcome,
  balances?: Balances,
): z.input<typeof closedDayValue> {
  return {
    ...{ outcome: kind, date, number: number ?? null, digest: digest ?? null, obstacles: obstaclesJson(obstacles) },
    ...{
      lateTransactions: proof.lateTransactions,
      channels: channelsJson(proof).map((each) => ({ ...each, ...ledgerDateJson(balances?.get(each.channel)) })),
    },
  };
}

function obstaclesJson(obstacles: readonly Obstacle[]): z.input<typeof obstaclesValue> {
  return obstacles.map(({ code, params, text }) => ({ code, params, detail: text }));
}

function channelsJson({ channels }: ProofJson): z.input<typeof proofValue>['channels'] {
  return channels.map((each) => ({
    ...each,
    movements: each.movements as Record<(typeof MOVEMENTS)[number], number | string>,
    lines: [...each.lines],
  }));
}

function ledgerDateJson(balance: RecordedBalance | undefined): object {
  if (balance === undefined) return {};
  return {
    recordedLaterMillimes: totalToJson(balance.recordedLater),
    datedLaterMillimes: totalToJson(balance.datedLater),
    ledgerDateClosingMillimes: totalToJson(ledgerDateOf(balance)),
  };
}

/** Returns a closing balance by ledger dates. */
export function ledgerDateOf({ recorded, recordedLater, datedLater }: RecordedBalance): bigint {
  return recorded + recordedLater - datedLater;
}

/** Returns a seal as JSON. */
export function sealJson({ recordedAt, proposal, ...seal }: ListedSeal): z.input<typeof sealValue> {
  return {
    ...seal,
    recordedAt: instantJson(recordedAt),
    reopeningProposed:
      proposal === undefined
        ? null
        : { by: proposal.proposedBy, at: instantJson(proposal.proposedAt), reason: proposal.reason },
  };
}

/** Returns a day as JSON. */
export function dayStatusJson({ date, state, seal, obstacles, proof }: DayStatus): z.input<typeof dayStatusValue> {
  return {
    ...{ date, state, seal: seal === undefined ? null : sealJson(seal), obstacles: obstaclesJson(obstacles) },
    proof: proof === undefined ? null : { ...proof, channels: channelsJson(proof) },
  };
}

/** Returns a step to reopen a day as JSON. */
export function reopeningJson(outcome: ReopeningOutcome): z.input<typeof reopeningValue> {
  return { ...outcome, approvedBy: outcome.approvedBy ?? null };
}

/** Returns a fault of a seal as JSON. */
export function sealFaultJson(fault: SealFault): z.input<typeof sealFaultValue> {
  return { ...fault };
}
