import { byIndex, column, type Decoded, rowCodec, type Session } from '../../db';
import { addToGroup, type BusinessCalendar, type BusinessDate, type Instant, type WorkingDays } from '../../kernel';
import { AGE_BANDS, type AgeBand, bandOf, bandStarts } from '../age-bands';
import { size, type UrgencySettings } from '../aging-report-read-model';

const OPEN = rowCodec({
  id: column.text('id'),
  breakClass: column.text('class'),
  status: column.text('status'),
  since: column.businessDate('since'),
  amount: column.optional(column.total('amount_millimes')),
  openedAt: column.number('opened_at'),
});
type OpenBreak = Decoded<typeof OPEN>;
const PROPOSED = rowCodec({ proposedBy: column.text('proposed_by') });

const NEWEST = rowCodec({ id: column.text('id'), isDecided: column.flag('is_decided') });
const UNEXPLAINED = rowCodec({
  count: column.number('unexplained_count'),
  amount: column.total('unexplained_millimes'),
});

const PROPOSALS_EXAMINED = 200;
const STATEMENT_GAP = 'statement_gap';

export interface BreakSettings {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly urgency: UrgencySettings;
}

/** A number of breaks and the sum of their absolute amounts; an unknown amount adds 0. */
export interface BreakTotal {
  readonly count: number;
  readonly amount: bigint;
}

/** The breaks that are open now. */
export interface OpenBreakTotals {
  /** Those that age from the day or an earlier one. */
  readonly open: BreakTotal;
  readonly overdue: BreakTotal;
  /** The credits through the day that nothing explained at the last refresh. */
  readonly toExplain: BreakTotal;
  readonly gaps: number;
  readonly byAge: readonly (BreakTotal & { readonly band: AgeBand })[];
  /** Proposals that wait for another person than their author. */
  readonly waitingForApproval: number;
  readonly proposedByOthers: number;
  /** Those that were opened after the figures were derived, and count in none of the above. */
  readonly since: number;
}

export interface OpenBreaksWanted {
  /** The last day from which a break that counts may age. */
  readonly date: BusinessDate;
  readonly agedThrough: BusinessDate;
  readonly now: Instant;
  /** The person who reads, whose own proposals others approve. */
  readonly reader: string;
  /** When the figures beside them were derived. */
  readonly knownAt: Instant;
}

/** Reads the open breaks, of which each is one row. */
export async function openBreakTotals(
  session: Session,
  { date, agedThrough, now, reader, knownAt }: OpenBreaksWanted,
  { calendar, workingDays, urgency }: BreakSettings,
): Promise<OpenBreakTotals> {
  const all = await OPEN.all(
    byIndex(session, 'recon_breaks', 'b', 'recon_breaks_status_since')
      .select(OPEN.columns('b'))
      .whereIn('b.status', ['open', 'assigned', 'proposed']),
  );
  const known = all.filter(({ openedAt }) => openedAt <= knownAt);
  const open = known.filter(({ since }) => since <= date);
  const today = calendar.dateOf(now);
  const dueOn = ({ amount, since, openedAt }: OpenBreak): BusinessDate => {
    const openedOn = calendar.dateOf(openedAt);
    return workingDays.add(openedOn > since ? openedOn : since, daysUntilDue(size(amount), urgency));
  };
  const starts = bandStarts(agedThrough, workingDays);
  const byBand = new Map<AgeBand, OpenBreak[]>();
  for (const each of open) addToGroup(byBand, bandOf(starts.filter((start) => each.since < start).length), each);
  const proposals = [...(await waitingProposals(session)), ...(await waitingWithoutBreak(session))];
  return {
    open: totalOf(open),
    overdue: totalOf(open.filter((each) => today > dueOn(each))),
    toExplain: await unexplainedCredits(session, date),
    gaps: open.filter(({ breakClass }) => breakClass === STATEMENT_GAP).length,
    byAge: AGE_BANDS.map((band) => ({ band, ...totalOf(byBand.get(band) ?? []) })),
    waitingForApproval: proposals.length,
    proposedByOthers: proposals.filter(({ proposedBy }) => proposedBy !== reader).length,
    since: all.length - known.length,
  };
}

function waitingProposals(session: Session): Promise<Decoded<typeof PROPOSED>[]> {
  return PROPOSED.all(
    session('recon_breaks as b')
      .join('break_proposals as p', 'p.break_id', 'b.id')
      .leftJoin('break_decisions as d', 'd.proposal_id', 'p.id')
      .select('p.proposed_by')
      .where('b.status', 'proposed')
      .whereNull('d.proposal_id'),
  );
}

/** Returns the proposals about credits, of which those that wait are among the newest. */
async function waitingWithoutBreak(session: Session): Promise<Decoded<typeof PROPOSED>[]> {
  // Only columns of an index, so that MariaDB never prefers to scan the table.
  const newest = await NEWEST.all(
    session('break_proposals as p')
      .leftJoin('break_decisions as d', 'd.proposal_id', 'p.id')
      .select('p.id', session.fragment('d.proposal_id is not null as is_decided'))
      .orderBy([
        { column: 'p.proposed_at', order: 'desc' },
        { column: 'p.id', order: 'desc' },
      ])
      .limit(PROPOSALS_EXAMINED),
  );
  const waiting = newest.filter(({ isDecided }) => !isDecided).map(({ id }) => id);
  if (waiting.length === 0) return [];
  return PROPOSED.all(
    session('break_proposals as p').select('p.proposed_by').whereIn('p.id', waiting).whereNull('p.break_id'),
  );
}

async function unexplainedCredits(session: Session, through: BusinessDate): Promise<BreakTotal> {
  const found = await UNEXPLAINED.all(
    session('day_credits as c')
      .select('c.unexplained_count', 'c.unexplained_millimes')
      .where('c.business_date', '<=', through)
      .where('c.unexplained_count', '>', 0),
  );
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    amount: found.reduce((sum, { amount }) => sum + amount, 0n),
  };
}

function daysUntilDue(amount: bigint, { high, medium, dueInDays }: UrgencySettings): number {
  if (dueInDays === undefined) return 0;
  if (amount >= high.fromMillimes) return dueInDays.high;
  return amount >= medium.fromMillimes ? dueInDays.medium : dueInDays.low;
}

function totalOf(breaks: readonly OpenBreak[]): BreakTotal {
  return { count: breaks.length, amount: breaks.reduce((sum, { amount }) => sum + size(amount), 0n) };
}
