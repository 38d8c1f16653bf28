/**
 * Which statements and lines count, in SQL that both databases read. A statement counts when its file is loaded, and it
 * proves itself and contradicts no other, or somebody accepted it. A line counts as soon as one statement that counts has
 * it, whichever file brought it first. Only lines that count are posted and reconciled.
 */

/** Whether the statement `alias` counts. */
export function isEffectiveStatement(alias: string): string {
  return (
    `(exists (select 1 from statement_loads w where w.file_id = ${alias}.file_id and w.state <> 'loading')` +
    ` and ${alias}.kind <> 'interim' and ((${alias}.verdict = 'ok'` +
    ` and not exists (select 1 from statement_holds h where h.statement_id = ${alias}.id))` +
    ` or exists (select 1 from statement_acceptances a where a.statement_id = ${alias}.id)))`
  );
}

/** Whether the line `alias` counts. */
export function isEffectiveLine(alias: string): string {
  return (
    `(exists (select 1 from bank_statements o where o.id = ${alias}.statement_id and ${isEffectiveStatement('o')})` +
    ` or exists (select 1 from statement_line_repeats r join bank_statements o on o.id = r.statement_id` +
    ` where r.line_id = ${alias}.id and ${isEffectiveStatement('o')}))`
  );
}
