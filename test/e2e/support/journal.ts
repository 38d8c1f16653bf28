import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, call } from './call';
import { until } from './until';

/** What the gateway says in one confirm. */
export interface Confirm {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amount: number;
}

/** How one attempt ended, as its caller saw it: a code, our own failure, or nothing at all. */
export type Reply = '0' | '1' | '2' | '3' | '503' | 'none' | `unexpected ${string}`;

export interface Attempt extends Confirm {
  readonly reply: Reply;
  readonly tookMs: number;
}

/** What a caller knows: every attempt in the order in which it ended. The truth that the audit compares with. */
export class Journal {
  readonly attempts: Attempt[] = [];
  #numbers = 0;

  /** A number that no confirm of this journal has yet, from 1. */
  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  count(...replies: readonly Reply[]): number {
    return this.attempts.filter(({ reply }) => replies.includes(reply)).length;
  }

  /** The replies that nobody should ever read. */
  get unexpected(): Reply[] {
    return this.attempts.map(({ reply }) => reply).filter((reply) => reply.startsWith('unexpected'));
  }

  get slowestMs(): number {
    return this.attempts.reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0);
  }

  /** Of the attempts to which an answer came. */
  get longestAnswerMs(): number {
    return this.answerMs(1);
  }

  /** Within how many milliseconds that share of the answers came: 0.99 for all but the slowest hundredth. */
  answerMs(share: number): number {
    const took = this.attempts.filter(({ reply }) => reply !== 'none').map(({ tookMs }) => tookMs);
    return took.sort((a, b) => a - b)[Math.max(Math.ceil(took.length * share) - 1, 0)] ?? 0;
  }
}

/** `count` confirms with ids of their own, over the agents in turn, each with another amount. */
export function confirmsFor(agentIds: readonly string[], count: number, prefix: string): Confirm[] {
  return Array.from({ length: count }, (_, index) => ({
    transactionId: `${prefix}-${index + 1}`,
    agentId: agentIds[index % agentIds.length] as string,
    amount: 1_000 + index,
  }));
}

export interface Load {
  readonly confirms: readonly Confirm[];
  /** How many callers at once; each sends its next confirm when the last was answered. */
  readonly clients: number;
  /** Where a caller sends; asked before each attempt. */
  readonly baseUrl: (client: number) => string;
  readonly token: string;
  readonly journal: Journal;
  /** How long one caller repeats a confirm that was not answered with a code. Not given: one attempt each. */
  readonly persistMs?: number;
}

const REPEAT_PAUSE_MS = 50;
/** A cluster may take half a minute to recover; the rest is for a busy machine. */
const SERVED_LIMIT_MS = 600_000;

/** Sends every confirm and writes down what became of each attempt. Never rejects for what the service does. */
export async function sendConfirms({ confirms, clients, baseUrl, token, journal, persistMs = 0 }: Load): Promise<void> {
  const waiting = [...confirms].reverse();
  const client = async (number: number): Promise<void> => {
    for (let confirm = waiting.pop(); confirm !== undefined; confirm = waiting.pop()) {
      const giveUpAt = performance.now() + persistMs;
      for (;;) {
        const reply = await attempt(confirm, baseUrl(number), token, journal);
        if ((reply !== '503' && reply !== 'none') || performance.now() >= giveUpAt) break;
        await pause(REPEAT_PAUSE_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
}

export interface EndlessLoad extends Omit<Load, 'confirms' | 'persistMs'> {
  readonly agentIds: readonly string[];
  /** Between two confirms of one caller; without it the next one follows at once. */
  readonly pauseMs?: number;
  /** Called after each confirm that got a code. */
  readonly answered?: (client: number, confirm: Confirm) => Promise<void> | void;
}

/**
 * Confirms from every caller until told to stop, with ids that go on from one load to the next of a journal. Each
 * confirm is repeated until it has a code.
 */
export function keepConfirming({ agentIds, clients, pauseMs, answered, ...load }: EndlessLoad): {
  /** Waits until more confirms were answered than twice the callers, so that each had its turn. */
  served(): Promise<true>;
  stop(): Promise<void>;
} {
  let isStopping = false;
  let count = 0;
  const client = async (number: number): Promise<void> => {
    const baseUrl = (): string => load.baseUrl(number);
    while (!isStopping) {
      const sent = load.journal.nextNumber();
      const agentId = agentIds[sent % agentIds.length] as string;
      const confirm = { transactionId: `T-${sent}`, agentId, amount: 1_000 + (sent % 997) };
      await sendConfirms({ ...load, baseUrl, confirms: [confirm], clients: 1, persistMs: SERVED_LIMIT_MS });
      count += 1;
      await answered?.(number, confirm);
      if (pauseMs !== undefined) await pause(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    served() {
      const before = count;
      return until('every caller is answered', () => count > before + 2 * clients, SERVED_LIMIT_MS);
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

async function attempt(confirm: Confirm, baseUrl: string, token: string, journal: Journal): Promise<Reply> {
  const startedAt = performance.now();
  let reply: Reply;
  try {
    reply = replyOf(await call(baseUrl, { method: 'POST', path: '/service/confirm', token, body: confirm }));
  } catch {
    reply = 'none'; // the journal keeps that nothing came; why is the audit's question, not the caller's
  }
  journal.attempts.push({ ...confirm, reply, tookMs: performance.now() - startedAt });
  return reply;
}

/** Reads an answer strictly: a code in a body of exactly one field, or 503 with the time to wait. */
export function replyOf({ status, headers, body }: Answer): Reply {
  if (status === 503 && /^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return '503';
  const text = JSON.stringify(body);
  const code = /^\{"code":"([0-3])"\}$/.exec(text)?.[1];
  return status === 200 && code !== undefined ? (code as Reply) : `unexpected ${status} ${text}`;
}
