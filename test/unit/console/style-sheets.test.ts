// Goal: nothing on a page lost its look, and no rule outlived what it was for.
// Method: the class names that the sources of the pages write, and those that the style sheets name. A name that the
// program puts together, as `ink3`, begins with a written one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '../../..');
const ATTRIBUTE = /\b(?:class|rowClass)=(?:"([^"]*)"|\{((?:[^{}]|\{[^}]*\})*)\})/g;
/** What an expression may result in, and the beginning of a template. */
const RESULT = /(?:^|[?:] )['`]([\w -]+)/g;

const textOf = (folder: string, name: RegExp): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .join('\n');

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, group = '']) => group);

const pages = textOf('src/console', /\.tsx$/);
const sheets = textOf('assets/console', /\.css$/).replaceAll(/\/\*.*?\*\//gs, '');
const ruled = new Set(found(sheets, /\.([a-z][\w-]*)/g));

test('the style sheets have a rule for each class of a page', () => {
  const used = [...pages.matchAll(ATTRIBUTE)].flatMap(([, text, code = '']) => text ?? found(code, RESULT));
  const names = new Set(used.flatMap((text) => text.trim().split(/ +/)));
  expect(names.size).toBeGreaterThan(100);
  expect([...names].filter((name) => !ruled.has(name))).toEqual([]);
});

test('the style sheets have no rule for a class that no page or plot writes', () => {
  const written = pages + textOf('src/reporting', /\.tsx?$/) + textOf('assets/console', /\.js$/);
  const words = new Set(found(written, /(?<=['"` ])([a-z][\w-]*?)\d*(?=['"` $])/g));
  expect([...ruled].filter((name) => !words.has(name.replace(/\d+$/, '')))).toEqual([]);
});
