import { agentFault, erasedFault, openAgentDirectory } from '../../agents';
import {
  type ActOptions,
  liveReferenceFault,
  PLAN_CHECK_DEADLINE_MS,
  type PlanResult,
  refusePlan,
  requireGateway,
  storePlan,
} from '../../attempts';
import type { Session } from '../../db';
import { requireScope } from '../../identity';
import { addToGroup, type LineFault, lineFault } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { sameTerms } from './checkout-terms';
import { type PlanLine, readPlan } from './read-plan';

/** How a line relates to the attempts of its reference. `taken`: why it cannot be sent. */
type Judgment = 'new' | 'unchanged' | { readonly taken: string };

/**
 * Imports a file of payments (`read-plan.ts` has its columns) and stores each new one as `requested`, for the queue to
 * send. Checks the whole file before storing the first row. Importing the same file again adds only rows whose attempts
 * were abandoned (open point 129), and rows that an interrupted import did not store.
 *
 * @throws AppError `file_faults` with a line per fault, and then nothing was stored; `misconfigured`, `forbidden`.
 */
export async function importPaymentPlan(
  deps: PaymentsDeps,
  file: Uint8Array,
  options: ActOptions,
): Promise<PlanResult> {
  const gateway = requireGateway(deps);
  requireScope(options.actor, 'payments:write');
  const { database, clock, settings } = deps;
  const { lines, faults } = readPlan(file, { gateway, settings, at: clock.now(), recordedBy: options.actor.name });
  const known = await database.read((session) => faultsInStore(session, lines), {
    snapshot: true,
    deadlineMs: PLAN_CHECK_DEADLINE_MS,
  });
  refusePlan([...faults, ...known]);
  return storePlan(deps, 'payments', { file, lines, store: importPage }, options);
}

/** Returns the faults of the lines that concern stored agents and payments. */
async function faultsInStore(session: Session, lines: readonly PlanLine[]): Promise<LineFault[]> {
  const agents = await openAgentDirectory(session).find(agentIdsOf(lines));
  const attempts = await attemptsOf(session, lines);
  return lines.flatMap(({ line, reference, payment }) => {
    const known = judge(payment, attempts.get(reference));
    if (known === 'unchanged') return [];
    if (known !== 'new') return [{ line, reason: `reference: ${known.taken}` }];
    const fault = payment.agentId === undefined ? undefined : agentFault(agents.get(payment.agentId));
    return fault === undefined ? [] : [lineFault(line, { ...fault, field: 'agent_id' })];
  });
}

async function importPage(session: Session, page: readonly PlanLine[]): Promise<Payment[]> {
  const attempts = await attemptsOf(session, page);
  const agents = await openAgentDirectory(session).find(agentIdsOf(page), 'share');
  const fresh: Payment[] = [];
  for (const { line, reference, payment } of page) {
    const known = judge(payment, attempts.get(reference));
    if (known === 'new') {
      const fault = payment.agentId === undefined ? undefined : erasedFault(agents.get(payment.agentId));
      if (fault !== undefined) refusePlan([{ line, reason: `agent_id: ${fault}` }]);
      fresh.push(payment);
    } else if (known !== 'unchanged') {
      refusePlan([{ line, reason: `reference: ${known.taken}, since this import began` }]);
    }
  }
  await openPaymentStore(session).add(fresh);
  return fresh;
}

function agentIdsOf(lines: readonly PlanLine[]): string[] {
  return lines.flatMap(({ payment: { agentId } }) => (agentId === undefined ? [] : [agentId]));
}

async function attemptsOf(session: Session, lines: readonly PlanLine[]): Promise<Map<string, Payment[]>> {
  const attempts = new Map<string, Payment[]>();
  for (const payment of await openPaymentStore(session).ofReferences(lines.map(({ reference }) => reference))) {
    if (payment.reference === undefined) continue;
    addToGroup(attempts, payment.reference, payment);
  }
  return attempts;
}

/**
 * Decides about a line. The same file does not send a line again, even if its payment failed. The exception is an
 * abandoned attempt: its customer never got a link, and it can no longer be paid (open point 129).
 */
function judge(payment: Payment, attempts: readonly Payment[] = []): Judgment {
  const live = attempts.find(({ isLive }) => isLive);
  if (live !== undefined) return sameTerms(live, payment) ? 'unchanged' : { taken: liveReferenceFault(live, payment) };
  const known = attempts.filter(({ requestState }) => requestState !== 'abandoned');
  return known.some((attempt) => sameTerms(attempt, payment)) ? 'unchanged' : 'new';
}
