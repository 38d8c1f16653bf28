import type { Command } from 'commander';
import type { Decided, ProposeCommand } from '../breaks';
import { AppError, isJsonObject, parseStrictJson } from '../kernel';
import { amountOption } from './amount-option';
import { doneJson, doneText, proposalJson, proposalText } from './break-shapes';
import { whoActs, type CliIo, type RunCommand } from './command';
import { countOption } from './count-option';
import { dayReopenings } from './day-reopenings';
import { idListOption } from './id-list-option';

const PAYLOAD_DEPTH_MAX = 5;

interface OutputOptions {
  json?: true;
  dryRun?: true;
}

interface ProposeOptions extends OutputOptions {
  action: string;
  reason: string;
  subject?: string;
  account?: string;
  amount?: string;
  line?: string;
  items?: string;
  payload?: string;
  ifVersion?: string;
}

/** Adds what takes two people. */
export function registerProposalCommands(breaks: Command, run: RunCommand): void {
  breaks
    .command('propose [id]')
    .description(
      'ask a second person for a write-off, an acceptance, a forced match or its end, or to open what is closed',
    )
    .requiredOption('--action <kind>', 'write_off, accept, reopen, force_match, unmatch')
    .requiredOption('--reason <text>', 'why it should be done')
    .option('--subject <subject>', 'what it is about, where it is no break, such as day:2026-03-02')
    .option(
      '--account <account>',
      'write_off: gateway_clearing:<channel> or bank_unmatched, where several hold some of it',
    )
    .option('--amount <millimes>', 'write_off: a part; without it all that is left there')
    .option('--line <line>', 'force_match, unmatch: the credit; without it the one line of the break')
    .option('--items <ids>', 'force_match: the items, with commas between them')
    .option('--payload <json>', 'what the action needs, as a JSON object, instead of these options')
    .option('--if-version <number>', 'only when nobody did anything since this version')
    .option('--dry-run', 'check, change nothing')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: ProposeOptions) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const { reason, action: kind } = options;
        const about = aboutOf(id, options);
        const action = { kind, payload: payloadOf(options) };
        const { proposalId, wouldDo } = await millime.breakWorkflow.propose({ about, action, reason, actor, dryRun });
        if (options.json === true) {
          return io.json({ proposalId: dryRun ? null : proposalId, dryRun, wouldDo: doneJson(wouldDo) });
        }
        io.line(dryRun ? 'can be proposed (dry run)' : `proposal ${proposalId} waits for a second person`);
        io.line(`its approval: the break becomes ${wouldDo.breakBecomes.kind}${doneText(wouldDo)}`);
      }),
    );

  breaks
    .command('approve <id>')
    .description('agree to a proposal of somebody else (or to that of a break), and do it')
    .option('--reason <text>', 'why')
    .option('--dry-run', 'check, change nothing')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions & { reason?: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { reason, dryRun = false } = options;
        printDecided(io, await millime.breakWorkflow.approve({ id, reason, actor, dryRun }), options);
      }),
    );

  breaks
    .command('reject <id>')
    .description('refuse a proposal, or take an own one back')
    .requiredOption('--reason <text>', 'why it is not to be done')
    .option('--dry-run', 'check, change nothing')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions & { reason: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { reason, dryRun = false } = options;
        printDecided(io, await millime.breakWorkflow.reject({ id, reason, actor, dryRun }), options);
      }),
    );

  breaks
    .command('proposals')
    .description('what waits for a second person, the oldest first, and then closed days that are to be opened again')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      run(async ({ breakWorkflow, dayClosing }, io) => {
        const waiting = [...(await breakWorkflow.waiting()), ...dayReopenings(await dayClosing.list())];
        if (options.json === true) return io.json(waiting.map(proposalJson));
        for (const each of waiting) io.line(proposalText(each));
        io.line(waiting.length === 0 ? 'nothing waits' : `${waiting.length} waiting`);
      }),
    );
}

function aboutOf(id: string | undefined, { subject, ifVersion }: ProposeOptions): ProposeCommand['about'] {
  if ((id === undefined) === (subject === undefined)) {
    throw new AppError('bad_input', { field: '<id>, --subject', expected: 'either a break id or --subject' });
  }
  if (id === undefined) return { subject: subject ?? '' };
  return { breakId: id, ifVersion: ifVersion === undefined ? undefined : countOption('--if-version', ifVersion) };
}

function payloadOf({ payload, account, amount, line, items }: ProposeOptions): Readonly<Record<string, unknown>> {
  const fields = {
    ...(account === undefined ? {} : { account }),
    ...(amount === undefined ? {} : { amountMillimes: Number(amountOption('--amount', amount)) }),
    ...(line === undefined ? {} : { lineId: line }),
    ...(items === undefined ? {} : { itemIds: idListOption(items) }),
  };
  if (payload === undefined) return fields;
  if (Object.keys(fields).length > 0) {
    const fault = 'cannot be combined with --account, --amount, --line or --items';
    throw new AppError('bad_input', { field: '--payload', fault });
  }
  const read = parseStrictJson(payload, { depthMax: PAYLOAD_DEPTH_MAX, refuseDuplicateKeys: true });
  if (!read.ok || !isJsonObject(read.value)) {
    throw new AppError('bad_input', { field: '--payload', expected: 'a JSON object', got: payload });
  }
  return read.value;
}

function printDecided(io: CliIo, { proposalId, subject, outcome, done }: Decided, options: OutputOptions): void {
  const dryRun = options.dryRun === true;
  if (options.json === true) return io.json({ proposalId, subject, outcome, dryRun, done: doneJson(done) });
  io.line(`proposal ${proposalId} for ${subject}: ${outcome}${doneText(done)}${dryRun ? ' (dry run)' : ''}`);
}
