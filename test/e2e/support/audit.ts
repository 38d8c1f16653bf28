import type { Installation } from './installation';
import type { Attempt, Confirm, Journal, Reply } from './journal';
import { selectRows } from './tables';

/** What lies in the database, read past the program. */
export interface StoredFacts {
  readonly confirms: readonly Confirm[];
  /** The postings of `service:` ledger transactions. */
  readonly payments: readonly { transactionId: string; debit: string; credit: string; amount: number }[];
  /** What each agent owes now by the ledger's balance row. */
  readonly owed: ReadonlyMap<string, number>;
}

export interface AuditOptions {
  /** What each agent owed before the first confirm. */
  readonly opening: ReadonlyMap<string, number>;
  /** After everything was sent again: every id must have been answered with a code in the end. */
  readonly settled: boolean;
}

/**
 * What a fault must not have done, from the caller's journal: every `0` that was read is stored once with its agent and
 * amount, nothing is stored twice or out of nothing, a `3` is never the answer to one's own first write, and the books
 * agree. Empty when all is well.
 */
export async function audit(installation: Installation, journal: Journal, options: AuditOptions): Promise<string[]> {
  const broken = await installation.brokenInvariants();
  return [
    ...journalFaults(journal.attempts, await readFacts(installation.url), options),
    ...broken.map((invariant) => `ledger verify: ${JSON.stringify(invariant)}`),
  ];
}

/** How many `0` the callers read, and how many of those ids are not in the books, or more than once. */
export async function damageOf(
  installation: Installation,
  journal: Journal,
): Promise<{ acknowledged: number; lost: number; doubled: number }> {
  const { confirms, payments } = await readFacts(installation.url);
  const [stored, posted] = [grouped(confirms), grouped(payments)];
  const acknowledged = [...grouped(journal.attempts.filter(({ reply }) => reply === '0')).values()];
  const once = (id: string): boolean => stored.has(id) && posted.has(id);
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(([first]) => first !== undefined && !once(first.transactionId)).length,
    doubled:
      acknowledged.filter(({ length }) => length > 1).length +
      [...stored.values(), ...posted.values()].filter(({ length }) => length > 1).length,
  };
}

async function readFacts(url: string): Promise<StoredFacts> {
  const confirms = await selectRows(url, 'select transaction_id, agent_id, amount_millimes from agent_confirmations');
  const payments = await selectRows(
    url,
    `select t.reference, p.debit_account, p.credit_account, p.amount_millimes
     from ledger_transactions t left join postings p on p.transaction_id = t.id where t.code = 'agent_payment'`,
  );
  const balances = await selectRows(
    url,
    "select account, balance_millimes from ledger_balances where account like 'agent_receivable:%'",
  );
  return {
    confirms: confirms.map((row) => ({
      transactionId: String(row['transaction_id']),
      agentId: String(row['agent_id']),
      amount: Number(row['amount_millimes']),
    })),
    payments: payments.map((row) => ({
      transactionId: String(row['reference']).slice('service:'.length),
      debit: String(row['debit_account']),
      credit: String(row['credit_account']),
      amount: Number(row['amount_millimes']),
    })),
    owed: new Map(
      balances.map((row) => [
        String(row['account']).slice('agent_receivable:'.length),
        Number(row['balance_millimes']),
      ]),
    ),
  };
}

/** The audit itself; pure, so that it can be shown to notice each fault. */
export function journalFaults(attempts: readonly Attempt[], facts: StoredFacts, options: AuditOptions): string[] {
  const attemptsOf = grouped(attempts);
  const storedOf = grouped(facts.confirms);
  const paymentsOf = grouped(facts.payments);
  const faults: string[] = [];
  for (const [id, tries] of attemptsOf) {
    faults.push(...attemptFaults(id, tries, storedOf.get(id) ?? [], options.settled));
  }
  for (const [id, stored] of storedOf) {
    if (!attemptsOf.has(id)) faults.push(`${id}: stored, and nobody sent it`);
    if (stored.length > 1) faults.push(`${id}: stored ${stored.length} times`);
    faults.push(...paymentFaults(stored[0] as Confirm, paymentsOf.get(id) ?? []));
  }
  for (const id of paymentsOf.keys()) if (!storedOf.has(id)) faults.push(`${id}: in the ledger, and not confirmed`);
  return [...faults, ...balanceFaults(facts, options.opening)];
}

function attemptFaults(id: string, tries: readonly Attempt[], stored: readonly Confirm[], settled: boolean): string[] {
  const faults: string[] = [];
  const answered = (reply: Reply): Attempt[] => tries.filter((attempt) => attempt.reply === reply);
  const [first, ...others] = answered('0');
  const [row] = stored;
  if (others.length > 0) faults.push(`${id}: answered 0 ${others.length + 1} times`);
  if (first !== undefined && row === undefined) faults.push(`${id}: answered 0 and lost`);
  if (first !== undefined && row !== undefined && !same(first, row)) {
    faults.push(`${id}: answered 0 for ${text(first)}, stored ${text(row)}`);
  }
  const open = [...answered('503'), ...answered('none')];
  if (first === undefined && row !== undefined && !open.some((attempt) => same(attempt, row))) {
    faults.push(`${id}: stored ${text(row)}, answered only ${tries.map(({ reply }) => reply).join(', ')}`);
  }
  if (answered('3').length > 0 && row === undefined) faults.push(`${id}: answered 3, and not stored`);
  for (const { reply } of tries) if (reply.startsWith('unexpected')) faults.push(`${id}: ${reply}`);
  const last = tries.at(-1)?.reply;
  if (settled && (last === '503' || last === 'none')) faults.push(`${id}: never answered with a code`);
  return faults;
}

function paymentFaults(
  { transactionId, agentId, amount }: Confirm,
  payments: readonly StoredFacts['payments'][number][],
): string[] {
  const [payment] = payments;
  if (payments.length !== 1 || payment === undefined) return [`${transactionId}: ${payments.length} postings`];
  const right =
    payment.debit === 'gateway_clearing:agent' &&
    payment.credit === `agent_receivable:${agentId}` &&
    payment.amount === amount;
  return right ? [] : [`${transactionId}: posted as ${JSON.stringify(payment)}`];
}

function balanceFaults({ confirms, owed }: StoredFacts, opening: ReadonlyMap<string, number>): string[] {
  const expected = new Map(opening);
  for (const { agentId, amount } of confirms) expected.set(agentId, (expected.get(agentId) ?? 0) - amount);
  return [...expected].flatMap(([agentId, due]) =>
    owed.get(agentId) === due ? [] : [`agent ${agentId}: owes ${owed.get(agentId)}, expected ${due}`],
  );
}

function same(a: Confirm, b: Confirm): boolean {
  return a.agentId === b.agentId && a.amount === b.amount;
}

function text({ agentId, amount }: Confirm): string {
  return `${amount} of ${agentId}`;
}

function grouped<T extends { readonly transactionId: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.transactionId);
    if (group === undefined) groups.set(row.transactionId, [row]);
    else group.push(row);
  }
  return groups;
}
