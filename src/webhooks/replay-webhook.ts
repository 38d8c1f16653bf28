import type { ActOptions } from '../attempts';
import type { Database } from '../db';
import { openAuditTrail, requireScope } from '../identity';
import { assert, type Clock } from '../kernel';
import { openInbox, requireEntry } from './inbox-store';
import type { InboxEntry } from './webhooks';

/**
 * Schedules an entry to be processed again, in any state, with a status check after the replay. It may be repeated.
 *
 * @throws AppError `not_found`, `forbidden`.
 */
export async function replayWebhook(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: string,
  { actor, dryRun }: ActOptions,
): Promise<InboxEntry> {
  requireScope(actor, 'webhooks:replay');
  return database.transact(
    async (session) => {
      const inbox = openInbox(session);
      const entry = await requireEntry(inbox, id);
      const at = clock.now();
      await inbox.reopen(id, 'replayed', at);
      const detail = { family: entry.family, state: entry.state, outcome: entry.outcome ?? null };
      await openAuditTrail(session).record({ at, actor, action: 'webhook.replayed', subject: `webhook:${id}`, detail });
      const reopened = await inbox.find(id);
      assert(reopened !== undefined, 'an entry is never deleted');
      return reopened;
    },
    { dryRun },
  );
}
