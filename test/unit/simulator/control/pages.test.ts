import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { markup, page, PAGE_POLICY, table } from '../../../../src/simulator/control/html';
import { isOwnHost, isOwnOrigin } from '../../../../src/simulator/control/own-host';

const ATTACK = `<script>alert("x")</script>&'`;
const HARMLESS = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;';

describe('A page', () => {
  test('escapes text in every position', () => {
    const text = page(ATTACK, markup`<p title="${ATTACK}">${ATTACK}</p>${table([ATTACK], [[ATTACK, 7]])}`);
    expect(text).not.toContain('<script');
    expect(text.split(HARMLESS)).toHaveLength(7);
  });

  test('inserts markup unchanged', () => {
    expect(markup`<ul>${[markup`<li>${1}</li>`, markup`<li>${'<'}</li>`]}</ul>`.text).toBe(
      '<ul><li>1</li><li>&lt;</li></ul>',
    );
  });

  test("has one style, and its security policy contains the style's digest", () => {
    const styles = [...page('t', markup``).matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    expect(styles).toHaveLength(1);
    const digest = createHash('sha256').update(styles.join('')).digest('base64');
    expect(PAGE_POLICY).toContain(`style-src 'sha256-${digest}'`);
    expect(PAGE_POLICY).toContain("default-src 'none'");
  });

  test('shows "none" in place of an empty table', () => {
    expect(table(['a'], []).text).toBe('<p>none</p>');
  });
});

describe('The Host header', () => {
  test.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:9090',
    '10.1.2.3:80',
    'localhost:9090',
    'LOCALHOST',
    'a.localhost',
    '[::1]:9090',
    '[::1]',
    'simulator:9090',
    'Simulator',
  ])('%s is accepted as this machine', (header) => {
    expect(isOwnHost(header, 'simulator')).toBe(true);
  });

  test.each([
    'evil.example',
    'evil.example:9090',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    'x:y',
    '[x]',
  ])('%j is refused as another machine', (header) => {
    expect(isOwnHost(header, 'simulator')).toBe(false);
  });
});

describe('The Origin header', () => {
  test.each([
    [undefined, '127.0.0.1:9090'],
    ['http://127.0.0.1:9090', '127.0.0.1:9090'],
    ['http://localhost:9090', 'LocalHost:9090'],
  ])('%s at %s is accepted as the page itself or no page', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(true);
  });

  test.each([
    ['http://evil.example', '127.0.0.1:9090'],
    ['http://127.0.0.1:3000', '127.0.0.1:9090'],
    ['null', '127.0.0.1:9090'],
    ['', '127.0.0.1:9090'],
    ['http://127.0.0.1:9090', undefined],
  ])('%s at %s is refused as another page', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(false);
  });
});
