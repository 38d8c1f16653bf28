import { type Command, Option } from 'commander';
import { type BusinessCalendar, rowsOfPages, shownText } from '../kernel';
import { lateJson } from '../shapes/status-checks';
import { chargeJson, subscriptionJson } from '../shapes/subscriptions';
import type { ChargeMirror, SubscriptionKey, SubscriptionMirror } from '../subscriptions';
import { type CliIo, EXIT, type RegisterCommands, type RunCommand, type ShowOptions } from './command';
import { formatWait } from './format-wait';
import { fullId } from './full-id';
import { t } from './language';
import { limitOption } from './option-values';
import { printTable } from './print-table';
import { registerCreateSubscription } from './subscription-create';
import {
  CHARGE_COLUMNS,
  chargeRow,
  SUBSCRIPTION_COLUMNS,
  subscriptionLine,
  subscriptionRow,
} from './subscription-output';

const STATES = [
  'requested',
  'sending',
  'made',
  'refused',
  'unknown',
] as const satisfies readonly SubscriptionMirror['requestState'][];

interface ListOptions extends ShowOptions {
  state?: SubscriptionMirror['requestState'];
  status?: string;
  reference?: string;
  limit: number;
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
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const { subscriptions: room } = millime;
        const { trackingId } = (await room.show(await fullId(millime, id, 'subscription'))).subscription;
        const outcome = await room.checkStatus(trackingId);
        const { subscription } = await room.show(trackingId);
        const late = outcome.kind === 'later' ? outcome : undefined;
        if (json === true) {
          io.json({ kind: outcome.kind, subscription: subscriptionJson(subscription), ...lateJson(outcome) });
        } else {
          io.line(subscriptionLine(subscription));
          if (late !== undefined) {
            io.line(
              t('cli:status.notChecked', { reason: shownText(late.reason), wait: formatWait(late.retryAfterMs) }),
            );
          }
          if (outcome.kind === 'nothing_to_ask') io.line(t('cli:status.nothing'));
        }
        return late === undefined ? EXIT.done : EXIT.fault;
      }),
    );
}

function registerList(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('list')
    .addOption(new Option('--state <state>').choices(STATES))
    .option('--status <status>')
    .option('--reference <text>')
    .addOption(limitOption())
    .option('--json')
    .action(({ state, status, reference, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const filter = { requestState: state, status, reference };
        const found = await rowsOfPages<SubscriptionMirror, SubscriptionKey>(limit, (after, count) =>
          millime.subscriptions.list({ ...filter, after, limit: count }),
        );
        if (json === true) return io.json(found.map(subscriptionJson));
        printTable(
          io,
          SUBSCRIPTION_COLUMNS,
          found.map(subscriptionRow),
          t('cli:count.subscription', { count: found.length }),
        );
      }),
    );
}

function registerShow(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('show <id>')
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const { subscriptions: room, calendar } = millime;
        const { subscription, charges } = await room.show(await fullId(millime, id, 'subscription'));
        if (json === true) return io.json({ ...subscriptionJson(subscription), charges: charges.map(chargeJson) });
        io.line(subscriptionLine(subscription));
        const { requestError, link, nextChargeAt, cancellationReason } = subscription;
        if (requestError !== undefined) io.line(`  ${shownText(requestError)}`);
        if (link !== undefined) io.line(`  ${shownText(link)}`);
        if (nextChargeAt !== undefined) {
          io.line(`  ${t('cli:subscriptions.nextCharge', { when: calendar.formatLocal(nextChargeAt) })}`);
        }
        if (cancellationReason !== undefined) {
          io.line(`  ${t('cli:subscriptions.ended', { reason: shownText(cancellationReason) })}`);
        }
        printCharges(io, charges, calendar);
      }),
    );
}

function registerCharges(subscriptions: Command, run: RunCommand): void {
  subscriptions
    .command('charges <id>')
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const { subscriptions: room, calendar } = millime;
        const { charges } = await room.show(await fullId(millime, id, 'subscription'));
        if (json === true) return io.json(charges.map(chargeJson));
        printCharges(io, charges, calendar);
      }),
    );
}

function printCharges(io: CliIo, charges: readonly ChargeMirror[], calendar: BusinessCalendar): void {
  const rows = charges.map((charge) => chargeRow(charge, calendar));
  printTable(io, CHARGE_COLUMNS, rows, t('cli:count.charge', { count: rows.length }));
}
