import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { addDays, type BusinessCalendar, type Instant } from '../kernel';
import type { Known } from './ledger-date';
import type { ReportPeriod } from './report-document';

/** One agent's account over the period: opening + assessed − cancelled − paid + refunded + other = closing. In millimes. */
export interface AgentAccount extends Decoded<typeof FIGURES> {
  readonly agentId: string;
  readonly fullName: string;
}

export interface AgentTotals extends Omit<Decoded<typeof FIGURES>, 'opening' | 'closing'> {
  readonly openingDue: bigint;
  readonly openingCredit: bigint;
  readonly closingDue: bigint;
  readonly closingCredit: bigint;
}

export interface AgentsReport extends ReportPeriod, Known {
  /** Agents that owe, have credit or had a movement in the period, by the bytes of their ids. */
  readonly agents: readonly AgentAccount[];
  readonly totals: AgentTotals;
  /** The closing balances equal the sum of all postings before the end of the period. */
  readonly proven: boolean;
}

const RECEIVABLE = 'agent_receivable:';

const ACCOUNT_NAME = rowCodec({ account: column.text('account') });
const FIGURES = rowCodec({
  /** Positive if the agent owes, negative if the agent has credit. */
  opening: column.total('opening'),
  assessed: column.total('assessed'),
  cancelled: column.total('cancelled'),
  /** Paid through the gateway, by any channel. */
  paid: column.total('paid'),
  refunded: column.total('refunded'),
  /** Any other posting; positive if the agent then owes more. */
  other: column.total('other'),
  closing: column.total('closing'),
});
const ACCOUNT_FIGURES = rowCodec({ ...ACCOUNT_NAME.fields, ...FIGURES.fields });
const AGENT_NAME = rowCodec({ agentId: column.text('agent_id'), fullName: column.text('full_name') });
const POSTED = rowCodec({ debits: column.total('debits'), credits: column.total('credits') });

/** Reads the report inside one snapshot, by ledger date. No posting on an agent's account is a reversal. */
export async function agentsReport(
  session: Session,
  { from, to, knownAt }: ReportPeriod & Known,
  calendar: BusinessCalendar,
): Promise<AgentsReport> {
  const window = { start: calendar.startOf(from), end: calendar.startOf(addDays(to, 1)) };
  const agents: AgentAccount[] = [];
  for (let after = RECEIVABLE; ;) {
    const accounts = await accountsAfter(session, after);
    const last = accounts.at(-1);
    if (last === undefined) break;
    const first = accounts[0] ?? last;
    agents.push(...(await accountsBetween(session, { first, last }, window)));
    after = last;
  }
  const totals = totalsOf(agents);
  const posted = await postedTotal(session, window.end);
  return { from, to, knownAt, agents, totals, proven: totals.closingDue - totals.closingCredit === posted };
}

async function accountsAfter(session: Session, after: string): Promise<string[]> {
  const accounts = await ACCOUNT_NAME.all(
    session('ledger_balances as b')
      .select('b.account')
      .where('b.account', '>', after)
      .where('b.account', 'like', `${RECEIVABLE}%`)
      .orderBy('b.account')
      .limit(ROWS_PER_STATEMENT),
  );
  return accounts.map(({ account }) => account);
}

async function accountsBetween(
  session: Session,
  { first, last }: { readonly first: string; readonly last: string },
  { start, end }: { readonly start: Instant; readonly end: Instant },
): Promise<AgentAccount[]> {
  const bindings = [...[start, start, start, start, start, start], ...[first, last, end, first, last, end]];
  const accounts = (await ACCOUNT_FIGURES.all(session.raw(ACCOUNTS, bindings))).map(({ account, ...figures }) => ({
    agentId: account.slice(RECEIVABLE.length),
    figures,
  }));
  const ids = accounts.map(({ agentId }) => agentId);
  const names = await AGENT_NAME.all(session('agents as a').select(AGENT_NAME.columns('a')).whereIn('a.agent_id', ids));
  const nameOf = new Map(names.map(({ agentId, fullName }) => [agentId, fullName]));
  return accounts
    .filter(({ figures }) => Object.values(figures).some((figure) => figure !== 0n))
    .map(({ agentId, figures }) => ({ agentId, fullName: nameOf.get(agentId) ?? '', ...figures }));
}

function accountSide(side: string, amount: string): string {
  return `select p.${side} as account, t.code, t.occurred_at, ${amount} as amount
          from postings p join ledger_transactions t on t.id = p.transaction_id
          where p.${side} >= ? and p.${side} <= ? and t.occurred_at < ?`;
}

const ACCOUNTS = `
  select x.account,
         cast(sum(case when x.occurred_at < ? then x.amount end) as char) as opening,
         cast(sum(case when x.occurred_at >= ? and x.code = 'due_assessed' then x.amount end) as char) as assessed,
         cast(sum(case when x.occurred_at >= ? and x.code = 'due_cancelled' then -x.amount end) as char) as cancelled,
         cast(sum(case when x.occurred_at >= ? and x.code in ('agent_payment', 'payment')
                       then -x.amount end) as char) as paid,
         cast(sum(case when x.occurred_at >= ? and x.code = 'refund' then x.amount end) as char) as refunded,
         cast(sum(case when x.occurred_at >= ?
                        and x.code not in ('due_assessed', 'due_cancelled', 'agent_payment', 'payment', 'refund')
                       then x.amount end) as char) as other,
         cast(sum(x.amount) as char) as closing
  from (${accountSide('debit_account', 'p.amount_millimes')}
        union all ${accountSide('credit_account', '-p.amount_millimes')}) x
  group by x.account
  order by x.account`;

async function postedTotal(session: Session, end: Instant): Promise<bigint> {
  const query = session.raw(
    `select cast(sum(case when p.debit_account like 'agent_receivable:%' then p.amount_millimes else 0 end) as char) as debits,
            cast(sum(case when p.credit_account like 'agent_receivable:%' then p.amount_millimes else 0 end) as char) as credits
     from postings p join ledger_transactions t on t.id = p.transaction_id
     where t.occurred_at < ?`,
    [end],
  );
  const posted = await POSTED.first(query);
  return (posted?.debits ?? 0n) - (posted?.credits ?? 0n);
}

function totalsOf(agents: readonly AgentAccount[]): AgentTotals {
  const sum = (figure: (account: AgentAccount) => bigint): bigint =>
    agents.reduce((total, account) => total + figure(account), 0n);
  const above = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
  return {
    openingDue: sum(({ opening }) => above(opening)),
    openingCredit: sum(({ opening }) => above(-opening)),
    assessed: sum(({ assessed }) => assessed),
    cancelled: sum(({ cancelled }) => cancelled),
    paid: sum(({ paid }) => paid),
    refunded: sum(({ refunded }) => refunded),
    other: sum(({ other }) => other),
    closingDue: sum(({ closing }) => above(closing)),
    closingCredit: sum(({ closing }) => above(-closing)),
  };
}
