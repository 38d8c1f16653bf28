import { Option, type Command } from 'commander';
import type { SubscriptionMirror } from '../subscriptions';
import { EXIT, type RegisterCommands, type RunCommand } from './command';
import { countOption } from './count-option';
import { shownText } from './shown-text';
import { registerCreateSubscription } from './subscription-create';
import { chargeJson, chargeLine, subscriptionJson, subscriptionLine } from './subscription-output';
import { formatWait } from './format-wait';

const LIST_MAX = 10_000;
const STATES = [
  'requested',
  'sending',
  'made',
  'refused',
  'unknown',
] as const satisfies readonly SubscriptionMirror['requestState'][];

interface ShowOptions {
  json?: true;
}

interface ListOptions extends ShowOptions {
  state?: SubscriptionMirror['requestState'];
  status?: string;
  reference?: string;
  limit: string;
}

export const registerSubscriptionCommands: RegisterCommands = (program, run) => {
  const subscriptions = program.command('subscriptions');
  registerCreateSubscription(subscriptions, run);
  registerVerify(subscriptions, run);
  registerList(subscriptions, run);
  registerShow(subscriptions, run);
  registerCharges(subscriptions, run);
};

function registerVerify(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('verify <id>')
    .description('ask the gateway about a subscription and its charges now; exit code 1 when it did not answer')
    .option('--json', 'print JSON')
    .action((id: string, { json }: ShowOptions) =>
      run(async ({ subscriptions: room }, io) => {
        const { trackingId } = (await room.show(id)).subscription;
        const outcome = await room.checkStatus(trackingId);
        const { subscription } = await room.show(trackingId);
        const late = outcome.kind === 'later' ? outcome : undefined;
        if (json === true) {
          const retryAfterMs = late?.retryAfterMs ?? null;
          io.json({
            kind: outcome.kind,
            subscription: subscriptionJson(subscription),
            retryAfterMs,
            reason: late?.reason ?? null,
          });
        } else {
          io.line(subscriptionLine(subscription));
          if (late !== undefined) {
            io.line(`not looked at: ${shownText(late.reason)}; ask again in ${formatWait(late.retryAfterMs)}`);
          }
          if (outcome.kind === 'nothing_to_ask') io.line('there is nothing to ask the gateway about');
        }
        return late === undefined ? EXIT.done : EXIT.fault;
      }),
    );
}

function registerList(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('list')
    .description('subscriptions, the newest first; what is left of the queue by --state requested')
    .addOption(new Option('--state <state>', 'what became of the request').choices(STATES))
    .option('--status <status>', "the gateway's word, such as active")
    .option('--reference <text>', 'only those of one reference')
    .option('--limit <count>', `how many, at most ${LIST_MAX}`, '100')
    .option('--json', 'print JSON')
    .action(({ state, status, reference, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const found = await millime.subscriptions.list({
          requestState: state,
          status,
          reference,
          limit: countOption('--limit', limit, LIST_MAX),
        });
        if (json === true) return io.json(found.map(subscriptionJson));
        for (const subscription of found) io.line(subscriptionLine(subscription));
        io.line(found.length === 0 ? 'no subscriptions' : `${found.length} subscriptions`);
      }),
    );
}

function registerShow(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('show <id>')
    .description('one subscription, and its charges')
    .option('--json', 'print JSON')
    .action((id: string, { json }: ShowOptions) =>
      run(async ({ subscriptions: room, calendar }, io) => {
        const { subscription, charges } = await room.show(id);
        if (json === true) return io.json({ ...subscriptionJson(subscription), charges: charges.map(chargeJson) });
        io.line(subscriptionLine(subscription));
        const { requestError, link, nextChargeAt, cancellationReason } = subscription;
        if (requestError !== undefined) io.line(`  ${shownText(requestError)}`);
        if (link !== undefined) io.line(`  ${shownText(link)}`);
        if (nextChargeAt !== undefined) io.line(`  the next charge ${calendar.formatLocal(nextChargeAt)}`);
        if (cancellationReason !== undefined) io.line(`  ended: ${shownText(cancellationReason)}`);
        io.line('charges');
        for (const charge of charges) io.line(`  ${chargeLine(charge, calendar)}`);
      }),
    );
}

function registerCharges(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('charges <id>')
    .description('the charges of one subscription, with their fees')
    .option('--json', 'print JSON')
    .action((id: string, { json }: ShowOptions) =>
      run(async ({ subscriptions: room, calendar }, io) => {
        const { charges } = await room.show(id);
        if (json === true) return io.json(charges.map(chargeJson));
        for (const charge of charges) io.line(chargeLine(charge, calendar));
        io.line(charges.length === 0 ? 'no charges' : `${charges.length} charges`);
      }),
    );
}
