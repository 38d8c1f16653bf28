// One process of shared-budget.test.ts: verifies the given payments all at once when it is told to, and prints what
// became of each call.
import { request } from 'node:http';
import { parseDatabaseUrl } from '../../../src/config';
import { openDatabase } from '../../../src/db';
import { GatewayError } from '../../../src/gateway';
import { createCallBudget } from '../../../src/gateway/testing';
import { createSharedBudgetStore } from '../../../src/gateway-budget';
import { fileClock } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';

export interface BudgetProcessTask {
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly clockFile: string;
  /** One call each; the same payment may come many times. */
  readonly paymentIds: readonly string[];
  readonly verifiesPerMinute: number;
  readonly timeoutMs: number;
}

/** What became of one call: the answer's body and whether it was reused, or the error's code. */
export type BudgetProcessResult = { readonly body: unknown; readonly reused: boolean } | { readonly code: string };

function askOver(gatewayUrl: string, paymentId: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const failed = (): void => reject(new GatewayError('connection', 'no answer', { operation: 'payments.verify' }));
    const call = request(`${gatewayUrl}/${paymentId}`, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', failed);
      response.on('end', () => resolve(JSON.parse(text)));
    });
    call.on('error', failed);
    call.end();
  });
}

async function main(task: BudgetProcessTask): Promise<void> {
  const url = parseDatabaseUrl(task.databaseUrl);
  if (url === undefined) throw new Error('not a DATABASE_URL');
  const database = openDatabase(url, silentLogger);
  const clock = fileClock(task.clockFile);
  const store = createSharedBudgetStore(database, clock);
  const { verifiesPerMinute, timeoutMs } = task;
  const budget = createCallBudget({ store, clock, logger: silentLogger, verifiesPerMinute });
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const calls = task.paymentIds.map(async (paymentId): Promise<BudgetProcessResult> => {
    try {
      const { body, reused } = await budget.verify(paymentId, () => askOver(task.gatewayUrl, paymentId), { timeoutMs });
      return { body, reused };
    } catch (error) {
      return { code: error instanceof GatewayError ? error.code : String(error) };
    }
  });
  process.stdout.write('calling\n');
  process.stdout.write(`${JSON.stringify(await Promise.all(calls))}\n`);
  await database.close();
  process.stdin.destroy();
}

void main(JSON.parse(process.argv[2] ?? '') as BudgetProcessTask);
