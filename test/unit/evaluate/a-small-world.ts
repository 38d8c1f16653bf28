import type { TrueItem, TrueLine, World, WorldTruth } from '../../../scripts/evaluate/world';
import { businessDate, type Instant, millimes, parseInstant } from '../../../src/kernel';
import {
  type BankLine,
  type Channel,
  CHANNELS,
  type InferredCredit,
  type Item,
  type Observation,
} from '../../../src/payout-inference';

/** `2026-03-02 10:00` in Tunis. */
export function at(local: string): Instant {
  const instant = parseInstant(`${local.replace(' ', 'T')}:00+01:00`);
  if (instant === undefined) throw new Error(`not an instant: ${local}`);
  return instant;
}

export interface SmallItem {
  readonly id: string;
  readonly amount: number;
  readonly when: string;
  readonly channel?: Channel;
  readonly refundOf?: string;
  /** Cards: when it really became available. */
  readonly available?: string;
  readonly cancelled?: boolean;
  readonly recordedLate?: boolean;
}

export interface SmallLine {
  readonly id: string;
  readonly day: string;
  readonly cut?: string;
  readonly cuts?: readonly string[];
  readonly paid?: readonly string[];
  readonly kind?: TrueLine['kind'];
  readonly unknown?: number;
}

/** A world written by hand: one sweep of everything, no fees unless `truth` says so. */
export function aSmallWorld(
  items: readonly SmallItem[],
  lines: readonly SmallLine[],
  more: {
    readonly truth?: Partial<WorldTruth>;
    readonly observations?: readonly Observation[];
    readonly isGuard?: boolean;
  } = {},
): World {
  const files = items.map(({ id, amount, when, channel = 'wallet', refundOf }): Item => ({
    itemId: id,
    channel,
    amount: millimes(amount),
    succeededAt: at(when),
    ...(refundOf === undefined ? {} : { refundOf }),
  }));
  const amountOf = new Map(items.map(({ id, amount }) => [id, amount]));
  const trueLines = lines.map(
    ({ id, cut, cuts = cut === undefined ? [] : [cut], paid = [], kind, unknown = 0 }): TrueLine => ({
      lineId: id,
      kind: kind ?? 'payout',
      itemIds: paid,
      unknownMillimes: unknown,
      feeMillimes: 0,
      tvaMillimes: 0,
      cuts: cuts.map((each) => ({ stream: 'all', cutAt: at(each) })),
    }),
  );
  return {
    scenario: 'by-hand',
    seed: 1,
    isGuard: more.isGuard ?? false,
    files: {
      items: files,
      observations: more.observations ?? [],
      lines: lines.map(({ id, day, paid = [], unknown = 0 }): BankLine => ({
        lineId: id,
        bookingDate: businessDate(day),
        valueDate: businessDate(day),
        amount: millimes(paid.reduce((sum, itemId) => sum + (amountOf.get(itemId) ?? 0), unknown)),
        counterparty: 'GATEWAY',
        remittance: 'PAYOUT',
      })),
      fees: [],
      holidays: [],
    },
    truth: {
      model: 'sweep-all',
      streams: new Map(CHANNELS.map((channel) => [channel, 'all'])),
      fees: [],
      clawbackFee: 'kept',
      lines: trueLines,
      items: items.map(({ id, when, available = when, cancelled = false, recordedLate = false }): TrueItem => ({
        itemId: id,
        availableAt: at(available),
        paidByLineIds: trueLines.filter(({ itemIds }) => itemIds.includes(id)).map(({ lineId }) => lineId),
        cancelled,
        recordedLate,
      })),
      cuts: trueLines.flatMap(({ cuts }) => cuts),
      breaks: [],
      clockSkewMaxMs: 0,
      cardDriftMsPerDay: 0,
      ...more.truth,
    },
  };
}

export function seen(itemId: string, when: string, settlementStatus: string): Observation {
  return { itemId, observedAt: at(when), status: 'SUCCESS', settlementStatus };
}

/** What an engine may say of a credit; unexplained unless told otherwise. */
export function anInferredCredit(lineId: string, more: Partial<InferredCredit> = {}): InferredCredit {
  return {
    lineId,
    outcome: more.itemIds === undefined ? 'unexplained' : 'resolved',
    itemIds: [],
    commonCore: [],
    proposal: [],
    gross: millimes(0),
    fee: millimes(0),
    tva: millimes(0),
    remainder: millimes(0),
    evidence: undefined,
    claimedError: 1,
    cut: undefined,
    stream: undefined,
    cause: 'none',
    ...more,
  };
}
