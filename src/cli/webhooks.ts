import { type Command, Option } from 'commander';
import { type BusinessCalendar, rowsOfPages, shownText } from '../kernel';
import { webhookEntryJson } from '../shapes/webhooks';
import {
  type InboxEntry,
  type InboxFilter,
  type InboxKey,
  WEBHOOK_FAMILIES,
  WEBHOOK_STATES,
  type WebhookState,
} from '../webhooks';
import { type RegisterCommands, type RunCommand, type ShowOptions, whoActs, type WriteOptions } from './command';
import { fullId } from './full-id';
import { colon, t, texts, word } from './language';
import { instantOption, limitOption } from './option-values';
import { type Column, printTable } from './print-table';
import { readFileOrStdin } from './read-file-or-stdin';

interface ListOptions extends ShowOptions {
  state?: WebhookState;
  family?: NonNullable<InboxFilter['family']>;
  payment?: string;
  limit: number;
}

export const registerWebhookCommands: RegisterCommands = (program, run) => {
  const webhooks = program.command('webhooks');
  registerList(webhooks, run);
  registerReplay(webhooks, run);
  registerDiagnose(webhooks, run);
};

function registerList(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('list')
    .addOption(new Option('--state <state>').choices(WEBHOOK_STATES))
    .addOption(new Option('--family <family>').choices(WEBHOOK_FAMILIES))
    .option('--payment <id>')
    .addOption(limitOption())
    .option('--json')
    .action(({ state, family, payment, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const filter = { states: state === undefined ? undefined : [state], family, paymentId: payment };
        const found = await rowsOfPages<InboxEntry, InboxKey>(limit, (after, count) =>
          millime.webhooks.list({ ...filter, after, limit: count }),
        );
        if (json === true) return io.json(found.map(webhookEntryJson));
        const rows = found.map((entry) => entryRow(entry, millime.calendar));
        printTable(io, ENTRY_COLUMNS, rows, t('cli:count.webhook', { count: rows.length }));
      }),
    );
}

function registerReplay(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('replay <id>')
    .option('--dry-run')
    .option('--json')
    .action((id: string, { dryRun = false, json }: WriteOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const entry = await millime.webhooks.replay(await fullId(millime, id, 'webhook'), { actor, dryRun });
        if (json === true) return io.json({ ...webhookEntryJson(entry), dryRun });
        io.line(t(dryRun ? 'cli:webhooks.wouldProcess' : 'cli:webhooks.queued', { id: entry.id }));
      }),
    );
}

function registerDiagnose(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('diagnose <file>')
    .option('--at <instant>')
    .option('--json')
    .action((file: string, { at, json }: ShowOptions & { at?: string }) =>
      // The command reads no table, so the database may be behind or missing.
      run.beforeMigration(async (millime, io) => {
        const instant = at === undefined ? undefined : instantOption('--at', at);
        const pasted = await readFileOrStdin(file);
        const diagnosis = millime.webhooks.diagnose(pasted, instant === undefined ? {} : { at: instant });
        if (json === true) return io.json(diagnosis);
        const { verdict, cause, explanation, details } = diagnosis;
        io.line(colon(word('diagnosisVerdict', verdict), word('webhookCause', cause)));
        io.line(shownText(texts().phrase(explanation)));
        for (const [name, value] of Object.entries(details)) {
          const text = shownText(texts().phrase(String(value)));
          io.line(`  ${colon(word('diagnosisDetail', name), text)}`);
        }
      }),
    );
}

const ENTRY_COLUMNS: readonly Column[] = [
  ...['id', 'received', 'family', 'state', 'proof', 'event', 'about', 'outcome', 'error'],
  ...[{ right: 'times' }, { right: 'conflicts' }],
];

function entryRow(entry: InboxEntry, calendar: Pick<BusinessCalendar, 'formatLocal'>): string[] {
  const { id, receivedAt, family, state, proof, event, paymentId, subscriptionId, trackingId, times, conflicts } =
    entry;
  const about = paymentId ?? subscriptionId ?? trackingId;
  return [
    ...[id, calendar.formatLocal(receivedAt), word('webhookFamily', family)],
    ...[word('webhookState', state), word('webhookProof', proof), shownText(event), shownText(about ?? '')],
    ...[entry.outcome === undefined ? '' : word('webhookOutcome', entry.outcome), shownText(entry.error ?? '')],
    ...[String(times), String(conflicts)],
  ];
}
