// Goal: a text of a stranger takes time by its characters, never by their square: no small file or header occupies a
// process. The linter proves it of the patterns in the sources (eslint.config.mjs).
// Method: texts against patterns that were slow once, four times as long each; and the linter's rules on the patterns
// that sources build from texts.
import { spawnSync } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { readBody } from '../../src/http';
import { csvLine, PACKAGE_ROOT } from '../../src/kernel';
import { bankFileOfBytes } from '../../src/statements';
import { ACCOUNT_LABELS, BALANCE_ROW_LABELS, KNOWN_LABELS } from '../../src/statements/reading/csv/known-labels';
import { loadProfiles } from '../../src/statements/reading/load-profiles';
import { scanBankFile } from '../../src/statements/testing';
import { textsOf } from '../../src/texts';
import { alternativeContents } from '../../src/webhooks/alternative-contents';
import { parsePastedRequest } from '../../src/webhooks/pasted-request';
import { SHIPPED_PROFILES_FILE } from '../fixtures/statements/statement-bytes';
import { xlsxFile } from '../support/xlsx-file';
import { BALANCED_FILES, OFX_FILE } from './statements/balanced-files';

const LENGTH = 16_000;
/** Four times the length: work by characters takes four times as long, work by their square sixteen times. */
const TIMES = 4;
const GROWTH_MAX = 8;
/** Less than this is noise. */
const FLOOR_MS = 15;
/** A pattern that never ends listens to no timer of the test. */
const END_MS = 30_000;

const PROFILES = loadProfiles(SHIPPED_PROFILES_FILE);

/** Returns the CPU that work takes at least, in ms. */
function cpuOf(work: () => unknown): number {
  const context = createContext({ work });
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    runInContext('work()', context, { timeout: END_MS });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.max(Math.min(...times), FLOOR_MS);
}

function read(bytes: Buffer): string {
  try {
    return String(scanBankFile(bankFileOfBytes('file', bytes), { format: 'auto' }, PROFILES).statements.length);
  } catch (error) {
    return String(error);
  }
}

const fileOf = (name: string): string => BALANCED_FILES.find((file) => file.name === name)?.text ?? '';
const sheetOf = (content: string): Buffer => xlsxFile({ sheets: [{ rows: [['RIB', { content }]] }] });
const pasted = (header: string): unknown => parsePastedRequest(Buffer.from(`POST /webhooks/payment\n${header}\n\n{}`));

describe('no more than time by its characters takes', () => {
  test.each<[string, (length: number) => unknown]>([
    ['a number of a workbook', (length) => read(sheetOf(`<v>${'1'.repeat(length)}x</v>`))],
    [
      'the path of a part of a workbook',
      (length) => {
        const relation = `<Relationship Id="a" Type="x" Target="${'../'.repeat(length)}"/>`;
        const parts = { 'xl/_rels/workbook.xml.rels': `<Relationships>${relation}</Relationships>` };
        return read(xlsxFile({ sheets: [{ rows: [['x']] }], parts }));
      },
    ],
    [
      'a balance inside its label',
      (length) =>
        read(
          Buffer.from(fileOf('CSV without a profile').replace('Solde final;', `Solde final:${'1'.repeat(length)}:`)),
        ),
    ],
    ['comments before a bank file', (length) => read(Buffer.from('<!-- -->'.repeat(length / 8) + OFX_FILE.toString()))],
    [
      'the charset of an HTML page',
      (length) => {
        const head = `<html><meta charset=${' '.repeat(Math.min(length, 63_000))}`;
        return read(Buffer.concat([Buffer.from(head), Buffer.of(0xe9), Buffer.from(fileOf('HTML table'))]));
      },
    ],
    [
      'an amount of MT940',
      (length) => read(Buffer.from(fileOf('MT940').replace('C1250,500', `C${'1'.repeat(length)},1,`))),
    ],
    ['a text in an export', (length) => csvLine(['\t'.repeat(length)])],
    ['a header of a pasted request', (length) => pasted(`a:b${' '.repeat(length)}b`)],
    [
      'a body of a pasted request',
      (length) =>
        alternativeContents({
          ...{ family: 'payment', method: 'POST', target: '/', headers: {}, bodyBytes: undefined },
          rawBody: Buffer.from(`${'\n'.repeat(length)}x`),
        }),
    ],
    [
      'a sentence with many likenesses to phrases',
      (length) => textsOf('fr', 'UTC').sentence(`x${', got '.repeat(length / 6)}!`),
    ],
  ])('%s', (_name, work) => {
    const short = cpuOf(() => work(LENGTH));
    expect(cpuOf(() => work(TIMES * LENGTH)) / short).toBeLessThan(GROWTH_MAX);
  });
});

test('a body in pieces of one byte is copied a few times', async () => {
  let copied = 0;
  const spy = jest.spyOn(Buffer, 'concat').mockImplementation((pieces) => {
    const bytes = pieces.flatMap((piece) => [...piece]);
    copied += bytes.length;
    return Buffer.from(bytes);
  });
  try {
    const body = Readable.from(Array.from({ length: LENGTH }, () => Buffer.of(120)));
    const request = Object.assign(body, { headers: { 'transfer-encoding': 'chunked' } }) as unknown as IncomingMessage;
    expect((await readBody(request, {} as ServerResponse, LENGTH))?.length).toBe(LENGTH);
  } finally {
    spy.mockRestore();
  }
  expect(copied).toBeLessThan(TIMES * LENGTH);
});

/** Prints what the linter finds in patterns. Its rules are an ES module, which the tests cannot load. */
const LINT = `
import { readFileSync } from 'node:fs';
import { Linter } from 'eslint';
import * as regexp from 'eslint-plugin-regexp';
import config from './eslint.config.mjs';
const { rules } = config.find(({ plugins }) => plugins?.regexp !== undefined);
const faults = JSON.parse(readFileSync(0, 'utf8')).flatMap((source) =>
  new Linter()
    .verify('"".replace(new RegExp(' + JSON.stringify(source) + ', "iu"), "");', { plugins: { regexp }, rules })
    .map(({ message }) => source + ': ' + message),
);
console.log(JSON.stringify(faults));
`;

function slowPatterns(sources: readonly string[]): unknown {
  const options = { cwd: PACKAGE_ROOT, input: JSON.stringify(sources), encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LINT], options);
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

test('the patterns of labels and of shipped profiles are not slow', () => {
  expect(slowPatterns(['^a+a+$'])).toHaveLength(1);
  const shipped: string[] = [];
  JSON.stringify(PROFILES, (_name, value: unknown) => (value instanceof RegExp ? shipped.push(value.source) : value));
  expect(shipped.length).toBeGreaterThan(3);
  const sources = [...Object.values(KNOWN_LABELS), ...BALANCE_ROW_LABELS, ...ACCOUNT_LABELS, ...shipped];
  expect(slowPatterns(sources)).toEqual([]);
});
