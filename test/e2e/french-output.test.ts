import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from '../../src/kernel';
import { fixtureTime, loadFixture, UPGRADE_FIXTURES } from '../migrations/upgrade-fixture';
import { type CliResult, runCli } from '../support/server-process';
import { Installation } from './support/installation';

// Goal: nothing that the command line shows in French is English.
// Method: the compiled program lists and shows everything of the four days of an upgrade fixture. A word is English if
// English texts have it and French ones do not. What people and programs wrote is taken out first.

const LIMIT_MS = 240_000;
const [FIXTURE = ''] = UPGRADE_FIXTURES;
const CATALOGS = ['cli', 'words', 'problems', 'breaks', 'credits', 'bank', 'common', 'days'];

/** What people wrote in the fixture, and the description of a profile. */
const WRITTEN =
  /the agent (?:is unknown|was called)|call the agent first|paid in cash(?: too)?|the gateway wrote to us|a payment is missing|French headers, .*|\{".*\}$/g;
/** Quoted texts, commands, options, paths, ids, and states that only the gateway has. */
const TYPED =
  /"[^"]*"|«[^»]*»|--profile proposed|\bmillime .*|<[^>]*>|\S*[\d_/@.=]\S*|\S+:\S+|\S*--\S+|\b[A-Z_]{2,}\b/g;
/** Names of actors and formats. */
const NAMES = new Set(['gateway', 'look', 'cli', 'csv', 'pos']);

/** The names of columns of files, where an error names them. The log is English, and not read. */
const COLUMNS = /\b(?:phone|reference|kind|channel|counterparty|remittance)\b(?= [:;]| ou "|,|$)/gm;

/** What reports and errors say in English, with its French. */
const SAID = ['reports', 'phrases', 'sentences'].flatMap((name) => {
  const path = join(PACKAGE_ROOT, 'assets', 'texts', 'fr', `${name}.json`);
  return Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
});

function wordsOf(language: 'en' | 'fr'): Set<string> {
  const said = SAID.map(([english, french]) => (language === 'en' ? english : french));
  const texts = CATALOGS.flatMap((name) => {
    const path = join(PACKAGE_ROOT, 'assets', 'texts', language, `${name}.json`);
    return [...readFileSync(path, 'utf8').matchAll(/^ *"[^"]*": "(.*)",?$/gm)].map(([, text = '']) => text);
  });
  return new Set([...texts, ...said].flatMap(wordsIn));
}

function wordsIn(text: string): string[] {
  const plain = text
    .replaceAll(/\{\{\w+\}\}/g, ' ')
    .replaceAll(WRITTEN, ' ')
    .replaceAll(TYPED, ' ');
  return plain.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

const FRENCH = wordsOf('fr');
const ENGLISH = new Set([...wordsOf('en')].filter((word) => !FRENCH.has(word) && !NAMES.has(word)));

/** Returns the lines of an output that have an English word, each with the word. */
function englishIn({ stdout, stderr }: CliResult): string[] {
  return `${stdout}\n${stderr}`.split('\n').flatMap((line) => {
    const word = wordsIn(line).find((each) => ENGLISH.has(each));
    return word === undefined ? [] : [`${word}: ${line}`];
  });
}

/** Returns what people read on a page, with the labels for screen readers. */
function pageText(html: string): string {
  return html
    .replaceAll(/<style>[^<]*<\/style>/g, '')
    .replaceAll(/ aria-label="([^"]*)"([^>]*>)/g, '$2\n$1\n')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#39;', "'")
    .replaceAll('\u00a0', ' ');
}

/** Returns what looks like an amount and is not written `1 234,567 DT`. */
function otherAmounts({ stdout }: CliResult): string[] {
  const lines = stdout.split('\n').map((line) => line.replaceAll(WRITTEN, ' ').replaceAll(/"[^"]*"/g, ' '));
  return lines.flatMap((line) => line.match(/\d{4,}[.,]\d{3}(?!\d)|\d[.,]\d{3}(?!\d)(?! DT)/g) ?? []);
}

interface Listed {
  readonly id?: string;
  readonly trackingId?: string;
}

describe('the command line in French', () => {
  let millime: Installation;

  beforeAll(async () => {
    const gateway = { GATEWAY_PUBLIC_KEY: 'pk_simulator', GATEWAY_PRIVATE_KEY: 'sk_simulator' };
    millime = new Installation(await loadFixture(FIXTURE, 'sqlite'), {
      clock: fixtureTime(FIXTURE),
      env: { ...gateway, GATEWAY_BASE_URL: 'http://127.0.0.1:9' },
    });
    const migrated = await millime.cli('migrate', '--lang', 'fr');
    expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining('migration faite : ') as unknown });
  }, LIMIT_MS);

  const french = (args: readonly string[]): Promise<CliResult> => runCli([...args, '--lang', 'fr'], millime.env);
  const idsOf = async (...list: string[]): Promise<string[]> =>
    (await millime.json<Listed[]>(list)).map(({ trackingId, id = '' }) => trackingId ?? id);

  /** Returns dry runs of imports: of a file whose balances differ, of one without a profile, and of a wrong amount. */
  function imports(): string[][] {
    const mt940 = [':20:X', ':25:08006000123456789061', ':28C:2/1', ':60F:C260305TND100,000'];
    const lines = [':61:2603050305C1123,450NTRFNONREF', ':86:VIREMENT RECU', ':62F:C260305TND999,000', '-', ''];
    const rows = ['Date;Libellé;Débit;Crédit;Solde', '05/03/2026;VIREMENT RECU;;150,000;150,000', ''];
    const odd = ['Date;Libellé;Débit;Crédit;Solde', '05/03/2026;VIREMENT RECU;;x;150,000', ''];
    const files = [
      millime.file('odd-balance.sta', [...mt940, ...lines].join('\r\n')),
      millime.file('no-profile.csv', rows.join('\n')),
      millime.file('odd-amount.csv', odd.join('\n')),
    ];
    return files.map((file) => ['statements', 'import', file, '--currency', 'TND', '--dry-run']);
  }

  /** Returns imports of files of agents, of dues and of the bank that are refused, and other wrong input. */
  function refusals(): string[][] {
    const file = (name: string, ...lines: readonly string[]): string => millime.file(name, lines.join('\n'));
    const dues = 'reference,agent_id,amount_millimes,due_date,memo';
    const mt940 = [':20:X', ':28C:2/1', ':60F:C260305TND100,000', ':62F:C260305TND100,000', '-', ''];
    const agents = [
      file('odd-agents.csv', 'agent_id,full_name,phone', 'A-7,,x', 'A-7,Sami,', ' A-8,Sami,', 'A-9'),
      file('odd-columns.csv', 'agent_id,full_name,phone,status', 'A-7,Sami,,x'),
      file('odd-quotes.csv', 'agent_id,full_name,phone', 'A"7,Sami,'),
    ];
    const ofDues = [
      file('empty.csv', ''),
      file('no-columns.csv', 'montant;date', '1;2'),
      file('odd-dues.csv', dues, 'D-1,A-99,0,2026-13-01,x', 'D-1,A-99,5,2026-03-01,x', 'D-2,A-99'),
    ];
    const statements = [
      file('statement.pdf', '%PDF-1.4', ''),
      file('empty.sta', ''),
      file('no-account.sta', ...mt940),
      file('odd-mark.sta', ...mt940.map((line) => line.replace('60F:C', '60F:Q'))),
      file('cut.ofx', 'OFXHEADER:100', '', '<OFX><SIGNONMSGSRSV1>'),
      file('cut.xml', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>'),
      file('no-columns-either.csv', 'x;y', '1;2'),
      file('no-account.csv', 'Date;Libellé;Débit;Crédit;Solde', '05/03/2026;VIREMENT;;150,25;150,25'),
    ];
    return [
      ...agents.map((each) => ['agents', 'import', each]),
      ...ofDues.map((each) => ['dues', 'import', each]),
      ...statements.map((each) => ['statements', 'import', each]),
      ['statements', 'import', agents[0] ?? '', '--account', 'A 1', '--currency', 'X'],
      ['payments', 'create', '--file', file('odd-plan.csv', 'reference', '')],
      ['close-day', '2026-03-05'],
      ['close-day', '2026-03-06'],
      ['breaks', 'show', 'a'],
      ['payments', 'show', 'a'],
      ['reconcile', 'match', 'a', '--items', 'b', '--reason', 'essai'],
      ['restore', statements[0] ?? ''],
      ['match', '--items', agents[0] ?? '', '--statement', ofDues[2] ?? ''],
    ];
  }

  /** Returns faulty environments. */
  function environments(): Record<string, string>[] {
    return [
      { DATABASE_URL: 'mysql://a:b@127.0.0.1:9/x' },
      { DATABASE_URL: 'x' },
      { PORT: 'x' },
      { SMTP_URL: 'x' },
      { GATEWAY_BASE_URL: '' },
      { STATEMENT_PROFILES_FILE: millime.file('profiles.json', '[') },
    ];
  }

  /** Returns diagnoses of a notification without a signature, and of one that another key signed. */
  function diagnoses(): string[][] {
    const signed = `X-Service-Signature: t=1772701500,v1=${'0'.repeat(64)}`;
    const requests = ['POST /webhooks/payment HTTP/1.1\n\n{}', `POST /webhooks/payment HTTP/1.1\n${signed}\n\n{}`];
    return requests.map((text, index) => ['webhooks', 'diagnose', millime.file(`pasted-${index}`, text)]);
  }

  /** Returns the commands that show all that the lists have. */
  async function showing(): Promise<string[][]> {
    const [statements, breaks, payments, subscriptions, runs, credits] = [
      await idsOf('statements', 'list'),
      await idsOf('breaks', 'list', '--all'),
      await idsOf('payments', 'list'),
      await idsOf('subscriptions', 'list'),
      await idsOf('reconcile', 'runs'),
      (await millime.json<{ credits: { lineId: string }[] }>(['report', 'payouts'])).credits.map(
        ({ lineId }) => lineId,
      ),
    ];
    const states = payments.filter((_, index) => index % 3 === 0);
    return [
      ...statements.flatMap((id) => [
        ['statements', 'show', id],
        ['statements', 'verify', id],
        ['statements', 'exclude', id, '--reason', 'essai', '--dry-run'],
      ]),
      ...breaks.map((id) => ['breaks', 'show', id]),
      ...credits.map((id) => ['report', 'payouts', '--line', id]),
      ...states.flatMap((id) => [
        ['payments', 'show', id],
        ['payments', 'show', id, '--timeline'],
      ]),
      ...subscriptions.map((id) => ['subscriptions', 'show', id]),
      ...runs.slice(0, 1).map((id) => ['reconcile', '--replay', id]),
    ];
  }

  const LISTS = [
    ...['doctor', 'agents list', 'agents show A-1', 'agents due A-1', 'agents statement A-1', 'token list'],
    ...['token rotate --dry-run', 'keys list', 'users list', 'notifications list', 'breaks list', 'breaks proposals'],
    ...['statements list', 'statements pending', 'statements profiles', 'statements accounts list'],
    ...['statements accounts accept 08006000123456789060 --reason essai --dry-run', 'payments list'],
    ...['subscriptions list', 'webhooks list', 'reconcile runs', 'reconcile items', 'reconcile fees'],
    ...['reconcile --dry-run', 'close-day --list', 'close-day 2026-03-04 --dry-run', 'ledger verify'],
    ...['report daily', 'report aging', 'report clearing', 'report agents', 'report fees', 'report payouts'],
    ...['audit list', 'backup out.tar --without-keys --dry-run', 'agents close A-1 --dry-run'],
  ].map((text) => text.split(' '));

  test(
    'shows no English word and no other form of an amount',
    async () => {
      const commands = [...LISTS, ...imports(), ...diagnoses(), ...(await showing())];
      const faults: string[] = [];
      let english = 0;
      for (const args of commands) {
        const said = await french(args);
        const found = [...englishIn(said), ...otherAmounts(said)];
        faults.push(...found.map((fault) => `millime ${args.join(' ')}: ${fault}`));
        english += englishIn(await millime.cli(...args)).length;
      }
      expect(faults).toEqual([]);
      // The same commands in English show that the test sees English.
      expect(english).toBeGreaterThan(commands.length * 2);
    },
    LIMIT_MS,
  );

  test(
    'shows no English word in errors',
    async () => {
      const faults: string[] = [];
      const check = (name: string, said: CliResult): void => {
        const stderr = said.stderr.replaceAll(/^\{"timestamp".*\}$/gm, '').replaceAll(COLUMNS, '');
        expect({ name, code: said.code }).not.toEqual({ name, code: 0 });
        faults.push(...englishIn({ ...said, stderr }).map((fault) => `${name}: ${fault}`));
      };
      for (const args of refusals()) check(args.join(' '), await french(args));
      for (const env of environments()) {
        const said = await runCli(['doctor', '--lang', 'fr'], { ...millime.env, ...env });
        check(JSON.stringify(env), said);
      }
      expect(faults).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'writes the page of a day in French, and its JSON and CSV in English',
    async () => {
      const page = await french(['report', 'daily', '--format', 'html']);
      expect(page.stdout).toContain('<html lang="fr">');
      expect(englishIn({ ...page, stdout: pageText(page.stdout) })).toEqual([]);
      const english = await millime.cli('report', 'daily', '--format', 'html');
      expect(english.stdout).toContain('<html lang="en">');
      expect(englishIn({ ...english, stdout: pageText(english.stdout) }).length).toBeGreaterThan(20);
      for (const format of ['json', 'csv']) {
        const data = ['report', 'daily', '--format', format];
        expect(await french(data)).toMatchObject({ code: 0, stdout: (await millime.cli(...data)).stdout });
      }
    },
    LIMIT_MS,
  );

  test(
    'prints the JSON of English where it has sentences',
    async () => {
      const payments = (await idsOf('payments', 'list')).slice(0, 3);
      const commands = [['doctor'], ...imports(), ...diagnoses(), ...payments.map((id) => ['payments', 'show', id])];
      for (const args of commands) {
        const { code, stdout } = await millime.cli(...args, '--json');
        expect(stdout).toContain('{');
        expect(await french([...args, '--json'])).toMatchObject({ code, stdout });
      }
    },
    LIMIT_MS,
  );
});
