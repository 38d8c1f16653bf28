import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import { type Language, LANGUAGES } from '../identity';
import { AppError, counted } from '../kernel';
import type { ListedRecipients, NotificationWay } from '../notifications';
import { listedRecipientsJson, newRecipientJson } from '../shapes/notifications';
import {
  type CliIo,
  EXIT,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
} from './command';
import { printSection, printTable } from './print-table';

interface AddOptions extends ShowOptions {
  email?: string;
  webhook?: string;
  kinds: string;
  language: Language;
}

export const registerNotificationCommands: RegisterCommands = (program, run) => {
  const notifications = program.command('notifications');
  registerList(notifications, run);
  registerAdd(notifications, run);

  notifications
    .command('remove <id>')
    .description('remove a recipient with its messages')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        await millime.notifications.remove(id, await whoActs(millime, { decides: true }));
        if (json === true) io.json({ id, outcome: 'removed' });
        else io.line(`removed recipient ${id}`);
      }),
    );

  notifications
    .command('test <id>')
    .description('send a test message within a minute')
    .option('--json', 'JSON output')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const messageId = await millime.notifications.test(id, await whoActs(millime, { decides: true }));
        if (json === true) return io.json({ id, messageId });
        io.line(`test message ${messageId} is sent by "millime serve" within a minute`);
      }),
    );
};

function registerList(notifications: Command, run: RunCommand): void {
  notifications
    .command('list')
    .description('list where you are notified, and the newest messages')
    .option('--json', 'JSON output')
    .action(({ json }: ShowOptions) =>
      run(async (millime, io) => {
        const listed = await millime.notifications.list(await whoActs(millime, { decides: false }));
        if (json === true) io.json(listedRecipientsJson(listed));
        else printListed(listed, millime, io);
      }),
    );
}

function registerAdd(notifications: Command, run: RunCommand): void {
  notifications
    .command('add')
    .description('add an e-mail address or a webhook to notify')
    .requiredOption('--kinds <kinds>', 'high_break, failed_job, token_expiring, separated by commas')
    .option('--email <address>', 'e-mail address')
    .option('--webhook <url>', 'https URL; the signing secret is printed once')
    .addOption(new Option('--language <language>', 'language of the e-mails').choices(LANGUAGES).default('fr'))
    .option('--json', 'JSON output')
    .action((options: AddOptions) =>
      run(async (millime, io) => {
        const { language, json } = options;
        const kinds = options.kinds.split(',').map((kind) => kind.trim());
        const actor = await whoActs(millime, { decides: true });
        const made = await millime.notifications.add({ ...placeOf(options), kinds, language, actor });
        const { recipient, secret } = made;
        if (json === true) io.json(newRecipientJson(made));
        else if (secret !== undefined) io.line(secret);
        writeAside(`added recipient ${recipient.id}${secret === undefined ? '' : '; the secret is not shown again'}`);
        return EXIT.done;
      }),
    );
}

function placeOf({ email, webhook }: AddOptions): { readonly way: NotificationWay; readonly address: string } {
  if (email !== undefined && webhook === undefined) return { way: 'email', address: email };
  if (webhook !== undefined && email === undefined) return { way: 'webhook', address: webhook };
  throw new AppError('bad_input', { field: '--email, --webhook', expected: 'one of both' });
}

function printListed({ recipients, deliveries }: ListedRecipients, { calendar }: Millime, io: CliIo): void {
  const rows = recipients.map(({ id, ownerName, way, address, kinds, language, createdAt }) => [
    ...[id, ownerName, way, address, kinds.join(','), language, calendar.formatLocal(createdAt)],
  ]);
  const columns = ['id', 'owner', 'way', 'address', 'kinds', 'language', 'added'];
  printTable(io, columns, rows, counted(rows.length, 'recipient'));
  const messages = deliveries.map(({ id, recipientId, kind, state, tries, error, answer, createdAt }) => [
    ...[id, recipientId, kind, state, String(tries), [error, answer].filter((each) => each !== undefined).join(' ')],
    calendar.formatLocal(createdAt),
  ]);
  printSection(io, 'messages', ['id', 'recipient', 'kind', 'state', 'tries', 'last error', 'created'], messages);
}
