// Which bank statements count, read from the rows alone: what the statements room decides is checked here, not asked.

/** The ids of the statements that count: loaded, and either accepted or proven and not on hold. */
const COUNTED = `select v.id from bank_statements v
  join statement_loads w on w.file_id = v.file_id and w.state <> 'loading'
  left join statement_acceptances a on a.statement_id = v.id
  left join statement_holds h on h.statement_id = v.id
  where a.statement_id is not null or (v.verdict = 'ok' and h.statement_id is null)`;

/** Whether the row `alias` of bank_statements counts. */
export function isCountedStatement(alias: string): string {
  return `${alias}.id in (${COUNTED})`;
}

/** Whether the row `alias` of bank_statement_lines stands on a statement that counts, whichever brought it. */
export function isCountedLine(alias: string): string {
  return (
    `(${alias}.statement_id in (${COUNTED}) or ` +
    `${alias}.id in (select r.line_id from statement_line_repeats r where r.statement_id in (${COUNTED})))`
  );
}
