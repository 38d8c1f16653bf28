import type { Database } from '../db';
import type { Clock } from '../kernel';
import type { Logger } from '../logging';
import type { Payments } from '../payments';
import type { Subscriptions } from '../subscriptions';
import { diagnose } from './diagnose';
import { listEntries } from './inbox-list-store';
import { openInbox, requireEntry } from './inbox-store';
import { processInbox } from './process-inbox';
import { hintReceiver, isHintToken } from './receive-hint';
import { webhookReceiver } from './receive-webhook';
import { replayWebhook } from './replay-webhook';
import type { Webhooks } from './webhooks';

export { webhookRoutes, type WebhookRouteDeps } from './webhook-routes';

export {
  WEBHOOK_FAMILIES,
  WEBHOOK_STATES,
  type Diagnosis,
  type InboxEntry,
  type InboxFilter,
  type InboxKey,
  type Webhooks,
  type WebhookState,
} from './webhooks';

export interface WebhooksDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly payments: Payments;
  readonly subscriptions: Subscriptions;
  /** The accepted private keys, current first; undefined without a gateway: every webhook is then refused. */
  readonly keys: readonly string[] | undefined;
  /** Only `diagnose` tries it; it verifies no webhook. */
  readonly publicKey?: string | undefined;
  readonly hintToken: string | undefined;
  readonly timeZone: string;
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { database, clock, keys = [], publicKey, timeZone } = deps;
  return {
    receive: webhookReceiver(deps),
    isHintToken: (token) => isHintToken(deps.hintToken, token),
    receiveHint: hintReceiver(deps),
    // Without a gateway nothing arrives, and stored entries wait.
    processInbox: async (signal) => (keys.length === 0 ? 0 : processInbox({ ...deps, keys }, signal)),
    list: (filter) => database.read((session) => listEntries(session, filter), { snapshot: true }),
    find: (id) => database.read((session) => requireEntry(openInbox(session), id)),
    replay: (id, options) => replayWebhook(deps, id, options),
    diagnose: (pasted, { at, secret } = {}) =>
      diagnose(pasted, { keys, secret, publicKey, now: at ?? clock.now(), timeZone }),
  };
}
