import type { PollResult, QueueResult } from '../attempts';
import type { Millime } from '../compose';
import { type CliIo, type RegisterCommands, type ShowOptions, whoActs } from './command';
import { t } from './language';

interface Options extends ShowOptions {
  send?: true;
}

interface Polled {
  readonly webhooks: number;
  readonly payments: PollResult;
  readonly subscriptions: PollResult;
  /** Undefined if the queue was not sent. */
  readonly queue: { readonly payments: QueueResult; readonly subscriptions: QueueResult } | undefined;
}

export const registerPollCommand: RegisterCommands = (program, run) => {
  program
    .command('poll')
    .option('--send')
    .option('--json')
    .action(({ send, json }: Options) =>
      run(async (millime, io) => {
        // Polling is not a decision, but an invalid MILLIME_API_KEY must be reported.
        await whoActs(millime, { decides: false });
        const polled = await pollOnce(millime, { send: send === true });
        if (json !== true) return print(polled, io);
        const { webhooks, payments, subscriptions, queue } = polled;
        return io.json({
          webhooks,
          looked: payments.checked + subscriptions.checked,
          failed: payments.failed + subscriptions.failed,
          left: payments.left + subscriptions.left,
          payments,
          subscriptions,
          queue: queue ?? null,
        });
      }),
    );
};

/**
 * Runs one round. It resolves stale requests first, because they limit the status checks, and processes webhooks before
 * due checks.
 */
async function pollOnce(
  { payments, subscriptions, webhooks }: Millime,
  { send }: { readonly send: boolean },
): Promise<Polled> {
  await payments.resolveStaleRequests();
  const queue = send
    ? { payments: await payments.sendRequested(), subscriptions: await subscriptions.sendRequested() }
    : undefined;
  const processed = await webhooks.processInbox();
  return { webhooks: processed, payments: await payments.poll(), subscriptions: await subscriptions.poll(), queue };
}

function print({ webhooks, payments, subscriptions, queue }: Polled, io: CliIo): void {
  if (queue !== undefined) {
    io.line(t('cli:poll.queue.payments', { ...queue.payments }));
    io.line(t('cli:poll.queue.subscriptions', { ...queue.subscriptions }));
  }
  io.line(t('cli:poll.webhooks', { processed: webhooks }));
  io.line(t('cli:poll.checks.payments', { ...payments }));
  io.line(t('cli:poll.checks.subscriptions', { ...subscriptions }));
}
