// Decides from the rows alone which bank statements are effective. This checks the decision of the statements module.

/** Returns the query for the ids of effective statements: loaded, and either accepted or proven and not on hold. */
const effectiveIds = (states: string): string => `select v.id from bank_statements v
  join statement_loads w on w.file_id = v.file_id and w.state in (${states})
  left join statement_acceptances a on a.statement_id = v.id
  left join statement_holds h on h.statement_id = v.id
  where v.kind <> 'interim' and (a.statement_id is not null or (v.verdict = 'ok' and h.statement_id is null))`;

const EFFECTIVE = effectiveIds("'imported', 'posted'");
const EFFECTIVE_AND_POSTED = effectiveIds("'posted'");

/** Returns the condition that the row `alias` of bank_statements is effective. */
export function isEffectiveStatement(alias: string): string {
  return `${alias}.id in (${EFFECTIVE})`;
}

/** Returns the condition that the row `alias` of bank_statement_lines belongs to an effective statement. */
export function isEffectiveLine(alias: string): string {
  return isLineOf(alias, EFFECTIVE);
}

/** Returns the same condition for posted statements: posting follows a moment after a statement becomes effective. */
export function isPostedLine(alias: string): string {
  return isLineOf(alias, EFFECTIVE_AND_POSTED);
}

/** Returns the condition that the row `alias` of bank_statement_lines does not repeat another line. */
export function isCounted(alias: string): string {
  return `${alias}.id not in (select x.line_id from bank_repeated_lines x)`;
}

function isLineOf(alias: string, statements: string): string {
  return (
    `(${isCounted(alias)} and (${alias}.statement_id in (${statements}) or ` +
    `${alias}.id in (select r.line_id from statement_line_repeats r where r.statement_id in (${statements}))))`
  );
}
