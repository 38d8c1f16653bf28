import { agentFault, openAgentDirectory } from '../agents';
import { type ActOptions, type CollectingDeps, otherApplication, type PlanResult, requireGateway } from '../attempts';
import { type Session, writeInPages } from '../db';
import type { GatewayClient } from '../gateway';
import { openAuditTrail, requireScope } from '../identity';
import { AppError, describeLineFaults, type LineFault, MINUTE_MS, sha256Hex } from '../kernel';
import { type PlanLine, readPlan } from './read-plan';
import { openSubscriptionStore } from './subscription-store';
import { asksForTheSame, checkTerms, newSubscription, termsOf } from './subscription-terms';
import type { SubscriptionMirror } from './subscriptions';

/** Checking a large file takes longer than the deadline of a payment. */
const CHECK_DEADLINE_MS = 2 * MINUTE_MS;

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
  { actor, dryRun }: ActOptions,
): Promise<PlanResult> {
  requireScope(actor, 'payments:write');
  const gateway = requireGateway(deps);
  const { database, clock } = deps;
  const plan = readPlan(file);
  const checked = checkLines(deps, gateway, plan.lines, actor.name);
  const inStore = await database.read(async (session) => faultsInStore(session, checked.rows), {
    snapshot: true,
    deadlineMs: CHECK_DEADLINE_MS,
  });
  refuse([...plan.faults, ...checked.faults, ...inStore]);
  const detail = { rows: checked.rows.length, sha256: sha256Hex(file) };
  const added = await writeInPages(database, checked.rows, {
    what: 'subscriptions',
    dryRun,
    async write(session, page, isFirst) {
      refuse(await faultsInStore(session, page));
      const store = openSubscriptionStore(session);
      const known = await store.ofReferences(referencesOf(page));
      const fresh = page.map(({ subscription }) => subscription).filter((asked) => isNew(asked, known));
      await store.add(fresh);
      // One audit record for the whole file, stored with the first page that adds a row, because later pages may be
      // interrupted.
      if (isFirst && fresh.length > 0) {
        const subject = `file:${detail.sha256}`;
        const at = clock.now();
        await openAuditTrail(session).record({ at, actor, action: 'subscriptions.planned', subject, detail });
      }
      return fresh;
    },
  });
  return { added: added.length, unchanged: checked.rows.length - added.length };
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
      const reasons = error.details.length > 0 ? error.details : [error.message];
      faults.push(...reasons.map((reason) => ({ line, reason })));
    }
  }
  return { rows, faults };
}

/** Returns the faults of the rows that concern stored subscriptions and agents. */
async function faultsInStore(session: Session, rows: readonly Row[]): Promise<LineFault[]> {
  const known = await openSubscriptionStore(session).ofReferences(referencesOf(rows));
  const agentIds = rows.flatMap(({ subscription: { agentId } }) => (agentId === undefined ? [] : [agentId]));
  const agents = await openAgentDirectory(session).find(agentIds);
  const faults: LineFault[] = [];
  for (const { line, subscription } of rows) {
    const { reference, agentId } = subscription;
    const existing = reference === undefined ? undefined : known.get(reference);
    if (existing?.isLive === true && !asksForTheSame(existing, subscription)) {
      const application = otherApplication(existing, subscription);
      const fault = application === undefined ? 'is live with other terms' : `is taken: ${application}`;
      faults.push({ line, reason: `reference: ${fault}` });
    }
    if (agentId === undefined || !isNew(subscription, known)) continue;
    const reason = agentFault(agents.get(agentId));
    if (reason !== undefined) faults.push({ line, reason: `agent_id: ${reason}` });
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

function refuse(faults: readonly LineFault[]): void {
  if (faults.length > 0) {
    throw new AppError('file_faults', { file: 'plan' }, { details: describeLineFaults(faults) });
  }
}
