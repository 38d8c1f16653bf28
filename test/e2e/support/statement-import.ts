import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnCli, type ExitStatus } from '../../support/server-process';
import type { Installation } from './installation';
import { selectRows, type Row } from './tables';
import { until } from './until';

const PRELOAD = join(__dirname, 'signal-at.cjs');

/** `millime statements import` as a process of its own, which may be told to stop or to die at a point of its way. */
export class ImportProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<ExitStatus>;
  readonly #child: ChildProcess;

  /** Points are counted as signal-at.cjs says; without one it runs to its end. */
  constructor(installation: Installation, path: string, signalAt?: { point: number; signal: 'SIGKILL' | 'SIGSTOP' }) {
    const signal = signalAt === undefined ? {} : { SIGNAL_AT: `${signalAt.point}:${signalAt.signal}` };
    const env = { ...installation.env, NODE_OPTIONS: `--require ${PRELOAD}`, ...signal };
    this.#child = spawnCli(['statements', 'import', path, '--json'], env);
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.ended = new Promise((resolve) => this.#child.on('close', (code, signal) => resolve({ code, signal })));
  }

  /** What it printed, when it ended well. */
  async outcome(): Promise<string> {
    const { code } = await this.ended;
    if (code !== 0) throw new Error(`the import ended with ${code}: ${this.stderr}`);
    return (JSON.parse(this.stdout) as { outcome: string }).outcome;
  }

  /** How many points an import that went to its end has passed. */
  get points(): number {
    return Number(/points: (\d+)/.exec(this.stderr)?.[1]);
  }

  /** Waits until it has stopped itself. */
  async stopped(): Promise<void> {
    await until('the import has stopped', () => {
      const state = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.[0];
      return state === 'T';
    });
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }
}

/** All that an import leaves, without what differs from one run to the next. */
export async function booksOf(url: string): Promise<Record<string, Row[]>> {
  return {
    files: await selectRows(url, 'select sha256, size_bytes from statement_files order by sha256'),
    loads: await selectRows(url, 'select state, slot, count(*) as n from statement_loads group by state, slot'),
    chunks: await selectRows(url, 'select position, length(content) as bytes from statement_file_chunks order by 1, 2'),
    statements: await selectRows(
      url,
      'select account, verdict, opening_minor, closing_minor, entries, fingerprint from bank_statements order by 1, 6',
    ),
    lines: await selectRows(
      url,
      `select account, booking_date, amount_minor, bank_reference, identity, raw from bank_statement_lines
       order by identity`,
    ),
    postings: await selectRows(
      url,
      `select t.code, t.occurred_at, p.debit_account, p.credit_account, p.amount_millimes
       from ledger_transactions t join postings p on p.transaction_id = t.id order by 1, 2, 3, 4, 5`,
    ),
    breaks: await selectRows(url, 'select class, status from recon_breaks order by 1, 2'),
  };
}
