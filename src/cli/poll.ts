import type { PollResult, QueueResult } from '../attempts';
import type { Millime } from '../compose';
import { type CliIo, type RegisterCommands, whoActs } from './command';

interface Options {
  send?: true;
  json?: true;
}

interface Polled {
  readonly webhooks: number;
  readonly payments: PollResult;
  readonly subscriptions: PollResult;
  /** Undefined when the queue was not sent. */
  readonly queue: { readonly payments: QueueResult; readonly subscriptions: QueueResult } | undefined;
}

export const registerPollCommand: RegisterCommands = (program, run) => {
  program
    .command('poll')
    .option('--send', 'first send what waits in the queue')
    .option('--json', 'print JSON')
    .action(({ send, json }: Options) =>
      run(async (millime, io) => {
        // Nothing here is decided, but a bad MILLIME_API_KEY must not go unnoticed.
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

/** What a dead process left comes first: it decides what may be looked at. Webhooks come before what is only due. */
async function pollOnce(
  { payments, subscriptions, webhooks }: Millime,
  { send }: { readonly send: boolean },
): Promise<Polled> {
  await payments.resolveStaleRequests();
  const queue = send
    ? { payments: await payments.sendRequested(), subscriptions: await subscriptions.sendRequested() }
    : undefined;
  const workedOff = await webhooks.processInbox();
  return { webhooks: workedOff, payments: await payments.poll(), subscriptions: await subscriptions.poll(), queue };
}

function print({ webhooks, payments, subscriptions, queue }: Polled, io: CliIo): void {
  if (queue !== undefined) {
    io.line(queueLine('payments', queue.payments));
    io.line(queueLine('subscriptions', queue.subscriptions));
  }
  io.line(`webhooks       ${webhooks} worked off`);
  io.line(lookLine('payments', payments));
  io.line(lookLine('subscriptions', subscriptions));
}

function queueLine(noun: string, { sent, refused, unknown, left }: QueueResult): string {
  return `${noun.padEnd(13)}  ${sent} sent, ${refused} refused, ${unknown} of unknown outcome, ${left} left in the queue`;
}

function lookLine(noun: string, { checked, failed, left }: PollResult): string {
  return `${noun.padEnd(13)}  ${checked} looked at, ${failed} not answered, ${left} still due`;
}
