import type { Command } from 'commander';
import type { ActionDone, Decided, ProposeCommand } from '../breaks';
import type { Millime } from '../compose';
import { AppError, isJsonObject, parseStrictJson } from '../kernel';
import { doneJson, lineSubject, proposalJson, type ShownProposal, shownProposalJson } from '../shapes/proposals';
import { doneText } from './break-shapes';
import { type CliIo, type RunCommand, whoActs, type WriteOptions } from './command';
import { breakOrCredit, printChosenItems, proposedItems } from './credits';
import { dayReopenings, everySeal } from './day-reopenings';
import { fullId } from './full-id';
import { type SelectionOptions, withSelection } from './item-selection';
import { colon, t, word } from './language';
import { amountOption, countOption } from './option-values';
import {
  printOtherProposal,
  printProposal,
  printProposalFacts,
  shownProposal,
  waitingProposals,
  withLines,
} from './proposal-shapes';

const PAYLOAD_DEPTH_MAX = 5;

interface ProposeOptions extends WriteOptions, SelectionOptions {
  action: string;
  reason: string;
  subject?: string;
  account?: string;
  amount?: string;
  line?: string;
  items?: string;
  candidate?: string;
  payload?: string;
  ifVersion?: string;
}

/** Adds the commands for decisions that take two people. */
export function registerProposalCommands(breaks: Command, run: RunCommand): void {
  registerPropose(breaks, run);
  registerApprove(breaks, run);
  registerReject(breaks, run);
  registerProposals(breaks, run);
}

function registerPropose(breaks: Command, run: RunCommand): void {
  const propose = breaks
    .command('propose [id]')
    .requiredOption('--action <kind>')
    .requiredOption('--reason <text>')
    .option('--subject <subject>')
    .option('--account <account>')
    .option('--amount <millimes>')
    .option('--line <line>')
    .option('--items <ids>')
    .option('--candidate <id>');
  withSelection(propose)
    .option('--payload <json>')
    .option('--if-version <number>')
    .option('--dry-run')
    .option('--json')
    .action((id: string | undefined, options: ProposeOptions) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const { reason, action: kind } = options;
        const { about, lineId } = await aboutOf(millime, id, options);
        const isOfCredit = 'subject' in about && (kind === 'force_match' || kind === 'unmatch');
        const ofCredit = isOfCredit && lineId !== undefined ? { lineId } : {};
        const action = { kind, payload: { ...ofCredit, ...(await payloadOf(millime, options, lineId)) } };
        const made = await millime.breakWorkflow.propose({ about, action, reason, actor, dryRun });
        const { proposalId, wouldDo, preview } = made;
        const shown = await (preview === undefined ? shownProposal(millime, proposalId) : withLines(millime, preview));
        if (options.json === true) {
          const { payload } = action;
          const answer = { proposalId: dryRun ? null : proposalId, dryRun, payload, wouldDo: doneJson(wouldDo) };
          return io.json({ ...answer, proposal: { ...shownProposalJson(shown), ...(dryRun ? { id: null } : {}) } });
        }
        const subject = 'subject' in about ? about.subject : t('cli:breaks.named', { breakId: about.breakId });
        io.line(
          dryRun
            ? t('cli:breaks.wouldPropose', { kind: word('action', kind), subject })
            : t('cli:breaks.proposedNow', { proposalId, next: `millime breaks approve ${proposalId}` }),
        );
        printChosenItems(io, action.payload, wouldDo);
        const changed = 'subject' in about ? about.subject : t('cli:breaks.theBreak');
        io.line(colon(t('cli:breaks.onApproval'), `${changed} ${becomesText(wouldDo)}`));
        (dryRun ? printProposalFacts : printProposal)(io, shown, millime.calendar);
      }),
    );
}

function becomesText(wouldDo: ActionDone): string {
  const { kind } = wouldDo.breakBecomes;
  const becomes =
    kind === 'kept' ? t('cli:breaks.stays') : t('cli:breaks.becomes', { state: word('breakBecomes', kind) });
  return `${becomes}${doneText(wouldDo)}`;
}

function registerApprove(breaks: Command, run: RunCommand): void {
  breaks
    .command('approve <id>')
    .option('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((id: string, options: WriteOptions & { reason?: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { reason, dryRun = false, json } = options;
        const fullIdOf = await fullId(millime, id, 'proposal', 'break');
        // Read before the decision: the approver sees what changes.
        const shown = await shownProposal(millime, fullIdOf);
        if (json !== true) printProposal(io, shown, millime.calendar);
        const decided = await millime.breakWorkflow.approve({ id: fullIdOf, reason, actor, dryRun });
        printDecided(io, decided, options, shown);
      }),
    );
}

function registerReject(breaks: Command, run: RunCommand): void {
  breaks
    .command('reject <id>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((id: string, options: WriteOptions & { reason: string }) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { reason, dryRun = false } = options;
        printDecided(
          io,
          await millime.breakWorkflow.reject({
            id: await fullId(millime, id, 'proposal', 'break'),
            reason,
            actor,
            dryRun,
          }),
          options,
        );
      }),
    );
}

function registerProposals(breaks: Command, run: RunCommand): void {
  breaks
    .command('proposals')
    .option('--json')
    .action((options: WriteOptions) =>
      run(async (millime, io) => {
        const shown = await waitingProposals(millime);
        const ofDays = dayReopenings(await everySeal(millime.dayClosing));
        if (options.json === true) return io.json([...shown.map(shownProposalJson), ...ofDays.map(proposalJson)]);
        for (const each of shown) printProposal(io, each, millime.calendar);
        for (const each of ofDays) printOtherProposal(io, each);
        if (io.isTerminal === true) io.line(t('cli:count.proposal', { count: shown.length + ofDays.length }));
      }),
    );
}

/** A credit without a break is a subject of its own; its line is the default of the action. */
async function aboutOf(
  millime: Millime,
  text: string | undefined,
  { subject, ifVersion, candidate }: ProposeOptions,
): Promise<{ readonly about: ProposeCommand['about']; readonly lineId?: string | undefined }> {
  if ((text === undefined) === (subject === undefined)) {
    throw new AppError('bad_input', { field: '<id>, --subject', expected: 'either a break or a credit, or --subject' });
  }
  if (text === undefined) return { about: { subject: subject ?? '' } };
  const named = await breakOrCredit(millime, text);
  if (named.breakId === undefined) return { about: { subject: lineSubject(named.lineId) }, lineId: named.lineId };
  const version = ifVersion === undefined ? undefined : countOption('--if-version', ifVersion);
  const { breakId, lineId = candidate === undefined ? undefined : await onlyLineOf(millime, breakId) } = named;
  return { about: { breakId, ifVersion: version }, lineId };
}

async function onlyLineOf({ breakWorkflow }: Millime, breakId: string): Promise<string | undefined> {
  const { lineIds } = (await breakWorkflow.show(breakId)).breakView.subject;
  return lineIds.length === 1 ? lineIds[0] : undefined;
}

/** The actions that an option belongs to. */
const ACTIONS_OF_OPTION: Readonly<Partial<Record<keyof ProposeOptions, readonly string[]>>> = {
  account: ['write_off'],
  amount: ['write_off'],
  line: ['force_match', 'unmatch'],
  ...{ items: ['force_match'], candidate: ['force_match'], channel: ['force_match'], agent: ['force_match'] },
  ...{ day: ['force_match'], from: ['force_match'], through: ['force_match'] },
};

/** Checks that each option belongs to the action. @throws AppError `bad_input` that names the option. */
function checkOptions(options: ProposeOptions): void {
  for (const [name, actions] of Object.entries(ACTIONS_OF_OPTION)) {
    if (options[name as keyof ProposeOptions] === undefined || actions.includes(options.action)) continue;
    const fault = `works only with --action ${actions.join(' or ')}`;
    throw new AppError('bad_input', { field: `--${name}`, fault });
  }
}

async function payloadOf(
  millime: Millime,
  options: ProposeOptions,
  ofAbout: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  checkOptions(options);
  const { payload, account, amount, line, ...choice } = options;
  const lineId = line === undefined ? undefined : await fullId(millime, line, 'credit');
  const itemIds = await proposedItems(millime, choice, lineId ?? ofAbout);
  const fields = {
    ...(account === undefined ? {} : { account }),
    ...(amount === undefined ? {} : { amountMillimes: Number(amountOption('--amount', amount)) }),
    ...(lineId === undefined ? {} : { lineId }),
    ...(itemIds === undefined ? {} : { itemIds }),
  };
  if (payload === undefined) return fields;
  if (Object.keys(fields).length > 0) {
    const fault = 'cannot be combined with --account, --amount, --line or options that choose items';
    throw new AppError('bad_input', { field: '--payload', fault });
  }
  const read = parseStrictJson(payload, { depthMax: PAYLOAD_DEPTH_MAX, refuseDuplicateKeys: true });
  if (!read.ok || !isJsonObject(read.value)) {
    throw new AppError('bad_input', { field: '--payload', expected: 'a JSON object', got: payload });
  }
  return read.value;
}

function printDecided(
  io: CliIo,
  { proposalId, subject, outcome, done }: Decided,
  options: WriteOptions,
  shown?: ShownProposal,
): void {
  const dryRun = options.dryRun === true;
  if (options.json === true) {
    const proposal = shown === undefined ? {} : { proposal: shownProposalJson(shown) };
    return io.json({ proposalId, subject, outcome, dryRun, done: doneJson(done), ...proposal });
  }
  const what = t('cli:breaks.proposalFor', { proposalId, subject }) + doneText(done);
  const isApproved = outcome === 'approved';
  if (dryRun) io.line(t(isApproved ? 'cli:breaks.wouldApprove' : 'cli:breaks.wouldReject', { what }));
  else io.line(t(`cli:breaks.${outcome}`, { what }));
}
