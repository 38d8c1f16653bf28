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

/** What reports say in English, with its French. */
const REPORTS = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'assets', 'texts', 'fr', 'reports.json'), 'utf8')) as object;

function wordsOf(language: 'en' | 'fr'): Set<string> {
  const reports = language === 'en' ? Object.keys(REPORTS) : (Object.values(REPORTS) as string[]);
  const texts = CATALOGS.flatMap((name) => {
    const path = join(PACKAGE_ROOT, 'assets', 'texts', language, `${name}.json`);
    return [...readFileSync(path, 'utf8').matchAll(/^ *"[^"]*": "(.*)",?$/gm)].map(([, text = '']) => text);
  });
  return new Set([...texts, ...reports].flatMap(wordsIn));
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
