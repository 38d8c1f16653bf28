// Goal: only the person who signed in can use their session, and no other site can act in their name.
// Method: requests of a browser and of an attacker, on both databases. The clock is moved, so nothing waits.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../src/identity';
import { parseHtml } from './support/html';
import { browser, codeAt, describeConsole, PASSWORD, person, type Seen, type Visitor } from './support/visitor';

const FORM = 'application/x-www-form-urlencoded';
const SECRET_OF_ENROLLMENT = /[A-Z2-7]{4}(?: [A-Z2-7]{4})+/;

const csrfOf = (page: Seen): string =>
  page.forms.flatMap(({ fields }) => fields).find(([name]) => name === 'csrf')?.[1] ?? '';

describeConsole('the sessions of the console', (current) => {
  let salma: Visitor;
  beforeEach(async () => {
    current.api.setClock('2026-03-02T09:00:00.000Z');
    salma = await person(current.api);
  });

  test('what was typed in a session that ended is there after the sign-in, and nothing was done', async () => {
    const page = await salma.get('/console/payments/new?kind=qr');
    current.api.setClock('2026-03-02T10:00:00.000Z');
    const ended = await salma.send(page, 'qr', { amountMillimes: '7,250', reference: 'ORDER-7' });
    expect(ended.status).toBe(403);
    expect(ended.byRole('status').join()).toContain('votre saisie est conservée');
    const [form] = ended.forms;
    const body = new URLSearchParams([
      ...(form?.fields ?? []).filter(([name]) => !['name', 'password'].includes(name)).map(([a, b]) => [a, b]),
      ...[
        ['name', 'salma'],
        ['password', PASSWORD],
      ],
    ]).toString();
    const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
    const again = parseHtml((await salma.raw('POST', '/console/sign-in', { headers, body })).text);
    expect(again.heading).toBe('Vous êtes connecté de nouveau');
    const [kept] = again.forms;
    const fields = new URLSearchParams((kept?.fields ?? []).map(([a, b]) => [a, b])).toString();
    const shown = await salma.raw('POST', kept?.action ?? '', { headers, body: fields });
    const { text, forms } = parseHtml(shown.text);
    expect([shown.status, text]).toEqual([200, expect.stringContaining('What you typed is kept')]);
    expect(forms.flatMap((each) => each.fields)).toEqual(
      expect.arrayContaining([
        ['amountMillimes', '7,250'],
        ['reference', 'ORDER-7'],
      ]),
    );
    expect((await salma.get('/console/payments')).rows).toEqual([]);
  });

  test.each([
    ['fr', 'doit avoir de 12 à 128 caractères', 'Attendu : 2 lettres'],
    ['ar', 'يجب أن يكون من', 'المنتظر'],
  ] as const)('says in the language of its user (%s) why a field was refused', async (language, password, search) => {
    const rim = await person(current.api, { name: 'rim', language });
    const fields = { old: PASSWORD, password: 'court', repeated: 'court' };
    const refused = await rim.send(await rim.get('/console/me'), 'password', fields);
    expect(refused.byRole('alert').join()).toContain(password);
    expect(refused.byRole('alert').join()).not.toContain('characters');
    const found = await rim.send(await rim.get('/console/agents/search'), 'search', { q: 'x' });
    expect(found.byRole('alert').join()).toContain(search);
  });

  describe('the sign-in', () => {
    test('goes to the page that was asked for, and to no other site', async () => {
      const { name } = { name: 'salma' };
      const wanted = await browser(current.api).get('/console/me');
      expect(wanted.path).toBe('/console/sign-in?next=%2Fconsole%2Fme');
      for (const [next, lands] of [
        ['/console/me', '/console/me'],
        ['//evil.example/', '/console'],
        ['https://evil.example/console', '/console'],
        ['/console/../api', '/console'],
        ['/\\evil.example', '/console'],
        ['javascript:alert(1)', '/console'],
      ] as const) {
        const visitor = browser(current.api);
        const page = await visitor.get(`/console/sign-in?next=${encodeURIComponent(next)}`);
        const body = new URLSearchParams({ csrf: csrfOf(page), next, name, password: PASSWORD, code: '' }).toString();
        const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
        const answer = await visitor.raw('POST', '/console/sign-in', { headers, body });
        expect([next, answer.status, answer.headers.location]).toEqual([next, 303, lands]);
      }
    });

    test('gives one answer to an unknown name and to a wrong password', async () => {
      const wrong = await browser(current.api).signIn('salma', 'wrong');
      const unknown = await browser(current.api).signIn('nonesuch', 'wrong');
      expect(wrong.status).toBe(403);
      expect(wrong.byRole('alert')).toEqual(unknown.byRole('alert'));
      expect([...browser(current.api).cookies.keys()]).toEqual([]);
    });

    test('makes a stranger wait, and lets the person in from their own browser', async () => {
      const stranger = browser(current.api);
      let last = await stranger.signIn('salma', 'wrong');
      for (let count = 1; count < 7; count += 1) last = await stranger.signIn('salma', 'wrong');
      expect(last.status).toBe(429);
      expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
      const own = await salma.signIn('salma', PASSWORD);
      expect(own.path).not.toContain('sign-in');
    });

    test('asks an approver for a code after the password, and takes no code twice', async () => {
      const { identity, clock } = current.api.millime;
      const made = await identity.users.create({
        ...{ name: 'karim', fullName: 'Karim', roles: ['approver'], language: 'en', actor: OPERATOR, dryRun: false },
      });
      const first = browser(current.api);
      const set = await first.get('/console/welcome');
      const fields = {
        csrf: csrfOf(set),
        name: 'karim',
        code: made.code ?? '',
        password: PASSWORD,
        repeated: PASSWORD,
      };
      const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
      const done = await first.raw('POST', '/console/welcome', {
        headers,
        body: new URLSearchParams(fields).toString(),
      });
      expect(done.headers.location).toBe('/console/sign-in?set=yes');

      const enroll = await first.signIn('karim', PASSWORD);
      expect(enroll.path).toBe('/console/enroll');
      expect((await first.get('/console/me')).path).toBe('/console/enroll');
      const shown = await first.send(enroll, 'begin');
      const secret = (SECRET_OF_ENROLLMENT.exec(shown.text)?.[0] ?? '').replaceAll(' ', '');
      const refused = await first.send(shown, 'confirm', { code: '000000' });
      expect(refused.text).toContain('This code is not valid');
      const inside = await first.send(refused, 'confirm', { code: codeAt(secret, clock.now()) });
      expect(inside.path).toBe('/console?said=common%3Asaid.enrolled');

      const second = browser(current.api);
      expect((await second.signIn('karim', PASSWORD)).byRole('status')[0]).toContain('code de vérification');
      const code = codeAt(secret, clock.now() + 30_000);
      expect((await second.signIn('karim', PASSWORD, code)).path).not.toContain('sign-in');
      expect((await browser(current.api).signIn('karim', PASSWORD, code)).status).toBe(403);
    });
  });

  describe('a session', () => {
    test('ends for a copy of its cookie when the person signs out', async () => {
      const thief = browser(current.api);
      for (const [name, value] of salma.cookies) thief.cookies.set(name, value);
      const page = await thief.get('/console/me');
      expect(page.status).toBe(200);
      const body = new URLSearchParams({ csrf: csrfOf(await salma.get('/console/me')) }).toString();
      const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
      expect((await salma.raw('POST', '/console/sign-out', { headers, body })).status).toBe(303);
      expect((await thief.get('/console/me')).path).toContain('/console/sign-in');
    });

    test('ends everywhere', async () => {
      const phone = browser(current.api);
      await phone.signIn('salma', PASSWORD);
      await salma.send(await salma.get('/console/me'), 'endAll');
      expect((await phone.get('/console/me')).path).toContain('/console/sign-in');
    });

    test('ends after half an hour without use, and after twelve hours in any case', async () => {
      current.api.setClock('2026-03-02T09:29:00.000Z');
      expect((await salma.get('/console/me')).status).toBe(200);
      current.api.setClock('2026-03-02T09:58:00.000Z');
      expect((await salma.get('/console/me')).path).toBe('/console/me');
      current.api.setClock('2026-03-02T10:29:00.000Z');
      expect((await salma.get('/console/me')).path).toContain('/console/sign-in');
      const again = browser(current.api);
      await again.signIn('salma', PASSWORD);
      for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
        const at = Date.parse('2026-03-02T10:29:00.000Z') + minutes * 60_000;
        current.api.setClock(new Date(at).toISOString());
        await again.get('/console/me');
      }
      current.api.setClock('2026-03-02T22:29:01.000Z');
      expect((await again.get('/console/me')).path).toContain('/console/sign-in');
    });

    test('is refused when its cookie is sent twice', async () => {
      const token = salma.cookies.get('millime-session') ?? '';
      const headers = { Cookie: `millime-session=${token}; millime-session=other` };
      expect((await browser(current.api).raw('GET', '/console/me', { headers })).status).toBe(303);
    });

    test('changes the password, and ends the other sessions', async () => {
      const phone = browser(current.api);
      await phone.signIn('salma', PASSWORD);
      const fields = { current: PASSWORD, password: 'autre-vélo-citron', repeated: 'autre-vélo-citron' };
      const page = await salma.get('/console/me');
      const wrong = await salma.send(page, 'password', { ...fields, current: 'wrong' });
      expect(wrong.byRole('alert')[0]).toContain('Wrong password');
      const short = await salma.send(page, 'password', { ...fields, password: 'short', repeated: 'short' });
      expect(short.status).toBe(400);
      expect((await salma.send(page, 'password', fields)).byRole('status')[0]).toContain('Your password is changed');
      expect((await phone.get('/console/me')).path).toContain('/console/sign-in');
      expect((await browser(current.api).signIn('salma', 'autre-vélo-citron')).path).not.toContain('sign-in');
    });
  });

  describe('a form', () => {
    test('is refused without its token, with that of another session, and from another origin', async () => {
      const karima = await person(current.api, { name: 'karima' });
      const own = csrfOf(await salma.get('/console/me'));
      const other = csrfOf(await karima.get('/console/me'));
      const origin = `http://127.0.0.1:${current.api.port}`;
      const send = async (csrf: string, headers: Readonly<Record<string, string>>): Promise<number> => {
        const body = new URLSearchParams({ csrf, action: 'endAll', language: 'fr', next: '/console/me' }).toString();
        const sent = { headers: { 'Content-Type': FORM, ...headers }, body };
        const answers = [
          await salma.raw('POST', '/console/me', sent),
          await salma.raw('POST', '/console/language', sent),
        ];
        expect(answers[0]?.status).toBe(answers[1]?.status);
        return answers[0]?.status ?? 0;
      };
      expect(await send('', { Origin: origin })).toBe(403);
      expect(await send(other, { Origin: origin })).toBe(403);
      expect(await send(own, {})).toBe(403);
      expect(await send(own, { Origin: 'null' })).toBe(403);
      expect(await send(own, { Origin: 'https://evil.example' })).toBe(403);
      expect(await send(own, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
      expect(await send(own, { Origin: origin, 'Sec-Fetch-Site': 'same-origin' })).toBe(303);
    });
  });

  test('every page forbids frames, copies and foreign content, and is stored nowhere', async () => {
    for (const path of ['/console/sign-in', '/console/me', '/console/nonesuch']) {
      const { headers } = await salma.raw('GET', path);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]),
      );
      expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  test('cookies are for the server alone', async () => {
    const visitor = browser(current.api);
    const page = await visitor.get('/console/sign-in');
    const body = new URLSearchParams({ csrf: csrfOf(page), name: 'salma', password: PASSWORD }).toString();
    const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
    const answer = await visitor.raw('POST', '/console/sign-in', { headers, body });
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.map((each) => each.split('=')[0])).toEqual(['millime-device', 'millime-session']);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
  });

  test('S23: a request that came over plain HTTP through a proxy gets no session', async () => {
    const answer = await salma.raw('GET', '/console/me', { headers: { 'X-Forwarded-Proto': 'https' } });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('https');
    expect((await salma.raw('GET', '/console/me', { headers: { 'X-Forwarded-For': '192.0.2.1' } })).status).toBe(403);
  });

  test('a browser that asks for the root gets the console, a program gets 404', async () => {
    const stranger = browser(current.api);
    const asked = await stranger.raw('GET', '/', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([asked.status, asked.headers.location]).toEqual([303, '/console']);
    for (const Accept of ['*/*', 'application/json']) {
      const program = await stranger.raw('GET', '/', { headers: { Accept } });
      expect([program.status, JSON.parse(program.text)]).toEqual([404, { error: 'not_found' }]);
    }
    expect((await stranger.raw('POST', '/', { headers: { Accept: 'text/html' } })).status).toBe(404);
  });

  test('a person chooses the language of their pages', async () => {
    const page = await salma.get('/console/me');
    expect([page.lang, page.dir, page.heading]).toEqual(['en', 'ltr', 'My account']);
    const body = new URLSearchParams({ csrf: csrfOf(page), language: 'ar', next: '/console/me' }).toString();
    const headers = { 'Content-Type': FORM, Origin: `http://127.0.0.1:${current.api.port}` };
    await salma.raw('POST', '/console/language', { headers, body });
    const arabic = await salma.get('/console/me');
    expect([arabic.lang, arabic.dir, arabic.heading]).toEqual(['ar', 'rtl', 'حسابي']);
  });
});

describeConsole(
  'the console behind a proxy',
  (current) => {
    test('sets cookies that only TLS carries', async () => {
      const headers = { 'X-Forwarded-Proto': 'https' };
      const answer = await browser(current.api).raw('GET', '/console/sign-in', { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers['set-cookie']?.[0]).toMatch(
        /^__Host-millime-visitor=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      const plain = await browser(current.api).raw('GET', '/console/sign-in', {
        headers: { 'X-Forwarded-Proto': 'http' },
      });
      expect(plain.status).toBe(403);
    });
  },
  { environment: { TRUSTED_PROXIES: '127.0.0.1' } },
);
