import { formatDinars, formatInstant } from '../kernel';
import { EXIT, readInputFile, whoActs, type RegisterCommands } from './command';

interface ShowOptions {
  json?: true;
}

interface WriteOptions extends ShowOptions {
  dryRun?: true;
}

export const registerAgentCommands: RegisterCommands = (program, run) => {
  const agents = program.command('agents');

  agents
    .command('import <csv>')
    .description('take a file of agents: agent_id,full_name,phone')
    .option('--dry-run', 'check and count, keep nothing')
    .option('--json', 'print JSON')
    .action((path: string, options: WriteOptions) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: false });
        const result = await millime.agents.importCsv(readInputFile(path), { actor, dryRun });
        if (options.json === true) return io.json({ ...result, dryRun });
        const { added, updated, unchanged } = result;
        io.line(`agents: ${added} added, ${updated} updated, ${unchanged} unchanged${dryRun ? ' (dry run)' : ''}`);
      }),
    );

  agents
    .command('add')
    .description('add one agent')
    .requiredOption('--id <agent id>', 'as the gateway sends it')
    .requiredOption('--name <full name>')
    .option('--phone <phone>', 'as people write it', '')
    .option('--dry-run', 'check, keep nothing')
    .option('--json', 'print JSON')
    .action((options: WriteOptions & { id: string; name: string; phone: string }) =>
      run.onNewBooks(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const record = { agentId: options.id, fullName: options.name, phone: options.phone };
        await millime.agents.add(record, { actor: await whoActs(millime, { decides: false }), dryRun });
        if (options.json === true) io.json({ ...record, dryRun });
        else io.line(`agent ${record.agentId} ${dryRun ? 'could be added (dry run)' : 'added'}`);
      }),
    );

  agents
    .command('show <id>')
    .description('one agent, and what he owes')
    .option('--json', 'print JSON')
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
            closedAt: agent.closedAt === undefined ? null : formatInstant(agent.closedAt),
            dueMillimes: due,
            creditMillimes: credit,
          });
        }
        io.line(`${agentId}  ${agent.fullName}  ${agent.phone}  ${agent.status}`);
        io.line(`due ${formatDinars(due)}, credit ${formatDinars(credit)}`);
      }),
    );

  agents
    .command('due <id>')
    .description('what an agent owes now')
    .option('--json', 'print JSON')
    .action((agentId: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const { fullName, due, credit } = await millime.dues.dueOf(agentId);
        if (options.json === true) return io.json({ agentId, fullName, dueMillimes: due, creditMillimes: credit });
        io.line(`${fullName} owes ${formatDinars(due)}${credit > 0 ? `, has ${formatDinars(credit)} of credit` : ''}`);
      }),
    );

  agents
    .command('statement <id>')
    .description('every movement on an agent, with the balance after each')
    .option('--json', 'print JSON')
    .action((agentId: string, options: ShowOptions) =>
      run(async (millime, io) => {
        const { fullName } = await millime.agents.find(agentId);
        const movements = await millime.reporting.agentMovements(agentId);
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
        io.line(`${agentId}  ${fullName}`);
        for (const { occurredAt, code, reference, amount, balance } of movements) {
          const when = millime.calendar.formatLocal(occurredAt);
          io.line(
            `${when}  ${code.padEnd(14)}${formatDinars(amount).padStart(18)}${formatDinars(balance).padStart(18)}  ${reference}`,
          );
        }
        if (movements.length === 0) io.line('no movements');
      }),
    );

  agents
    .command('close <id>')
    .description('make an agent unknown to the gateway; the books stay')
    .option('--dry-run', 'check, keep nothing')
    .option('--json', 'print JSON')
    .action((agentId: string, options: WriteOptions) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.agents.close(agentId, { actor, dryRun });
        if (options.json === true) io.json({ agentId, outcome, dryRun });
        else io.line(`agent ${agentId}: ${outcome.replace('_', ' ')}${dryRun ? ' (dry run)' : ''}`);
        return EXIT.done;
      }),
    );
};
