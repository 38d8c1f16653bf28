import {
  addDays,
  businessCalendar,
  type BusinessDate,
  businessDate,
  type Instant,
  millimes,
  WorkingDays,
  ZERO_MILLIMES,
} from '../../../../src/kernel';
import {
  type BankLine,
  type Inference,
  type InferredCredit,
  type InferredItem,
  type Item,
  judgeInference,
  type MatchOptions,
  type MatchOutcome,
  type MatchRequest,
  type NamedBreak,
  type Observation,
} from '../../../../src/payout-inference';

/** Friday 20 March 2026 is a holiday. */
export const WORKING_DAYS = new WorkingDays([businessDate('2026-03-20')]);

/** An instant in Tunis, such as `2026-03-02 10:00`. */
export const at = (time: string): Instant => Date.parse(`${time.replace(' ', 'T')}:00+01:00`);

export interface KnownItem {
  readonly item: Item;
  readonly inferred: InferredItem;
}

/** What was available at that very time and nobody paid, in the stream of all channels; `known` says what is different. */
export function unpaid(
  itemId: string,
  time: string,
  amount: number,
  known: Partial<Omit<InferredItem, 'itemId'>> & Partial<Pick<Item, 'channel' | 'refundOf'>> = {},
): KnownItem {
  const { channel = 'wallet', refundOf, ...inferred } = known;
  return {
    item: { itemId, channel, amount: millimes(amount), succeededAt: at(time), refundOf },
    inferred: {
      itemId,
      lineId: undefined,
      evidence: undefined,
      stream: 'all',
      available: { after: at(time) - 1, until: at(time) },
      cancelled: false,
      ...inferred,
    },
  };
}

export interface KnownCredit {
  readonly line: BankLine;
  readonly credit: InferredCredit;
}

export function line(lineId: string, date: string, amount: number): BankLine {
  const bookingDate = businessDate(date);
  return { lineId, bookingDate, valueDate: bookingDate, amount: millimes(amount), counterparty: '', remittance: '' };
}

/** A credit that nothing explains; `said` is what the inference says instead. */
export function credit(
  lineId: string,
  date: string,
  amount: number,
  said: Partial<Omit<InferredCredit, 'lineId'>> = {},
): KnownCredit {
  return {
    line: line(lineId, date, amount),
    credit: {
      lineId,
      outcome: 'unexplained',
      itemIds: [],
      commonCore: [],
      proposal: [],
      gross: ZERO_MILLIMES,
      fee: ZERO_MILLIMES,
      tva: ZERO_MILLIMES,
      remainder: ZERO_MILLIMES,
      evidence: undefined,
      claimedError: 1,
      cut: undefined,
      stream: undefined,
      cause: 'none',
      ...said,
    },
  };
}

/** A resolved payout of what was available until that time. */
export function payout(
  lineId: string,
  cutAt: string,
  bookedOn: string,
  said: Partial<Omit<InferredCredit, 'lineId'>> = {},
): KnownCredit {
  return credit(lineId, bookedOn, 1000, {
    outcome: 'resolved',
    stream: 'all',
    cut: { after: at(cutAt) - 60_000, until: at(cutAt) },
    evidence: 'inferred_by_cut',
    claimedError: 0,
    ...said,
  });
}

/** A payout on each working day at 17:00, booked on the next one. */
export function dailyPayouts(first: string, last: string, without: readonly string[] = []): KnownCredit[] {
  const payouts: KnownCredit[] = [];
  for (let day = businessDate(first); day <= last; day = addDays(day, 1)) {
    if (!WORKING_DAYS.isWorkingDay(day) || without.includes(day)) continue;
    payouts.push(payout(`payout-${day}`, `${day} 17:00`, WORKING_DAYS.add(day, 1)));
  }
  return payouts;
}

export interface JudgedFile {
  readonly items?: readonly KnownItem[];
  readonly credits?: readonly KnownCredit[];
  readonly debits?: readonly BankLine[];
  readonly returned?: Inference['returned'];
  readonly observations?: readonly Observation[];
  readonly history?: MatchRequest['history'];
}

export function requestOf({
  items = [],
  credits = [],
  debits = [],
  observations = [],
  history,
}: JudgedFile): MatchRequest {
  return {
    items: items.map(({ item }) => item),
    observations,
    lines: [...credits.map((known) => known.line), ...debits],
    fees: [],
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: WORKING_DAYS,
    maxError: 0.001,
    history,
  };
}

/** States and breaks up to that day; without one, up to the last line. */
export function judge(file: JudgedFile, horizon?: string, grace?: MatchOptions['grace']): MatchOutcome {
  const { items = [], credits = [], returned = [] } = file;
  const inference: Inference = {
    model: 'sweep-all',
    fees: [],
    feesLearned: false,
    credits: credits.map((known) => known.credit),
    items: items.map(({ inferred }) => inferred),
    returned,
    streams: [],
  };
  return judgeInference(requestOf(file), inference, {
    grace,
    horizon: horizon === undefined ? undefined : businessDate(horizon),
  });
}

export const fingerprints = ({ breaks }: MatchOutcome): string[] => breaks.map(({ fingerprint }) => fingerprint);

export const ofClass = ({ breaks }: MatchOutcome, breakClass: string): NamedBreak[] =>
  breaks.filter((found) => found.breakClass === breakClass);

/** The first day from 1 March on, for three months, on which the file has a break of that class. */
export function firstDayOf(breakClass: string, file: JudgedFile): BusinessDate | undefined {
  const days = Array.from({ length: 92 }, (_, index) => addDays(businessDate('2026-03-01'), index));
  return days.find((day) => ofClass(judge(file, day), breakClass).length > 0);
}
