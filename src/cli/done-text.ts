import { t, texts } from './language';

/** A step on a thing with a name; both are ends of keys of texts. */
export interface Step {
  readonly verb: 'change' | 'erase' | 'cancel' | 'revoke' | 'close' | 'disable' | 'enable' | 'reset';
  readonly noun: 'agent' | 'due' | 'key' | 'token' | 'user' | 'secondFactor' | 'roles';
}

/** Returns the result of a step that was perhaps done before: `closed agent A-1`, `Would close agent A-1 (dry run)`. */
export function doneText(
  outcome: string,
  { verb, noun, name, dryRun }: Step & { readonly name: string; readonly dryRun: boolean },
): string {
  const thing = t(`cli:done.thing.${noun}`, { name });
  // Only the outcomes of a step that changed nothing have texts.
  const unchanged = texts().find('cli', `done.outcome.${outcome}`);
  if (unchanged !== undefined) return t('cli:done.unchanged', { thing, outcome: unchanged });
  return t(dryRun ? `cli:done.would.${verb}` : `cli:done.did.${verb}`, { thing });
}
