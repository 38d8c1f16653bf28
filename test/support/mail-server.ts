import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that a server accepted. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
  readonly isEncrypted: boolean;
}

export interface MailServer {
  readonly port: number;
  /** The mails in the order of their arrival. */
  readonly mails: readonly ReceivedMail[];
  /** Refuses the next recipients with this answer; undefined accepts them. */
  refuseWith(code: number | undefined): void;
  /** Is called when the whole mail has arrived, before the server answers. */
  onMail(call: () => Promise<void>): void;
  stop(): Promise<void>;
}

/** Starts a mail server on this machine. Without options it offers no TLS and asks for no user. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: number | undefined;
  let arrived: () => Promise<void> = () => Promise.resolve();
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true, ...options },
    onRcptTo(_address, _session, done) {
      if (refusal === undefined) return done();
      done(Object.assign(new Error('refused by the test'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => void pieces.push(piece));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, source: Buffer.concat(pieces).toString('utf8'), isEncrypted: session.secure });
        void arrived().then(() => done(), done);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuseWith: (code) => {
      refusal = code;
    },
    onMail: (call) => {
      arrived = call;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns a header of a mail, unfolded. */
export function headerOf({ source }: ReceivedMail, name: string): string {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? '';
  return decodedWords(line.slice(name.length + 1).trim());
}

/** Returns the text of a mail, decoded. */
export function textOf(mail: ReceivedMail): string {
  const body = mail.source.slice(mail.source.indexOf('\r\n\r\n') + 4);
  const encoding = headerOf(mail, 'Content-Transfer-Encoding').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquoted(body.replaceAll(/=\r\n/g, '')) : body;
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(b|q)\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    );
}
