import { Option, type Command } from 'commander';
import { AppError, parseInstant, type BusinessCalendar, type Instant } from '../kernel';
import { WEBHOOK_FAMILIES, WEBHOOK_STATES, type InboxEntry, type InboxFilter, type WebhookState } from '../webhooks';
import { whoActs, type RegisterCommands, type RunCommand } from './command';
import { countOption } from './count-option';
import { instantJson } from './instant-json';
import { readFileOrStdin } from './read-file-or-stdin';
import { shownText } from './shown-text';

const LIST_MAX = 10_000;
const FAMILY_WIDTH = 'subscription'.length;
const STATE_WIDTH = 'received'.length;

interface ListOptions {
  state?: WebhookState;
  family?: NonNullable<InboxFilter['family']>;
  payment?: string;
  limit: string;
  json?: true;
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
    .description('webhooks that came, the newest first')
    .addOption(new Option('--state <state>', 'where they are').choices(WEBHOOK_STATES))
    .addOption(new Option('--family <family>', 'of which kind').choices(WEBHOOK_FAMILIES))
    .option('--payment <id>', "only about one payment, by the gateway's id")
    .option('--limit <count>', `how many, at most ${LIST_MAX}`, '100')
    .option('--json', 'print JSON')
    .action(({ state, family, payment, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const found = await millime.webhooks.list({
          states: state === undefined ? undefined : [state],
          family,
          paymentId: payment,
          limit: countOption('--limit', limit, LIST_MAX),
        });
        if (json === true) return io.json(found.map(entryJson));
        for (const entry of found) io.line(entryLine(entry, millime.calendar));
        io.line(found.length === 0 ? 'no webhooks' : `${found.length} webhooks`);
      }),
    );
}

function registerReplay(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('replay <id>')
    .description('make a webhook be worked off again')
    .option('--dry-run', 'check, change nothing')
    .option('--json', 'print JSON')
    .action((id: string, { dryRun = false, json }: { dryRun?: boolean; json?: true }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const entry = await millime.webhooks.replay(id, { actor, dryRun });
        if (json === true) return io.json({ ...entryJson(entry), dryRun });
        io.line(entryLine(entry, millime.calendar));
        io.line(dryRun ? 'it can be worked off again (dry run)' : 'it will be worked off again');
      }),
    );
}

function registerDiagnose(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('diagnose <file>')
    .description('say why a request that you paste is refused: request line or address, headers, empty line, body')
    .option('--at <instant>', 'when it came, such as 2026-03-02T09:00:00+01:00; now when not given')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWith - as the file it reads standard input.')
    .action((file: string, { at, json }: { at?: string; json?: true }) =>
      // It asks the database nothing, so that need not be ready.
      run.beforeMigration(async (millime, io) => {
        const instant = at === undefined ? undefined : instantOption('--at', at);
        const pasted = await readFileOrStdin(file);
        const diagnosis = millime.webhooks.diagnose(pasted, instant === undefined ? {} : { at: instant });
        if (json === true) return io.json(diagnosis);
        io.line(`${diagnosis.verdict}: ${diagnosis.cause}`);
        io.line(shownText(diagnosis.explanation));
        for (const [name, value] of Object.entries(diagnosis.details))
          io.line(`  ${name}: ${shownText(String(value))}`);
      }),
    );
}

function instantOption(name: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) {
    const expected = 'an instant such as 2026-03-02T09:00:00+01:00';
    throw new AppError('bad_input', { field: name, expected, got: text });
  }
  return instant;
}

function entryLine(entry: InboxEntry, calendar: Pick<BusinessCalendar, 'formatLocal'>): string {
  const { id, receivedAt, family, state, proof, event, paymentId, subscriptionId, trackingId } = entry;
  const about = paymentId ?? subscriptionId ?? trackingId;
  const facts = [event, about, entry.outcome, entry.error].filter((fact) => fact !== undefined && fact !== '');
  return [
    id,
    calendar.formatLocal(receivedAt),
    family.padEnd(FAMILY_WIDTH),
    state.padEnd(STATE_WIDTH),
    proof,
    ...facts.map((fact) => shownText(fact ?? '')),
    ...(entry.times > 1 ? [`came ${entry.times} times`] : []),
    ...(entry.conflicts > 0 ? [`${entry.conflicts} with other bytes`] : []),
  ].join('  ');
}

/** What was signed stays out: it may name the payer, and `payments show` has what is true of it. */
function entryJson(entry: InboxEntry): Readonly<Record<string, unknown>> {
  return {
    id: entry.id,
    family: entry.family,
    proof: entry.proof,
    event: entry.event,
    paymentId: entry.paymentId ?? null,
    subscriptionId: entry.subscriptionId ?? null,
    trackingId: entry.trackingId ?? null,
    contentBytes: entry.content.length,
    signedAt: instantJson(entry.signedAt),
    receivedAt: instantJson(entry.receivedAt),
    lastReceivedAt: instantJson(entry.lastReceivedAt),
    times: entry.times,
    conflicts: entry.conflicts,
    state: entry.state,
    outcome: entry.outcome ?? null,
    availableAt: instantJson(entry.availableAt),
    tries: entry.tries,
    error: entry.error ?? null,
    doneAt: instantJson(entry.doneAt),
  };
}
