import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { markup, page, PAGE_POLICY, table } from '../../../../src/simulator/control/html';

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
