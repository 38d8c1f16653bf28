// Goal: no text of the API tells its reader to type a command, an option or a variable of the command line, and the
// command line still does.
// Method: every problem and every obstacle from sample parameters, the texts in the sources, and the OpenAPI document.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { faultBody, problemStatuses, problemType } from '../../../src/api/operation/problem';
import { AppError, businessDate, noticeLine, PACKAGE_ROOT, type ProblemCode } from '../../../src/kernel';
import { type ObstacleCode, obstacleOf } from '../../../src/reconciliation/testing';
import { commandsIn } from '../../support/command-text';
import { SAMPLE_OBSTACLES, SAMPLE_PROBLEMS } from './sample-problems';

const SOURCES = join(PACKAGE_ROOT, 'src');
/** Modules whose texts only people on the command line read. */
const NOT_OF_THE_API = /^(cli|demo|simulator|backups|config)\//;
const PARTS_OF_TEXTS = new Set([
  'fix',
  'fault',
  'expected',
  'text',
  'detail',
  'description',
  'summary',
  'reason',
  'why',
]);

test.each(Object.keys(SAMPLE_PROBLEMS) as ProblemCode[])('%s has commands only for the command line', (code) => {
  for (const params of SAMPLE_PROBLEMS[code] as readonly never[]) {
    const fault = { text: 'line 1: wrong', command: 'run "millime doctor"' };
    const error = new AppError(code, params, { details: [fault] });
    expect(commandsIn(faultBody(error))).toEqual([]);
    expect(commandsIn(error.message).length > 0).toBe(error.notice.command !== undefined);
    expect(error.details).toEqual(['line 1: wrong; run "millime doctor"']);
  }
});

test.each(Object.keys(SAMPLE_OBSTACLES) as ObstacleCode[])('the obstacle %s has its code and a sentence', (code) => {
  const params = SAMPLE_OBSTACLES[code];
  const obstacle = obstacleOf(code, params as never);
  const body = faultBody(
    new AppError('day_not_closable', { date: businessDate('2026-03-02') }, { details: [obstacle] }),
  );
  expect(body['errors']).toEqual([{ code, params, detail: obstacle.text }]);
  expect(commandsIn(body)).toEqual([]);
  expect(commandsIn(noticeLine(obstacle)).length > 0).toBe(obstacle.command !== undefined);
});

test('the titles of all problems have none', () => {
  expect(commandsIn([...problemStatuses().keys()].map((code) => problemType(code)))).toEqual([]);
});

test('the OpenAPI document has none', () => {
  expect(commandsIn(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'docs/openapi.json'), 'utf8')))).toEqual([]);
});

describe('the sources', () => {
  test('state commands apart from faults and from what every reader can do', () => {
    expect(textsWithCommands('const fault = { fix: `run "millime ${name}"`, command: "--x" };', 'x.ts')).toEqual([
      'x.ts:1 fix',
    ]);
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const read = files.filter((path) => !NOT_OF_THE_API.test(path));
    expect(read.length).toBeGreaterThan(500);
    expect(read.flatMap((path) => textsWithCommands(readFileSync(join(SOURCES, path), 'utf8'), path))).toEqual([]);
  });
});

/** Returns the properties of a file that are a part of a text and contain a command. */
function textsWithCommands(source: string, path: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && PARTS_OF_TEXTS.has(node.name.getText(file))) {
      const text = node.initializer.getText(file);
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      if (commandsIn(text).length > 0) found.push(`${path}:${line} ${node.name.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
