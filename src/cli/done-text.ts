import { isTranslated, t, texts } from './language';

interface Done {
  /** The outcome of a step that changed something: the past participle of `verb`. */
  readonly done: string;
  readonly verb: string;
  readonly thing: string;
  readonly dryRun: boolean;
}

/** Returns the result of a step that was perhaps done before: `closed agent A-1`, `Would close agent A-1 (dry run)`. */
export function doneText(outcome: string, { done, verb, thing, dryRun }: Done): string {
  if (isTranslated()) return translated(outcome, { done, verb, thing, dryRun });
  if (outcome !== done) return `${thing}: ${outcome.replace('_', ' ')}; nothing was changed`;
  return dryRun ? `Would ${verb} ${thing} (dry run)` : `${done} ${thing}`;
}

/** In French each step is a sentence of its own, and a thing has its article. */
function translated(outcome: string, { done, verb, thing, dryRun }: Done): string {
  const { find } = texts();
  const [, noun = thing, name = ''] = /^(.+) (\S+)$/.exec(thing) ?? [];
  const named = `${find('cli', `done.thing.${noun}`) ?? noun} ${name}`;
  if (outcome !== done) {
    const state = find('cli', `done.outcome.${outcome}`) ?? outcome;
    return t('cli:done.unchanged', { thing: named, outcome: state });
  }
  const step = find('cli', `done.step.${verb}`) ?? verb;
  return t(dryRun ? 'cli:done.would' : 'cli:done.done', { step, thing: named });
}
