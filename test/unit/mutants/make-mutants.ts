/** One slip in one file: the text at a place, and what stands there instead. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** Prettier puts spaces around operators, so an operator is found by its text. */
const SWAPS: readonly (readonly [from: string, to: string])[] = [
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' + ', ' - '],
  [' - ', ' + '],
  [' * ', ' / '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' ?? ', ' && '],
  [' += ', ' -= '],
  [' -= ', ' += '],
  [' ??= ', ' = '],
  ['.min(', '.max('],
  ['.max(', '.min('],
  ['.some(', '.every('],
  ['.every(', '.some('],
];
const NOT_CODE = /\/\/.*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Every operator of a file swapped for its neighbor, one at a time, in the order of the file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  // Of the same length, so that places stay.
  const code = source.replace(NOT_CODE, (text) => text.replace(/[^\n]/g, '_'));
  const mutants = SWAPS.flatMap(([from, to]) => {
    const found: Mutant[] = [];
    for (let at = code.indexOf(from); at >= 0; at = code.indexOf(from, at + 1)) {
      const linesBefore = code.slice(0, at + from.search(/\S/)).split('\n');
      const column = (linesBefore.at(-1)?.length ?? 0) + 1;
      found.push({ file, line: linesBefore.length, column, at, from, to });
    }
    return found;
  });
  return mutants.sort((a, b) => a.at - b.at);
}

export function mutantText({ file, line, column, from, to }: Mutant): string {
  return `${file}:${line}:${column} "${from.trim()}" becomes "${to.trim()}"`;
}
