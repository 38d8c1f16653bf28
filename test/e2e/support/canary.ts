import { connect } from 'node:net';

/** One text that must not turn up, in the shapes that programs give to texts. */
function shapesOf(canary: string): string[] {
  const bytes = Buffer.from(canary, 'utf8');
  return [
    canary,
    encodeURIComponent(canary),
    JSON.stringify(canary).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** The names of the canaries that are in `text`, in whatever shape. */
export function canariesIn(text: string, canaries: Readonly<Record<string, string>>): string[] {
  const searched = text.toLowerCase();
  return Object.keys(canaries).filter((name) =>
    shapesOf(canaries[name] ?? '').some((shape) => searched.includes(shape.toLowerCase())),
  );
}

const ANSWER_LIMIT_MS = 10_000;

/** Sends one request byte by byte as it is given, and reads the whole answer: the status line, the headers, the body. */
export function exchange(baseUrl: string, request: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('utf8')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

/** A request as text. The connection ends with its answer. */
export function requestText(start: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${start} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...length, '', body].join('\r\n');
}
