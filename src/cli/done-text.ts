interface Done {
  /** The outcome of a step that changed something: the past participle of `verb`. */
  readonly done: string;
  readonly verb: string;
  readonly thing: string;
  readonly dryRun: boolean;
}

/** Returns the result of a step that was perhaps done before: `closed agent A-1`, `Would close agent A-1 (dry run)`. */
export function doneText(outcome: string, { done, verb, thing, dryRun }: Done): string {
  if (outcome !== done) return `${thing}: ${outcome.replace('_', ' ')}; nothing was changed`;
  return dryRun ? `Would ${verb} ${thing} (dry run)` : `${done} ${thing}`;
}
