import { agentFault, openAgentDirectory } from '../agents';
import {
  type ActOptions,
  type CollectingDeps,
  liveReferenceFault,
  PLAN_CHECK_DEADLINE_MS,
  type PlanResult,
  refusePlan,
  requireGateway,
  storePlan,
} from '../attempts';
import type { Session } from '../db';
import type { GatewayClient } from '../gateway';
import { requireScope } from '../identity';
import { AppError, type LineFault, lineFault } from '../kernel';
import { type PlanLine, readPlan } from './read-plan';
import { openSubscriptionStore } from './subscription-store';
import { asksForTheSame, checkTerms, newSubscription, termsOf } from './subscription-terms';
import type { SubscriptionMirror } from './subscriptions';

interface Row {
  readonly line: number;
  readonly subscription: SubscriptionMirror;
}

/**
 * Imports a file of subscriptions, for the queue to send. The whole file is checked before its first row is stored.
 * Importing the same file again adds only the rows that the gateway refused.
 *
 * @throws AppError `file_faults` with a line per fault, and nothing was stored; `interrupted` when the import stopped
 * before its end: importing the same file again continues.
 */
export async function importSubscriptionPlan(
  deps: CollectingDeps,
  file: Uint8Array,
  options: ActOptions,
): Promise<PlanResult> {
  requireScope(options.actor, 'payments:write');
  const gateway = requireGateway(deps);
  const plan = readPlan(file);
  const checked = checkLines(deps, gateway, plan.lines, options.actor.name);
  const inStore = await deps.database.read(async (session) => faultsInStore(session, checked.rows), {
    snapshot: true,
    deadlineMs: PLAN_CHECK_DEADLINE_MS,
  });
  refusePlan([...plan.faults, ...checked.faults, ...inStore]);
  return storePlan(deps, 'subscriptions', { file, lines: checked.rows, store: importPage }, options);
}

async function importPage(session: Session, page: readonly Row[]): Promise<SubscriptionMirror[]> {
  refusePlan(await faultsInStore(session, page, 'share'));
  const store = openSubscriptionStore(session);
  const known = await store.ofReferences(referencesOf(page));
  const fresh = page.map(({ subscription }) => subscription).filter((asked) => isNew(asked, known));
  await store.add(fresh);
  return fresh;
}

function checkLines(
  { clock, settings }: CollectingDeps,
  gateway: GatewayClient,
  lines: readonly PlanLine[],
  recordedBy: string,
): { readonly rows: Row[]; readonly faults: LineFault[] } {
  const at = clock.now();
  const rows: Row[] = [];
  const faults: LineFault[] = [];
  for (const { line, request } of lines) {
    const terms = termsOf(request, settings);
    try {
      checkTerms(gateway, request, terms);
      rows.push({ line, subscription: newSubscription(request, terms, { at, recordedBy, isTest: settings.isTest }) });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_input') throw error;
      const found = error.faults.length > 0 ? error.faults : [error.notice];
      faults.push(...found.map(({ text, command }) => ({ line, reason: text, command })));
    }
  }
  return { rows, faults };
}

/** Returns the faults of the rows that concern stored subscriptions and agents. `share` locks the agents as they are. */
async function faultsInStore(session: Session, rows: readonly Row[], lock?: 'share'): Promise<LineFault[]> {
  const known = await openSubscriptionStore(session).ofReferences(referencesOf(rows));
  const agentIds = rows.flatMap(({ subscription: { agentId } }) => (agentId === undefined ? [] : [agentId]));
  const agents = await openAgentDirectory(session).find(agentIds, lock);
  const faults: LineFault[] = [];
  for (const { line, subscription } of rows) {
    const { reference, agentId } = subscription;
    const existing = reference === undefined ? undefined : known.get(reference);
    if (existing?.isLive === true && !asksForTheSame(existing, subscription)) {
      faults.push({ line, reason: `reference: ${liveReferenceFault(existing, subscription)}` });
    }
    if (agentId === undefined || !isNew(subscription, known)) continue;
    const fault = agentFault(agents.get(agentId));
    if (fault !== undefined) faults.push(lineFault(line, { ...fault, field: 'agent_id' }));
  }
  return faults;
}

/**
 * Returns whether a row becomes a new subscription. Importing its own file does not restart an ended subscription; one
 * that the gateway refused may be tried again.
 */
function isNew(asked: SubscriptionMirror, known: ReadonlyMap<string, SubscriptionMirror>): boolean {
  const existing = asked.reference === undefined ? undefined : known.get(asked.reference);
  if (existing === undefined || existing.requestState === 'refused') return true;
  return !existing.isLive && !asksForTheSame(existing, asked);
}

function referencesOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ subscription: { reference } }) => (reference === undefined ? [] : [reference]));
}
