/**
 * Decides which statements and lines are effective, in SQL for both databases. A statement is effective if its file is
 * loaded and it is either proven and not contradicted, or accepted by a person. Its balances prove it. A line is
 * effective as soon as one effective statement has it, unless a person's decision found that it repeats another line. Only
 * effective lines are posted and reconciled.
 */

/** Returns the condition that the file of the statement `alias` is loaded. */
export function isLoaded(alias: string): string {
  return `exists (select 1 from statement_loads w where w.file_id = ${alias}.file_id and w.state <> 'loading')`;
}

/** Returns the condition that the statement `alias` is effective. */
export function isEffectiveStatement(alias: string): string {
  return (
    `(${isLoaded(alias)} and ${alias}.kind <> 'interim' and ((${alias}.verdict = 'ok'` +
    ` and not exists (select 1 from statement_holds h where h.statement_id = ${alias}.id))` +
    ` or exists (select 1 from statement_acceptances a where a.statement_id = ${alias}.id)))`
  );
}

/** Returns the condition that the statement `alias` waits for a person, who accepts or excludes it. */
export function isWaitingStatement(alias: string): string {
  return (
    `(${alias}.kind <> 'interim' and not ${isEffectiveStatement(alias)}` +
    ` and not exists (select 1 from statement_exclusions x where x.statement_id = ${alias}.id))`
  );
}

/** Returns the condition that the line `alias` is effective. */
export function isEffectiveLine(alias: string): string {
  const isRepeated = `exists (select 1 from bank_repeated_lines x where x.line_id = ${alias}.id)`;
  return `(not ${isRepeated} and ${isOnEffectiveStatement(alias)})`;
}

/** Returns the condition that an effective statement has the line `alias`, whether or not it repeats another line. */
export function isOnEffectiveStatement(alias: string): string {
  return (
    `(exists (select 1 from bank_statements o where o.id = ${alias}.statement_id and ${isEffectiveStatement('o')})` +
    ` or exists (select 1 from statement_line_repeats r join bank_statements o on o.id = r.statement_id` +
    ` where r.line_id = ${alias}.id and ${isEffectiveStatement('o')}))`
  );
}
