import { TOTP } from 'otpauth';
import { createIdentity, type Identity, OPERATOR, type Role } from '../../../src/identity';
import { silentLogger } from '../../../src/logging';
import { type Api, type ApiOptions, describeApi, describeApiOnOneDatabase } from '../../api/support/api';
import { type Answer, httpCall } from '../../api/support/http-call';
import { type Html, parseHtml } from './html';

export const PASSWORD = 'vélo-citron-fenêtre';
/** Passwords cost little in tests. */
const CHEAP = 4;
const REDIRECTS_MAX = 5;

/** A page as it was answered, after redirects. */
export interface Seen extends Html {
  readonly status: number;
  readonly headers: Answer['headers'];
  /** The path with its query. */
  readonly path: string;
  readonly source: string;
}

type DefineApi = Parameters<typeof describeApi>[1];
type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly content: Buffer;
}

/** A person with a browser: it keeps cookies, follows redirects and sends forms. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Seen>;
  /** Sends the form of a page whose field `action` has this value; fields replace those of the page. */
  send(page: Seen, action: string, fields?: Fields, file?: UploadedFile): Promise<Seen>;
  /** Sends any request with the cookies, and follows no redirect. */
  raw(
    method: string,
    path: string,
    options?: { headers?: Readonly<Record<string, string>>; body?: string | Buffer },
  ): Promise<Answer>;
  /** Fills in the form of the sign-in. */
  signIn(name: string, password: string, code?: string): Promise<Seen>;
}

/** Runs a suite about pages on each database, with passwords that cost little. */
export function describeConsole(name: string, define: DefineApi, options: ApiOptions = {}): void {
  describeApi(name, define, withCheapPasswords(options));
}

/** Runs a suite in a browser, which asks no database a question of its own. */
export function describeConsoleOnOneDatabase(name: string, define: DefineApi, options: ApiOptions = {}): void {
  describeApiOnOneDatabase(name, define, withCheapPasswords(options));
}

function withCheapPasswords(options: ApiOptions): ApiOptions {
  const replace: ApiOptions['replace'] = (millime) => ({
    ...options.replace?.(millime),
    identity: createIdentity({ ...millime, logger: silentLogger, passwordCost: CHEAP }),
  });
  return { ...options, replace };
}

export interface NewPerson {
  readonly name?: string;
  readonly roles?: readonly Role[];
  readonly language?: 'fr' | 'en' | 'ar';
}

/** Creates a user, with a second factor if the roles need one, and signs them in. */
export async function person(
  api: Api,
  { name = 'salma', roles = ['finance'], language = 'en' }: NewPerson = {},
): Promise<Visitor> {
  const { identity, clock } = api.millime;
  const made = await identity.users.create({
    ...{ name, roles, language },
    fullName: `${name} Ben Ali`,
    actor: OPERATOR,
    dryRun: false,
  });
  if (made.code === undefined) throw new Error('a user that was created has a code');
  const set = await identity.sessions.setFirstPassword({
    name,
    code: made.code,
    password: PASSWORD,
    address: '127.0.0.1',
  });
  if (set.outcome !== 'set') throw new Error(`the password was not set: ${set.outcome}`);
  const visitor = browser(api);
  const secret = await enroll(identity, name, clock.now());
  // The step of the enrollment cannot be used again.
  const code = secret === undefined ? undefined : codeAt(secret, clock.now() + 30_000);
  const page = await visitor.signIn(name, PASSWORD, code);
  if (page.path.startsWith('/console/sign-in')) throw new Error(`not signed in: ${page.text}`);
  return visitor;
}

async function enroll({ sessions }: Identity, name: string, now: number): Promise<string | undefined> {
  const answer = await sessions.signIn({ name, password: PASSWORD, address: '127.0.0.1' });
  if (answer.outcome !== 'must_enroll') return undefined;
  const begun = await sessions.beginEnrollment(answer.session);
  if (!('secret' in begun)) throw new Error(`no enrollment: ${begun.outcome}`);
  const { secret } = begun;
  const confirmed = await sessions.confirmEnrollment(answer.session, codeAt(secret, now));
  if (confirmed.outcome !== 'enrolled') throw new Error('the code was not accepted');
  return secret;
}

/** Returns the code that an authenticator app shows at an instant. */
export function codeAt(secret: string, timestamp: number): string {
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp });
}

/** Opens a browser without cookies. */
export function browser({ port }: Pick<Api, 'port'>): Visitor {
  const cookies = new Map<string, string>();
  const origin = `http://127.0.0.1:${port}`;
  const raw: Visitor['raw'] = async (method, path, { headers = {}, body } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { Host: `127.0.0.1:${port}`, ...(cookie === '' ? {} : { Cookie: cookie }), ...headers };
    const answer = await httpCall(port, { method, path, headers: sent, ...(body === undefined ? {} : { body }) });
    for (const each of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const follow = async (path: string, first: Answer): Promise<Seen> => {
    let answer = first;
    let at = path;
    for (let count = 0; answer.status === 303; count += 1) {
      if (count === REDIRECTS_MAX) throw new Error(`redirects without an end at ${at}`);
      at = answer.headers.location ?? '';
      answer = await raw('GET', at);
    }
    return { ...parseHtml(answer.text), status: answer.status, headers: answer.headers, path: at, source: answer.text };
  };
  const get = async (path: string): Promise<Seen> => follow(path, await raw('GET', path));
  const post = async (
    path: string,
    fields: readonly (readonly [string, string])[],
    file?: UploadedFile,
  ): Promise<Seen> => {
    const { type, body } = file === undefined ? urlEncoded(fields) : multipart(fields, file);
    return follow(path, await raw('POST', path, { headers: { 'Content-Type': type, Origin: origin }, body }));
  };
  return {
    ...{ cookies, get, raw },
    send(page, action, fields = {}, file) {
      const form = page.forms.find((each) =>
        each.fields.some(([name, value]) => name === 'action' && value === action),
      );
      if (form === undefined) throw new Error(`${page.path} has no form ${action}: ${page.text}`);
      return post(form.action, replaced(form.fields, fields), file);
    },
    async signIn(name, password, code = '') {
      const page = await get('/console/sign-in');
      const [form] = page.forms;
      if (form === undefined) throw new Error('the sign-in has a form');
      return post('/console/sign-in', replaced(form.fields, { name, password, code }));
    },
  };
}

function replaced(of: readonly (readonly [string, string])[], fields: Fields): readonly (readonly [string, string])[] {
  const kept = of.filter(([name]) => !(name in fields));
  const given = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const));
  return [...kept, ...given];
}

function urlEncoded(fields: readonly (readonly [string, string])[]): { type: string; body: string } {
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
  return { type: 'application/x-www-form-urlencoded', body };
}

function multipart(fields: readonly (readonly [string, string])[], file: UploadedFile): { type: string; body: Buffer } {
  const boundary = '----millime-test';
  const head = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
  const text = fields.map(([name, value]) => `${head(name)}\r\n${value}\r\n`).join('');
  const fileHead = `${head(file.field, `; filename="${file.name}"`)}Content-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(text + fileHead), file.content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
