import { type Agent, openAgentDirectory } from '../agents';
import type { Database, Session } from '../db';
import { splitBalance } from '../dues';
import { checkReason, openAuditTrail, type ReasonedDecision, requireScope } from '../identity';
import { AppError, type Clock, foldText, formatDinars, MINUTE_MS } from '../kernel';
import { agentReceivable, openLedger } from '../ledger';
import { unpostedPaymentOf } from '../payments';
import { unendedSubscriptionOf } from '../subscriptions';

export type EraseOutcome = 'erased' | 'already_erased';

/** Payments have no index by agent, so a large table takes longer to search than a payment may wait. */
const DEADLINE_MS = MINUTE_MS;
const NAME_WORD_LETTERS_MIN = 3;
const PHONE_DIGITS_MIN = 6;
/** Numbers are written with and without the country code. */
const PHONE_DIGITS_COMPARED = 8;

/**
 * Erases the name and the phone of an agent (ADR 31). Locks the agent and then its balance, so that no due, payment or
 * confirm of the agent is stored beside it.
 */
export async function eraseAgent(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  agentId: string,
  { actor, reason, dryRun }: ReasonedDecision,
): Promise<EraseOutcome> {
  requireScope(actor, 'agents:erase');
  checkReason(reason, 'why the agent is erased');
  return database.transact(
    async (session) => {
      const directory = openAgentDirectory(session);
      const agent = (await directory.find([agentId], 'update')).get(agentId);
      if (agent === undefined) throw new AppError('not_found', { thing: 'agent', id: agentId });
      if (agent.erasedAt !== undefined) return 'already_erased';
      refuseNameIn(reason, agent);
      await refuseMoney(session, agentId);
      const at = clock.now();
      await directory.erase(agent, at, actor.name);
      const subject = `agent:${agentId}`;
      await openAuditTrail(session).record({ at, actor, action: 'agent.erased', subject, detail: { reason } });
      return 'erased';
    },
    { retryDuplicate: true, dryRun, deadlineMs: DEADLINE_MS },
  );
}

/** Refuses a reason with the agent's name or phone: the audit trail is never rewritten. */
function refuseNameIn(reason: string, { fullName, phone }: Agent): void {
  const words = new Set(foldText(reason).split(' '));
  const names = foldText(fullName)
    .split(' ')
    .filter((word) => word.length >= NAME_WORD_LETTERS_MIN);
  const phones = phone.split('/').map((each) => digitsOf(each).slice(-PHONE_DIGITS_COMPARED));
  const hasPhone = phones.some((each) => each.length >= PHONE_DIGITS_MIN && digitsOf(reason).includes(each));
  if (!hasPhone && !names.some((name) => words.has(name))) return;
  const fault = "contains the agent's name or phone, and the audit trail keeps it";
  throw new AppError('bad_input', { field: 'reason', fault, fix: 'name the request instead; nothing was erased' });
}

function digitsOf(text: string): string {
  return foldText(text).replaceAll(/\D/g, '');
}

/** @throws AppError `conflict` while the agent's money is not settled. */
async function refuseMoney(session: Session, agentId: string): Promise<void> {
  const account = agentReceivable(agentId);
  const { due, credit } = splitBalance((await openLedger(session).lockBalances([account])).get(account));
  if (due > 0) {
    const fix = 'collect it, or cancel the due';
    const command = 'run "millime dues cancel <reference> --reason <text>" to cancel a due';
    throw new AppError('agent_has_money', { agentId, money: `owes ${formatDinars(due)}`, fix, command });
  }
  if (credit > 0) {
    const fix = 'pay it back and import a due of that amount';
    throw new AppError('agent_has_money', { agentId, money: `has a credit of ${formatDinars(credit)}`, fix });
  }
  const payment = await unpostedPaymentOf(session, agentId);
  if (payment !== undefined) {
    const [fix, command] = ['wait for its end', `"millime payments show ${payment}" prints its state`];
    throw new AppError('agent_has_money', { agentId, money: 'has a payment that may still succeed', fix, command });
  }
  const subscription = await unendedSubscriptionOf(session, agentId);
  if (subscription !== undefined) {
    const money = 'has a subscription that may still be charged';
    const [fix, command] = ['end it at the gateway', `"millime subscriptions show ${subscription}" prints it`];
    throw new AppError('agent_has_money', { agentId, money, fix, command });
  }
}
