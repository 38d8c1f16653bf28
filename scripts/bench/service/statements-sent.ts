import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { median } from '../../../test/support/median';
import type { Call } from './measure';
import type { Target } from './targets';

const TRIES = 5;
const BURST = 64;

/** What the server executed for a number of calls that were sent concurrently. */
export interface StatementsSent {
  readonly call: Call;
  readonly calls: number;
  /** Statements that Millime sent: the round trips. */
  readonly questions: number;
  /** The same, with the statements inside compound statements. */
  readonly queries: number;
  readonly commits: number;
}

type Counters = Readonly<Record<'questions' | 'queries' | 'commits', number>>;

/** Counts what MariaDB executes for one call and for a burst, as medians of several tries on a quiet server. */
export async function countStatements(target: Target): Promise<readonly StatementsSent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: BURST });
  try {
    const found: StatementsSent[] = [];
    for (const call of ['confirm', 'check'] as const) {
      await send(target, agent, call, BURST); // opens the connections of both sides
      for (const calls of [1, BURST]) {
        found.push({ call, calls, ...(await medianDifference(target, agent, call, calls)) });
      }
    }
    return found;
  } finally {
    agent.destroy();
  }
}

async function medianDifference(target: Target, agent: Agent, call: Call, calls: number): Promise<Counters> {
  const differences: Counters[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    await send(target, agent, 'check', 1); // reads the revocations, whose answer then holds for a while
    const before = await counters(target);
    await send(target, agent, call, calls);
    const after = await counters(target);
    differences.push({
      questions: after.questions - before.questions - 1, // the reading of the counters
      queries: after.queries - before.queries - 1,
      commits: after.commits - before.commits,
    });
  }
  const medianOf = (name: keyof Counters): number => median(differences.map((difference) => difference[name]));
  return { questions: medianOf('questions'), queries: medianOf('queries'), commits: medianOf('commits') };
}

async function counters({ site }: Target): Promise<Counters> {
  const rows = await site.database.rows(
    "show global status where variable_name in ('Questions', 'Queries', 'Com_commit')",
  );
  const values = new Map(rows.map((row) => [row['Variable_name'], Number(row['Value'])]));
  const valueOf = (name: string): number => values.get(name) ?? Number.NaN;
  return { questions: valueOf('Questions'), queries: valueOf('Queries'), commits: valueOf('Com_commit') };
}

/** Sends calls concurrently. @throws Error when an answer is not the expected one. */
async function send(target: Target, agent: Agent, call: Call, calls: number): Promise<void> {
  const salt = randomBytes(6).toString('hex');
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, index) => answerTo(target, agent, call, `${salt}-${index}`)),
  );
  const wrong = answers.find((answer) => !answer.startsWith('{"code":"0"'));
  if (wrong !== undefined) throw new Error(`a ${call} was answered with ${wrong}`);
}

function answerTo({ site, url }: Target, agent: Agent, call: Call, transactionId: string): Promise<string> {
  const agentId = `A${String(1 + Math.floor(Math.random() * site.agents)).padStart(7, '0')}`;
  const [path, method] = call === 'check' ? [`check/${agentId}`, 'GET'] : ['confirm', 'POST'];
  const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/service/${path}`, { method, agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => resolve(body));
    });
    sent.once('error', reject);
    sent.end(call === 'check' ? undefined : JSON.stringify({ transactionId, agentId, amount: 1_000 }));
  });
}
