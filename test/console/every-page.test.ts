// Goal: no page has a finding of axe, breaks its policy, runs a text of others or scrolls sideways, in each language, on a
// phone and on a desk, in light and dark.
// Method: Debian's Chromium on a server with hostile names, bank lines, file names and facts. Each page is opened by the
// first role that may open it: rights.test.ts holds the others. Screenshots are in test-output/console.
import { expect, test } from '@jest/globals';
import { PAGES } from '../../src/console/testing';
import { OPERATOR, type Role } from '../../src/identity';
import { scopesOfRoles } from '../../src/identity/testing';
import { businessDate } from '../../src/kernel';
import { LANGUAGES } from '../../src/texts';
import { type Api, rows } from '../api/support/api';
import { MONDAY, openBreak, withCredits, withProposal } from '../api/v1/support/scenarios/credit-world';
import { anActiveSubscription } from '../api/v1/support/scenarios/subscriptions';
import { statementBytes } from '../fixtures/statements/statement-bytes';
import { axeFindings, DESKTOP, PHONE } from '../support/browser';
import { BY_TEST } from '../support/factories';
import { describeInBrowser } from './support/in-a-browser';
import { person, type Visitor } from './support/visitor';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script>{{x}}$t(y)';
const HOSTILE = `${MARKUP}"'`;
/** Some forty pages, each opened, photographed and read twice by axe: one second each, or several on a busy machine. */
const LIMIT_MS = 600_000;
const ROLES_IN_ORDER: readonly Role[] = ['finance', 'admin', 'approver', 'operator', 'field'];

describeInBrowser(
  'every page',
  (current, { origin, open, shoot }) => {
    test.each(LANGUAGES)(
      'is clean in %s',
      async (language) => {
        let ids = await withHostileTexts(current.api);
        const left = new Set(PAGES.map(({ path }) => path));
        for (const role of ROLES_IN_ORDER) {
          const scopes = scopesOfRoles([role]);
          const own = PAGES.filter(({ path, scope }) => left.has(path) && (scope === undefined || scopes.has(scope)));
          if (own.length === 0) continue;
          const visitor = await person(current.api, { name: `a-${role}`, roles: [role], language });
          if (role === 'finance') ids = { ...ids, uploadId: await upload(visitor) };
          const page = await open(visitor, { viewport: language === 'ar' ? PHONE : DESKTOP });
          for (const { path } of own) {
            left.delete(path);
            const at = pathOf(path, ids);
            const answer = await page.goto(`${origin()}${at}`);
            expect([at, answer?.status()]).toEqual([at, 200]);
            expect([at, await axeFindings(page)]).toEqual([at, []]);
            const width = await page.evaluate('document.documentElement.scrollWidth');
            expect([at, width]).toEqual([at, page.viewportSize()?.width]);
            await shoot(page, `page-${language}${path.replaceAll(/\W+/g, '-')}`);
            await page.emulateMedia({ colorScheme: 'dark' });
            expect([at, await axeFindings(page, ['color-contrast'])]).toEqual([at, []]);
            await page.emulateMedia({ colorScheme: 'light' });
          }
        }
        expect([...left]).toEqual([]);
      },
      LIMIT_MS,
    );

    test(
      'fits screens from 320 pixels to 4K, and prints dark on white without its menu',
      async () => {
        const written = await withHostileTexts(current.api);
        const salma = await person(current.api, { name: 'salma', roles: ['finance'], language: 'fr' });
        const ids = { ...written, uploadId: await upload(salma) };
        const page = await open(salma);
        for (const width of [320, 768, 3840]) {
          await page.setViewportSize({ width, height: 900 });
          for (const { path } of PAGES.filter(
            ({ scope }) => scope === undefined || scopesOfRoles(['finance']).has(scope),
          )) {
            const at = pathOf(path, ids);
            await page.goto(`${origin()}${at}`);
            expect([at, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
              at,
              width,
              width,
            ]);
          }
        }
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await page.goto(`${origin()}/console/reports`);
        expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
        expect(await page.locator('nav').first().isVisible()).toBe(false);
      },
      LIMIT_MS,
    );
  },
  { hasGateway: true },
);

/** The id of each page that has one in its path. */
type Ids = Readonly<Record<string, string>>;

function pathOf(path: string, ids: Ids): string {
  const named = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const id = ids[`${path} ${name}`] ?? ids[name];
    if (id === undefined) throw new Error(`no ${name} for ${path}: put one into withHostileTexts`);
    return encodeURIComponent(id);
  });
  return `/console${named === '/' ? '' : named}`;
}

/** Puts texts of others that try to be markup wherever the world lets others write, and returns what pages are about. */
async function withHostileTexts(api: Api): Promise<Ids> {
  const { millime } = api;
  const subscription = await anActiveSubscription(api);
  const [lineId = ''] = await withCredits(api, [9_999], `VIR RECU SERVICE DE PAIEMENT SA ${MARKUP}`);
  await millime.agents.add({ agentId: 'AG-7', fullName: HOSTILE, phone: '' }, { actor: OPERATOR, dryRun: false });
  const { id: breakId } = await openBreak(api, HOSTILE, {
    subject: { itemIds: ['service:TX-1'], lineIds: [lineId], facts: { trackingId: HOSTILE } },
  });
  const proposalId = await withProposal(api);
  await millime.reconciliation.run({ through: businessDate('2026-03-05'), ...BY_TEST });
  await millime.webhooks.receiveHint('payout', Buffer.from(JSON.stringify({ text: HOSTILE })));
  const [webhook] = (await millime.webhooks.list({ limit: 1 })).rows;
  return {
    ...{ lineId, breakId, proposalId, agentId: 'AG-7', name: 'a-admin', date: MONDAY },
    runId: String((await rows(api.millime, 'recon_runs', ['id'])).at(-1)?.['id']),
    statementId: (await millime.statements.list({ limit: 1 })).rows[0]?.statement.id ?? '',
    '/payments/:id id': 'service:TX-1',
    '/subscriptions/:id id': subscription.trackingId,
    '/webhooks/:id id': webhook?.id ?? '',
  };
}

/** Uploads a bank file with hostile texts, which only its owner sees, and returns its id. */
async function upload(visitor: Visitor): Promise<string> {
  const content = statementBytes({ account: '08006012345678901231', lines: [['05/03/2026', MARKUP, 500]] });
  const file = { field: 'file', name: '<img src=x onerror=alert(1)>.csv', content };
  const page = await visitor.send(await visitor.get('/console/bank/import'), 'upload', {}, file);
  return page.path.split('/').at(-1) ?? '';
}
