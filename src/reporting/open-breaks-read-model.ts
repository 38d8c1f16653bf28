import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { addToGroup, type BusinessDate, type Instant, pagesOf } from '../kernel';

const BREAK = rowCodec({
  id: column.text('id'),
  breakClass: column.text('class'),
  fingerprint: column.text('fingerprint'),
  since: column.businessDate('since'),
  amount: column.optional(column.total('amount_millimes')),
  /** How and when it was resolved since, if it is resolved now. */
  resolution: column.optional(column.text('resolution')),
  resolvedAt: column.optional(column.number('resolved_at')),
});
/** The fields of an event that a report needs; the detail is stored as JSON. */
const EVENT = rowCodec({
  breakId: column.text('break_id'),
  kind: column.text('kind'),
  at: column.number('at'),
  detail: column.json('detail', (value) => value as { readonly amountMillimes?: number; readonly assignee?: string }),
});

/** A break that was open at an instant, as it was then. In millimes. */
export interface OpenBreak extends Decoded<typeof BREAK> {
  readonly assignee: string | undefined;
}

/** The events that state the amount of a break. */
const STATES_AMOUNT = ['opened', 'changed', 'reopened'];

/**
 * Returns the breaks that age from `through` or an earlier day and were open at `end`, from the history of each: a break
 * that was resolved later is open, with the amount and the assignee of that time. A break that was found later with an
 * earlier day has its first amount. Ordered by day and id.
 */
export async function openBreaks(session: Session, through: BusinessDate, end: Instant): Promise<OpenBreak[]> {
  const candidates = await BREAK.all(
    session('recon_breaks as b')
      .select(BREAK.columns('b'))
      .where('b.since', '<=', through)
      .whereRaw("(b.status <> 'resolved' or b.resolved_at >= ?)", [end])
      .orderBy(['b.since', 'b.id']),
  );
  const open: OpenBreak[] = [];
  for (const page of pagesOf(candidates, ROWS_PER_STATEMENT)) {
    const histories = new Map<string, Decoded<typeof EVENT>[]>();
    const events = await EVENT.all(
      session('recon_break_events as e')
        .select(EVENT.columns('e'))
        .whereIn(
          'e.break_id',
          page.map(({ id }) => id),
        )
        .orderBy(['e.break_id', 'e.position']),
    );
    for (const event of events) addToGroup(histories, event.breakId, event);
    open.push(...page.flatMap((each) => asItWas(each, histories.get(each.id) ?? [], end)));
  }
  return open;
}

/** Returns the break at an instant; nothing if it was resolved then. */
function asItWas(
  now: Decoded<typeof BREAK>,
  history: readonly Decoded<typeof EVENT>[],
  end: Instant,
): [OpenBreak] | [] {
  const until = history.filter(({ at }) => at < end);
  if (until.findLast(({ kind }) => kind === 'resolved' || kind === 'reopened')?.kind === 'resolved') return [];
  const amountOf = ({ kind }: Decoded<typeof EVENT>): boolean => STATES_AMOUNT.includes(kind);
  const stated = until.findLast(amountOf) ?? history.find(amountOf);
  const amount = stated?.detail.amountMillimes;
  return [
    {
      ...now,
      amount: stated === undefined ? now.amount : amount === undefined ? undefined : BigInt(amount),
      assignee: until.findLast(({ kind }) => kind === 'assigned')?.detail.assignee,
    },
  ];
}
