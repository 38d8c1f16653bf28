import { request } from 'node:http';

const ANSWER_LIMIT_MS = 60_000;

export interface CurlAnswer {
  readonly status: number;
  readonly text: string;
}

type Variables = Readonly<Record<string, string>>;

/** The commands of the `sh` blocks of a page, one per line, continued lines joined. */
export function shellCommands(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.trim() !== ''),
  );
}

/** The status that a command says it is answered with; 200 when it says none. */
export function statusSaid(command: string): number {
  return Number(/# answers (\d{3})$/.exec(command)?.[1] ?? 200);
}

/** A command in words, with quotes and variables as a shell reads them: what these pages use, and no more. */
export function wordsOf(command: string, variables: Variables): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece] of command.replace(/\s+# .*$/, '').matchAll(/'[^']*'|"[^"]*"|\s+|[^\s'"]+/g)) {
    if (/^\s/.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (piece.startsWith("'")) {
      word = (word ?? '') + piece.slice(1, -1);
    } else {
      word = (word ?? '') + expanded(piece.replace(/^"|"$/g, ''), variables);
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Does what `curl -s [-X method] [-H header]… [-d body | --data-binary body] url` does; every other option is an error. */
export function runCurl(words: readonly string[]): Promise<CurlAnswer> {
  const [program, ...rest] = words;
  if (program !== 'curl') throw new Error(`not a curl command: ${words.join(' ')}`);
  const given = {
    method: undefined as string | undefined,
    headers: {} as Record<string, string>,
    body: undefined as string | undefined,
    url: '',
  };
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const value = (): string => rest[(at += 1)] ?? '';
    if (word === '-s') continue;
    else if (word === '-X') given.method = value();
    else if (word === '-d' || word === '--data-binary') given.body = value();
    else if (word === '-H') {
      const [, name = '', text = ''] = /^([^:]+):\s*(.*)$/.exec(value()) ?? [];
      given.headers[name] = text;
    } else if (word.startsWith('-') || given.url !== '') throw new Error(`not understood: ${word}`);
    else given.url = word;
  }
  if (given.body !== undefined) given.headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
  // Like curl: a body makes it a POST.
  return send({ ...given, method: given.method ?? (given.body === undefined ? 'GET' : 'POST') });
}

function send(given: { method: string; headers: Record<string, string>; body: string | undefined; url: string }) {
  const { method, headers, body, url } = given;
  return new Promise<CurlAnswer>((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      url,
      { method, headers: { ...headers, ...length }, timeout: ANSWER_LIMIT_MS },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('error', reject);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function expanded(text: string, variables: Variables): string {
  return text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`$${name} is not set`);
    return value;
  });
}
