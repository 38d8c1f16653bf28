import { type Command, Option } from 'commander';
import type { Millime } from '../compose';
import { type Language, LANGUAGES } from '../identity';
import { AppError } from '../kernel';
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
import { t } from './language';
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
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        await millime.notifications.remove(id, await whoActs(millime, { decides: true }));
        if (json === true) io.json({ id, outcome: 'removed' });
        else io.line(t('cli:notifications.removed', { id }));
      }),
    );

  notifications
    .command('test <id>')
    .option('--json')
    .action((id: string, { json }: ShowOptions) =>
      run(async (millime, io) => {
        const messageId = await millime.notifications.test(id, await whoActs(millime, { decides: true }));
        if (json === true) return io.json({ id, messageId });
        io.line(t('cli:notifications.test', { messageId }));
      }),
    );
};

function registerList(notifications: Command, run: RunCommand): void {
  notifications
    .command('list')
    .option('--json')
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
    .requiredOption('--kinds <kinds>')
    .option('--email <address>')
    .option('--webhook <url>')
    .addOption(new Option('--language <language>').choices(LANGUAGES).default('fr'))
    .option('--json')
    .action((options: AddOptions) =>
      run(async (millime, io) => {
        const { language, json } = options;
        const kinds = options.kinds.split(',').map((kind) => kind.trim());
        const actor = await whoActs(millime, { decides: true });
        const made = await millime.notifications.add({ ...placeOf(options), kinds, language, actor });
        const { recipient, secret } = made;
        if (json === true) io.json(newRecipientJson(made));
        else if (secret !== undefined) io.line(secret);
        const { id } = recipient;
        writeAside(t(secret === undefined ? 'cli:notifications.added' : 'cli:notifications.addedWithSecret', { id }));
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
  printTable(io, columns, rows, t('cli:count.recipient', { count: rows.length }));
  const messages = deliveries.map(({ id, recipientId, kind, state, tries, error, answer, createdAt }) => [
    ...[id, recipientId, kind, state, String(tries), [error, answer].filter((each) => each !== undefined).join(' ')],
    calendar.formatLocal(createdAt),
  ]);
  const messageColumns = ['id', 'recipient', 'kind', 'state', 'tries', 'last error', 'created'];
  printSection(io, t('cli:notifications.messages'), messageColumns, messages);
}
