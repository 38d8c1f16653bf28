import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = join(__dirname, '../../..');

/** The folders that hold documents. */
const FOLDERS = ['docs', 'scripts', 'src', 'test'];

const FILES = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
].filter((file) => file.endsWith('.md'));

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** Returns the anchors of a file's headings, as a Markdown viewer makes them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
  const anchors = new Set<string>();
  for (const heading of headings) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns the relative links of a file that lead to no file or heading. */
function brokenLinks(file: string): string[] {
  const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

describe('the documents', () => {
  test.each(FILES)('link only to files and headings that exist: %s', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  test('keep the README within 120 lines', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });
});
