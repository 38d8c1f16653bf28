/** Which part of the simulation an error came from, by the file that threw it. */
const PARTS: readonly (readonly [file: string, part: string])[] = [
  ['converge', 'the gateway and Millime agree in the end'],
  ['job', 'a job posts its window once'],
  ['check', 'the books equal the model'],
  ['confirming', 'the answer to a confirm'],
  ['racing', 'the answers of a race'],
  ['bank', 'the answer to a bank file'],
  ['channels', 'the answer to a payment or fee'],
  ['checkouts', 'the answer to a checkout'],
  ['people', 'the answer to a person'],
  ['jobs', 'the answer to a closing or an erasure'],
  ['reconciling', 'the answer to a run'],
  ['run-history', 'nothing fails in peace'],
];

export function seenBy(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return 'an error';
  const broken = /"name": "([a-z_]+)"/.exec(cause.message)?.[1];
  if (broken !== undefined) return `invariant ${broken}`;
  if (!('matcherResult' in cause)) return `an error of the program (${firstLine(cause.message)})`;
  const file = /integration\/simulation\/([a-z-]+)\.ts/.exec(cause.stack ?? '')?.[1];
  return PARTS.find(([name]) => name === file)?.[1] ?? `an assertion of ${file ?? 'a test'}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
