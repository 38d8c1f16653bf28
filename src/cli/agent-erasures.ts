import type { Command } from 'commander';
import type { EraseOutcome, Erasures } from '../erasures';
import type { ReasonedDecision } from '../identity';
import { isAppError } from '../kernel';
import { type CliIo, EXIT, type RunCommand, whoActs, writeAside, type WriteOptions } from './command';
import { doneText } from './done-text';
import { errorText } from './error-texts';
import { t } from './language';
import { readFileOrStdin } from './read-file-or-stdin';

interface EraseOptions extends WriteOptions {
  reason: string;
}

interface ErasedAgent {
  readonly agentId: string;
  readonly outcome: EraseOutcome | 'refused';
  readonly reason?: string;
}

/** Adds `agents erase`. */
export function registerErase(agents: Command, run: RunCommand): void {
  agents
    .command('erase <ids...>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((named: string[], options: EraseOptions) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const decision = { reason: options.reason, actor: await whoActs(millime, { decides: true }), dryRun };
        const results: ErasedAgent[] = [];
        for (const agentId of await chosenAgents(named)) {
          results.push(await eraseOne(millime.erasures, agentId, decision));
        }
        // An agent that was erased before may have left bytes: its command was perhaps interrupted.
        const isErased = results.some(({ outcome }) => outcome !== 'refused');
        const files = isErased && !dryRun ? await removeEarlierBytes(millime.erasures) : null;
        if (options.json === true) io.json({ dryRun, results, files });
        else printErased(io, results, dryRun);
        if (files === 'log_in_use' || files === 'failed') return EXIT.fault;
        return results.some(({ outcome }) => outcome === 'refused') ? EXIT.badInput : EXIT.done;
      }),
    );
}

/** Removes the erased bytes, and prints what keeps them. The rows are erased in any case. */
async function removeEarlierBytes(
  erasures: Erasures,
): Promise<Awaited<ReturnType<typeof erasures.removeEarlierBytes>> | 'failed'> {
  try {
    const outcome = await erasures.removeEarlierBytes();
    if (outcome === 'log_in_use') writeAside(t('cli:agents.logInUse'));
    return outcome;
  } catch (error) {
    if (!isAppError(error)) throw error;
    writeAside(t('cli:agents.bytesStay', { reason: errorText(error) }));
    return 'failed';
  }
}

async function eraseOne(erasures: Erasures, agentId: string, decision: ReasonedDecision): Promise<ErasedAgent> {
  try {
    return { agentId, outcome: await erasures.eraseAgent(agentId, decision) };
  } catch (error) {
    if (!isAppError(error, 'bad_input', 'not_found', 'conflict')) throw error;
    return { agentId, outcome: 'refused', reason: error.message };
  }
}

function printErased(io: CliIo, results: readonly ErasedAgent[], dryRun: boolean): void {
  for (const { agentId, outcome, reason } of results) {
    if (outcome === 'refused') io.line(t('cli:agents.refused', { agentId, reason: reason ?? '' }));
    else io.line(doneText(outcome, { verb: 'erase', noun: 'agent', name: agentId, dryRun }));
  }
}

/** Returns the named agents, or for `-` those of standard input: the first column of each line. */
async function chosenAgents(named: readonly string[]): Promise<string[]> {
  if (named.length !== 1 || named[0] !== '-') return [...new Set(named)];
  const lines = (await readFileOrStdin('-')).toString('utf8').split('\n');
  return [...new Set(lines.map((line) => line.split(/ {2}|[\t\r]/)[0] ?? '').filter((agentId) => agentId !== ''))];
}
