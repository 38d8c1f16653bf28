import { type Command, Option } from 'commander';
import type { Agent } from '../agents';
import type { AgentWithDue } from '../dues';
import { formatDinars, formatInstant, quoted, shownText } from '../kernel';
import type { AgentMovement, MovementKey } from '../reporting';
import { instantJson } from '../shapes/values';
import { registerErase } from './agent-erasures';
import {
  type CliIo,
  EXIT,
  readInputFile,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { doneText } from './done-text';
import { t, word } from './language';
import { limitOption } from './option-values';
import { printTable } from './print-table';
import { walkPages } from './walk-pages';

export const registerAgentCommands: RegisterCommands = (program, run) => {
  const agents = program.command('agents');
  registerImport(agents, run);
  registerAdd(agents, run);
  registerList(agents, run);
  registerSearch(agents, run);
  registerShow(agents, run);
  registerDue(agents, run);
  registerStatement(agents, run);
  registerClose(agents, run);
  registerErase(agents, run);
};

function registerImport(agents: Command, run: RunCommand): void {
  agents
    .command('import <csv>')
    .option('--dry-run')
    .option('--json')
    .action((path: string, options: WriteOptions) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: false });
        const result = await millime.agents.importCsv(readInputFile(path), { actor, dryRun });
        if (options.json === true) return io.json({ ...result, dryRun });
        const { added, updated, unchanged } = result;
        io.line(t(dryRun ? 'cli:agents.wouldImport' : 'cli:agents.imported', { added, updated, unchanged }));
      }),
    );
}

function registerAdd(agents: Command, run: RunCommand): void {
  agents
    .command('add')
    .requiredOption('--id <agent id>')
    .requiredOption('--name <full name>')
    .option('--phone <phone>', undefined, '')
    .option('--dry-run')
    .option('--json')
    .action((options: WriteOptions & { id: string; name: string; phone: string }) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const record = { agentId: options.id, fullName: options.name, phone: options.phone };
        await millime.agents.add(record, { actor: await whoActs(millime, { decides: false }), dryRun });
        if (options.json === true) io.json({ ...record, dryRun });
        else io.line(t(dryRun ? 'cli:agents.wouldAdd' : 'cli:agents.added', { agentId: record.agentId }));
      }),
    );
}

const LIST_MAX = 1_000;
const MOVEMENTS_IN_PAGE = 500;

interface ListOptions extends ShowOptions {
  status?: 'open' | 'closed' | 'erased';
  owing?: boolean;
  after?: string;
  limit: number;
}

function registerList(agents: Command, run: RunCommand): void {
  agents
    .command('list')
    .addOption(new Option('--status <status>').choices(['open', 'closed', 'erased']))
    .option('--owing')
    .option('--after <agent id>')
    .addOption(limitOption(LIST_MAX))
    .option('--json')
    .action(({ status, owing, after, limit, json }: ListOptions) =>
      run(async (millime, io) => {
        const query = { ...(status === undefined ? {} : { status }), owing: owing === true };
        const list = await walkPages<AgentWithDue, string>(
          (last = after, count) => millime.dues.agents({ ...query, after: last, limit: count }),
          limit,
        );
        printAgents(io, list, json === true, `; ${t('cli:agents.rest', { agentId: list.rows.at(-1)?.agentId ?? '' })}`);
      }),
    );
}

function registerSearch(agents: Command, run: RunCommand): void {
  agents
    .command('search <text>')
    .addOption(limitOption(LIST_MAX, 20))
    .option('--json')
    .action((text: string, { limit, json }: ShowOptions & { limit: number }) =>
      run(async (millime, io) => {
        const { agents: rows, hasMore, tooMany } = await millime.dues.search(text, limit);
        printAgents(io, { rows, hasMore, tooMany }, json === true, `; ${t('cli:agents.moreFit')}`);
        if (tooMany) writeAside(t('cli:agents.tooMany'));
        else if (json !== true && rows.length === 0) writeAside(t('cli:agents.noneFits', { text: quoted(text) }));
      }),
    );
}

interface ListedAgents {
  readonly rows: readonly AgentWithDue[];
  readonly hasMore: boolean;
  /** Only of a search. */
  readonly tooMany?: boolean;
}

function printAgents(
  io: CliIo,
  { rows: agents, hasMore, ...search }: ListedAgents,
  isJson: boolean,
  more: string,
): void {
  if (isJson) {
    const listed = agents.map(({ agentId, fullName, phone, status, erasedAt, due, credit }) => ({
      ...{ agentId, fullName, phone, status, erasedAt: instantJson(erasedAt) },
      dueMillimes: due,
      creditMillimes: credit,
    }));
    return io.json({ agents: listed, hasMore, ...search });
  }
  const rows = agents.map((agent) => {
    const { agentId, fullName, phone, due, credit } = agent;
    return [
      ...[agentId, shownText(fullName), shownText(phone), statusText(agent), formatDinars(due), formatDinars(credit)],
    ];
  });
  const columns = ['agent', 'name', 'phone', 'status', { right: 'due' }, { right: 'credit' }];
  printTable(io, columns, rows, `${t('cli:count.agent', { count: rows.length })}${hasMore ? more : ''}`);
}

function statusText({ status, erasedAt }: Pick<Agent, 'status' | 'erasedAt'>): string {
  return word('agentStatus', erasedAt === undefined ? status : 'erased');
}

function registerShow(agents: Command, run: RunCommand): void {
  agents
    .command('show <id>')
    .option('--json')
    .action((agentId: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const agent = await millime.agents.find(agentId);
        const { due, credit } = await millime.dues.dueOf(agentId);
        if (options.json === true) {
          return io.json({
            agentId,
            fullName: agent.fullName,
            phone: agent.phone,
            status: agent.status,
            createdAt: formatInstant(agent.createdAt),
            closedAt: instantJson(agent.closedAt),
            erasedAt: instantJson(agent.erasedAt),
            dueMillimes: due,
            creditMillimes: credit,
          });
        }
        io.line([agentId, agent.fullName, agent.phone, statusText(agent)].filter((text) => text !== '').join('  '));
        io.line(t('cli:agents.dueAndCredit', { due: formatDinars(due), credit: formatDinars(credit) }));
      }),
    );
}

function registerDue(agents: Command, run: RunCommand): void {
  agents
    .command('due <id>')
    .option('--json')
    .action((agentId: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const { fullName, due, credit } = await millime.dues.dueOf(agentId);
        if (options.json === true) return io.json({ agentId, fullName, dueMillimes: due, creditMillimes: credit });
        const amounts = { fullName, due: formatDinars(due), credit: formatDinars(credit) };
        io.line(t(credit > 0 ? 'cli:agents.owesWithCredit' : 'cli:agents.owes', amounts));
      }),
    );
}

function registerStatement(agents: Command, run: RunCommand): void {
  agents
    .command('statement <id>')
    .option('--json')
    .action((agentId: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const { fullName } = await millime.agents.find(agentId);
        const { rows: lastFirst } = await walkPages<AgentMovement, MovementKey>(
          (after, limit) =>
            millime.reporting.agentMovements(agentId, { after, limit: Math.min(limit, MOVEMENTS_IN_PAGE) }),
          Infinity,
        );
        const movements = lastFirst.reverse();
        if (options.json === true) {
          return io.json({
            agentId,
            fullName,
            movements: movements.map(({ occurredAt, code, reference, amount, balance }) => ({
              occurredAt: formatInstant(occurredAt),
              code,
              reference,
              amountMillimes: amount,
              balanceMillimes: balance,
            })),
          });
        }
        const rows = movements.map(({ occurredAt, code, reference, amount, balance }) => [
          ...[
            millime.calendar.formatLocal(occurredAt),
            word('ledgerCode', code),
            formatDinars(amount),
            formatDinars(balance),
            reference,
          ],
        ]);
        const columns = ['time', 'movement', { right: 'amount' }, { right: 'balance' }, 'reference'];
        io.line(`${agentId}  ${fullName}`);
        printTable(io, columns, rows, t('cli:count.movement', { count: rows.length }));
      }),
    );
}

function registerClose(agents: Command, run: RunCommand): void {
  agents
    .command('close <id>')
    .option('--dry-run')
    .option('--json')
    .action((agentId: string, options: WriteOptions) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.agents.close(agentId, { actor, dryRun });
        if (options.json === true) io.json({ agentId, outcome, dryRun });
        else io.line(doneText(outcome, { verb: 'close', noun: 'agent', name: agentId, dryRun }));
        return EXIT.done;
      }),
    );
}
