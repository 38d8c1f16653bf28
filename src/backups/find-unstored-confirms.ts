import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { registeredQuestion } from '../agent-settlement';
import type { Database } from '../db';
import { AppError, isJsonObject, ownValue, parseStrictJson, systemCodeOf } from '../kernel';

/** The event of a confirm that Millime answered with `0`. */
const STORED_EVENT = 'agent_settlement.stored';
/** The events that say that the log is not complete. */
const GAP_EVENTS = new Set(['log.dropped']);
const IDS_PER_PAGE = 500;

/** A confirm that was answered `0` and that the database does not have. */
export interface UnstoredConfirm {
  readonly transactionId: string;
  /** Masked by the log; null if the log does not have it. */
  readonly agentId: string | null;
  readonly amountMillimes: number | null;
  /** The time of the log line, ISO 8601. */
  readonly answeredAt: string | null;
}

export interface LogFindings {
  /** Lines of confirms that were answered `0`. */
  readonly answered: number;
  readonly unstored: readonly UnstoredConfirm[];
  /** Whether the log says that it lost lines. */
  readonly hasGaps: boolean;
}

/**
 * Compares the log of the service with the database: names each confirm that was answered `0` and is not stored. The
 * gateway does not send these again.
 *
 * @throws AppError `bad_input` when a file cannot be read.
 */
export async function findUnstoredConfirms(database: Database, files: readonly string[]): Promise<LogFindings> {
  const unstored = new Map<string, UnstoredConfirm>();
  let answered = 0;
  let hasGaps = false;
  let page: UnstoredConfirm[] = [];
  const compare = async (): Promise<void> => {
    const ids = page.map(({ transactionId }) => transactionId);
    const [stored] = await database.read((session) => session.ask([registeredQuestion(ids)]));
    for (const each of page) if (!stored.has(each.transactionId)) unstored.set(each.transactionId, each);
    page = [];
  };
  for (const file of files) {
    for await (const line of linesOf(file)) {
      const record = recordOf(line);
      if (record === undefined) continue;
      hasGaps ||= GAP_EVENTS.has(String(ownValue(record, 'event')));
      const confirm = storedConfirm(record);
      if (confirm === undefined) continue;
      answered += 1;
      if (page.push(confirm) === IDS_PER_PAGE) await compare();
    }
  }
  await compare();
  return { answered, unstored: [...unstored.values()], hasGaps };
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    if (!statSync(file).isFile()) throw new AppError('bad_input', { field: '--log', expected: 'a file', got: file });
    yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const fault = `${file} cannot be read (${systemCodeOf(error)})`;
    throw new AppError('bad_input', { field: '--log', fault }, { cause: error });
  }
}

/** Returns the record of a line. A collector of logs may have put a time and a name before it. */
function recordOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const from = line.indexOf('{');
  if (from < 0) return undefined;
  const json = parseStrictJson(line.slice(from), { depthMax: 8 });
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}

function storedConfirm(record: Readonly<Record<string, unknown>>): UnstoredConfirm | undefined {
  const transactionId = ownValue(record, 'transactionId');
  if (ownValue(record, 'event') !== STORED_EVENT || typeof transactionId !== 'string') return undefined;
  const agentId = ownValue(record, 'agentId');
  const amount = ownValue(record, 'amountMillimes');
  const answeredAt = ownValue(record, 'timestamp');
  return {
    transactionId,
    agentId: typeof agentId === 'string' ? agentId : null,
    amountMillimes: typeof amount === 'number' ? amount : null,
    answeredAt: typeof answeredAt === 'string' ? answeredAt : null,
  };
}
