import { readMarkdown, readTypeScript, type Text } from './read-texts';
import { WORD_RULES } from './words';

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly kind: Text['kind'];
  readonly word: string;
  readonly instead: string;
}

/** Nouns that Millime counts. `counted()` must print them after a value, so that the output is not "1 breaks". */
const COUNTED =
  /^ (?:more |open |unknown )?(?:agents|attempts|breaks|charges|credits|days|dues|files|invariants|items|jobs|keys|lines|links|matches|payments|payouts|plans|problems|proposals|rows|runs|statements|status checks|steps|tokens|transactions|webhooks)\b/u;

/** Returns the words of one file that docs/STYLE.md replaces, in the order of their lines. */
export function checkFile(path: string, source: string): Finding[] {
  const texts = path.endsWith('.md') ? readMarkdown(source) : readTypeScript(path, source);
  return texts.flatMap((text) => checkText(path, text)).sort((left, right) => left.line - right.line);
}

function checkText(path: string, { line, text, kind, afterValue }: Text): Finding[] {
  const findings: Finding[] = [];
  for (const { pattern, instead, inComments, allowedIn } of WORD_RULES) {
    if ((kind === 'comment' && inComments !== true) || allowedIn?.test(path) === true) continue;
    for (const [word] of text.matchAll(pattern)) findings.push({ path, line, kind, word, instead });
  }
  const plural = afterValue === true ? COUNTED.exec(text)?.[0] : undefined;
  if (plural !== undefined) findings.push({ path, line, kind, word: plural.trim(), instead: "counted(n, 'break')" });
  return findings;
}

/**
 * Returns the findings that no entry exempts, and the idle entries. An entry exempts a file (`src/x.ts`), a folder
 * (`src/x/`), or only the comments of either (`src/x.ts comments`).
 */
export function applyExemptions(
  findings: readonly Finding[],
  exempt: readonly string[],
): { refused: Finding[]; idle: string[] } {
  return {
    refused: findings.filter((finding) => !exempt.some((entry) => covers(entry, finding))),
    idle: exempt.filter((entry) => !findings.some((finding) => covers(entry, finding))),
  };
}

function covers(entry: string, { path, kind }: Finding): boolean {
  const [place = '', scope] = entry.split(' ');
  return (
    (place.endsWith('/') ? path.startsWith(place) : path === place) && (scope === undefined || scope === `${kind}s`)
  );
}

/** Returns the shortest list that exempts these findings: files, or only their comments where the texts are clean. */
export function exemptionsFor(findings: readonly Finding[]): string[] {
  const paths = [...new Set(findings.map(({ path }) => path))];
  const hasTexts = new Set(findings.filter(({ kind }) => kind === 'text').map(({ path }) => path));
  return paths.map((path) => (hasTexts.has(path) ? path : `${path} comments`));
}
