import { ownValue } from '../../kernel';

/** A variable part of a path in an Express pattern. */
const VARIABLE = /:(\w+)/g;

/**
 * Returns whether a path matches a pattern, in which `*` stands for any text. It walks along the path once; a regular
 * expression with many stars could run practically forever.
 */
export function pathFits(pattern: string, path: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** Returns the path of a call with its variable parts decoded. */
export function pathOfCall(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(VARIABLE, (variable, name: string) => {
    const value = ownValue(params, name);
    return typeof value === 'string' ? value : variable;
  });
}

/** Returns whether any call of an operation can have a matching path; `template` is the operation's pattern. */
export function canFit(pattern: string, template: string): boolean {
  const steps = stepsOf(template);
  // The possible next steps after the pattern was read up to here.
  let reached: ReadonlySet<number> = withSkipped(new Set([0]), steps);
  for (const character of pattern) {
    const next = character === '*' ? from(Math.min(...reached), steps.length) : after(reached, steps, character);
    if (next.size === 0) return false;
    reached = withSkipped(next, steps);
  }
  return reached.has(steps.length);
}

/** One character of a path: a given one, any one of a variable part, or any number of them. */
type Step = { readonly kind: 'exactly'; readonly character: string } | { readonly kind: 'any' | 'any_number' };

/** Splits a pattern into steps. A variable part has at least one character. */
function stepsOf(template: string): readonly Step[] {
  const exactly = (text: string): Step[] => Array.from(text, (character) => ({ kind: 'exactly', character }));
  const parts = template.split(VARIABLE);
  return parts.flatMap((part, index) => (index % 2 === 0 ? exactly(part) : [{ kind: 'any' }, { kind: 'any_number' }]));
}

function after(reached: ReadonlySet<number>, steps: readonly Step[], character: string): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    const step = steps[at];
    if (step === undefined) continue;
    if (step.kind === 'exactly' ? step.character === character : character !== '/') {
      next.add(step.kind === 'any_number' ? at : at + 1);
    }
  }
  return next;
}

function withSkipped(reached: Set<number>, steps: readonly Step[]): Set<number> {
  for (const at of reached) if (steps[at]?.kind === 'any_number') reached.add(at + 1);
  return reached;
}

function from(first: number, last: number): Set<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
