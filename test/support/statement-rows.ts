/** Rows of the tables of statements, by short names: the rows of one file belong together. */
export type TableRow = Readonly<Record<string, string | number | null | Buffer>>;

export type LoadState = 'loading' | 'imported' | 'posted';

/** `F1` becomes an id of the length of ours, and the same one each time. */
export function idOf(name: string): string {
  return name.padEnd(26, '-'); // with zeros L1 would be L10
}

export function digestOfName(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(64, '0');
}

/** Each table with the row that a file named so has in it, parents first. `line` is the one that its repeat repeats. */
export function rowsOfFile(name: string, state: LoadState, line: string = name): [string, TableRow][] {
  const statement = { statement_id: idOf(`S${name}`), position: 1 };
  const booked = { account: '08003000514', currency: 'TND', booking_date: '2026-03-02', amount_minor: 120_500 };
  const texts = { counterparty: '', counterparty_account: '', remittance: '', bank_reference: '', end_to_end_id: '' };
  return [
    ['statement_files', fileRow(name)],
    [
      'statement_loads',
      { file_id: idOf(name), state, slot: state === 'loading' ? 1 : null, lease_until: 1, started_at: 1 },
    ],
    ['statement_file_chunks', { file_id: idOf(name), position: 1, content: Buffer.from('x') }],
    [
      'bank_statements',
      {
        id: idOf(`S${name}`),
        file_id: idOf(name),
        position: 1,
        kind: 'statement',
        account: booked.account,
        currency: booked.currency,
        bank_id: '',
        number: '1',
        verdict: 'ok',
        credits_minor: 120_500,
        debits_minor: 0,
        entries: 1,
        pending_entries: 1,
        fingerprint: digestOfName(name),
      },
    ],
    [
      'bank_statement_lines',
      {
        ...{ id: idOf(`L${name}`), ...statement, ...booked, ...texts },
        ...{ transaction_code: '', payout_candidate: 0, identity: digestOfName(name), raw: 'x' },
      },
    ],
    ['statement_line_repeats', { ...statement, line_id: idOf(`L${line}`) }],
    [
      'pending_entries',
      {
        ...{ id: idOf(`P${name}`), ...statement, ...booked, ...texts },
        ...{ status: 'pending', content_key: digestOfName(name), raw: 'x' },
      },
    ],
    ['pending_replacements', { pending_id: idOf(`P${name}`), line_id: idOf(`L${line}`), replaced_at: 1 }],
  ];
}

export function fileRow(name: string): TableRow {
  return {
    id: idOf(name),
    sha256: digestOfName(name),
    name: `${name}.csv`,
    size_bytes: 1,
    format: 'csv',
    profile: 'demo',
    imported_at: 1_772_000_000_000,
    imported_by: 'test',
  };
}
