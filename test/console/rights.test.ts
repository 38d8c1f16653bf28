// Goal: each person opens the pages of their roles, and no other. Every page of every list is asked for.
// Method: the list of pages itself, with each role, on both databases.
import { beforeEach, expect, test } from '@jest/globals';
import { menuOf, PAGES } from '../../src/console/testing';
import { type Role, ROLES } from '../../src/identity';
import { scopesOfRoles } from '../../src/identity/testing';
import { describeConsole, person, type Visitor } from './support/visitor';

describeConsole('the pages of each role', (current) => {
  let visitors: ReadonlyMap<Role, Visitor>;
  beforeEach(async () => {
    const made: [Role, Visitor][] = [];
    for (const role of ROLES) made.push([role, await person(current.api, { name: `a-${role}`, roles: [role] })]);
    visitors = new Map(made);
  });

  test('are open to it, and all others are refused and recorded', async () => {
    for (const [role, visitor] of visitors) {
      const scopes = scopesOfRoles([role]);
      // A person who may not read the figures of the morning begins elsewhere.
      const pages = PAGES.filter(({ path }) => path !== '/' || scopes.has('reports:read'));
      if (pages.length < PAGES.length) expect((await visitor.get('/console')).path).not.toBe('/console');
      for (const { path, scope } of pages) {
        const { status, text } = await visitor.get(
          `/console${path === '/' ? '' : path.replaceAll(/:\w+/g, 'nonesuch')}`,
        );
        const isOpen = scope === undefined || scopes.has(scope);
        // What a page is about need not exist.
        const expected = isOpen ? [200, 400, 404] : [403];
        expect([role, path, text.length > 0 && expected.includes(status) ? 'as expected' : status]).toEqual([
          ...[role, path, 'as expected'],
        ]);
      }
      const closed = pages.filter(({ scope }) => scope !== undefined && !scopes.has(scope));
      const query = { limit: 200, action: 'page.refused', actorName: `a-${role}` };
      const { rows } = await current.api.millime.identity.auditRecords(query);
      expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(closed.map(({ path }) => `page:${path}`)));
    }
  });

  test('are in the menu, each once', () => {
    for (const role of ROLES) {
      const paths = menuOf(scopesOfRoles([role])).flatMap(({ pages }) => pages.map(({ path }) => path));
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  test('refuse a form whose action they do not have', async () => {
    const visitor = visitors.get('reader');
    const page = await visitor?.get('/console/me');
    const form = page?.forms.find(({ fields }) => fields.some(([name]) => name === 'action'));
    const fields = (form?.fields ?? []).map(([name, value]) => [name, name === 'action' ? 'nonesuch' : value]);
    const answer = await visitor?.raw('POST', '/console/me', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: `http://127.0.0.1:${current.api.port}` },
      body: new URLSearchParams(fields).toString(),
    });
    expect(answer?.status).toBe(404);
  });
});
