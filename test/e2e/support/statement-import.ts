import type { Installation } from './installation';
import { type SignalAt, SignalledCommand } from './signalled-command';
import { type Row, selectRows } from './tables';

/** `millime statements import` as a process of its own, which may be told to stop or to die at a point of its way. */
export class ImportProcess extends SignalledCommand {
  constructor(installation: Installation, path: string, signalAt?: SignalAt) {
    super(installation, ['statements', 'import', path, '--json'], { signalAt });
  }

  /** What it printed, when it ended well. */
  async outcome(): Promise<string> {
    const { code } = await this.ended;
    if (code !== 0) throw new Error(`the import ended with ${code}: ${this.stderr}`);
    return (JSON.parse(this.stdout) as { outcome: string }).outcome;
  }
}

/** Imports a file to the end, and says what became of it. */
export async function imported(installation: Installation, path: string): Promise<string> {
  return (await installation.json<{ outcome: string }>(['statements', 'import', path])).outcome;
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
