// Which bank statements count, read from the rows alone: what the statements room decides is checked here, not asked.

/** The ids of the statements that count: loaded, and either accepted or proven and not on hold. */
const effectiveIds = (states: string): string => `select v.id from bank_statements v
  join statement_loads w on w.file_id = v.file_id and w.state in (${states})
  left join statement_acceptances a on a.statement_id = v.id
  left join statement_holds h on h.statement_id = v.id
  where v.kind <> 'interim' and (a.statement_id is not null or (v.verdict = 'ok' and h.statement_id is null))`;

const EFFECTIVE = effectiveIds("'imported', 'posted'");
const EFFECTIVE_AND_POSTED = effectiveIds("'posted'");

/** Whether the row `alias` of bank_statements counts. */
export function isEffectiveStatement(alias: string): string {
  return `${alias}.id in (${EFFECTIVE})`;
}

/** Whether the row `alias` of bank_statement_lines stands on a statement that counts, whichever brought it. */
export function isEffectiveLine(alias: string): string {
  return isLineOf(alias, EFFECTIVE);
}

/** The same, where the books already have the statement: they follow a moment after it counts. */
export function isPostedLine(alias: string): string {
  return isLineOf(alias, EFFECTIVE_AND_POSTED);
}

function isLineOf(alias: string, statements: string): string {
  return (
    `(${alias}.statement_id in (${statements}) or ` +
    `${alias}.id in (select r.line_id from statement_line_repeats r where r.statement_id in (${statements})))`
  );
}
