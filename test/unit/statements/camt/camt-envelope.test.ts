// Goal: a camt message inside an envelope of any kind, or beside others in a file, is read like one without, and no entry
// outside is lost unseen.
// Method: one message in envelopes of SWIFT and of banks, whole and byte by byte; then envelopes with a fault.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { createCamtReader, DEPTH_MAX } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { aMessage, anEntry, NAMESPACE } from './a-camt-message';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MESSAGE = aMessage({ declaration: '' }).trim();
const HEADER = '<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><BizMsgIdr>M</BizMsgIdr></AppHdr>';

function read(text: string): ReadStatement[] {
  const bytes = Buffer.from(text);
  const whole = readStatements(createCamtReader(), bytes);
  expect(readStatements(createCamtReader(), bytes, 1)).toEqual(whole);
  return whole;
}

function refusalOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.join('\n');
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The statements without the places and the raw texts, which an envelope moves and may prefix. */
function contentOf(statements: readonly ReadStatement[]): unknown {
  return statements.map(({ statement, lines }) => ({
    statement: { ...statement, fileLine: 0 },
    lines: lines.map((line) => ({ ...line, fileLine: 0, raw: '' })),
  }));
}

function prefixed(message: string): string {
  return message.replace(/<(\/?)(?=[A-Z])/g, '<$1d:').replace('xmlns=', 'xmlns:d=');
}

describe('a camt message', () => {
  test.each([
    ['a message of a bank', `<message>${HEADER}${MESSAGE}</message>`],
    [
      'a business message',
      `<BizMsgEnvlp xmlns="urn:iso:std:iso:20022:tech:xsd:nvlp.001.001.01">${HEADER}${MESSAGE}</BizMsgEnvlp>`,
    ],
    [
      'several elements with prefixes',
      `<s:Envelope xmlns:s="urn:s"><s:Body><x xmlns="urn:x">${MESSAGE}</x></s:Body></s:Envelope>`,
    ],
    ['a prefix of its own', `<message>${prefixed(MESSAGE)}</message>`],
    [
      'a namespace that the envelope declares',
      `<e:message xmlns:e="urn:e" xmlns="${NAMESPACE}camt.053.001.08">${MESSAGE.replace(/ xmlns="[^"]*"/, '')}</e:message>`,
    ],
    [
      'a prefix that the envelope declares',
      `<message xmlns:d="${NAMESPACE}camt.053.001.08">${prefixed(MESSAGE).replace(/ xmlns:d="[^"]*"/, '')}</message>`,
    ],
    ['text and other elements after it', `<message>text${MESSAGE}<Sgntr><a>b</a></Sgntr></message>`],
  ])('is read inside %s', (_what, text) => {
    expect(contentOf(read(DECLARATION + text))).toEqual(contentOf(read(DECLARATION + MESSAGE)));
  });

  test('is read beside others in one envelope', () => {
    const interim = aMessage({ declaration: '', message: 'camt.052.001.08' });
    const kinds = read(`<all>${MESSAGE}${interim}</all>`).map(({ statement, lines }) => [statement.kind, lines.length]);
    expect(kinds).toEqual([
      ['statement', 1],
      ['interim', 1],
    ]);
  });

  test.each([
    ['a line end', '\n'],
    ['nothing', ''],
    ['a byte order mark', '\r\n\ufeff'],
    ['comments and an instruction', '<!-- <a>\n --><?next?><!---->'],
  ])('is read before another document of the file, with %s between', (_what, between) => {
    const other = aMessage({ message: 'camt.052.001.02', entries: anEntry() + anEntry() });
    const file = `\n${DECLARATION}${MESSAGE}${between}${other}${between}`;
    expect(contentOf(read(file))).toEqual(contentOf([...read(DECLARATION + MESSAGE), ...read(other)]));
    const lineEnds = `${DECLARATION}${between}`.split('\n').length;
    const first = read(`\n${MESSAGE}`)[0]?.lines[0]?.fileLine ?? 0;
    expect(read(file)[1]?.lines[0]?.fileLine).toBe(first + MESSAGE.split('\n').length + lineEnds - 1);
    expect(read(file)[1]?.lines[1]?.raw).toBe(anEntry());
  });

  test('does not lend its day to the next document of the file', () => {
    const undated = aMessage({ entries: anEntry({ dates: '' }) }).replace(/<CreDtTm>.*<\/CreDtTm>/, '');
    expect(refusalOf(aMessage() + undated)).toContain('line 16: expected an entry with BookgDt');
  });

  test.each([
    [
      'no message',
      `<message>${HEADER}</message>`,
      'expected a statement, got none inside a Document of camt.052, .053 or .054',
    ],
    [
      'another message',
      `<message>${MESSAGE.replace('camt.053.001.08', 'pain.001.001.03')}</message>`,
      'expected camt.052, .053 or .054, got pain.001.001.03',
    ],
    [
      'a message of an unknown version',
      `<message>${MESSAGE.replace('001.08', '001.99')}</message>`,
      'expected a version from 01 to 13',
    ],
    [
      'a Document of another kind',
      `<message><Document xmlns="urn:other"/>${MESSAGE}</message>`,
      'expected the namespace of camt.052, .053 or .054, got "urn:other"',
    ],
    [
      'an entry outside the message',
      `<message>${MESSAGE}${anEntry()}</message>`,
      'expected "Ntry" only inside the element Document, got one in "message"',
    ],
    [
      'a statement without a Document',
      `<message>${MESSAGE.replaceAll('Document', 'Letter')}</message>`,
      'expected "Stmt" only inside the element Document, got one in "message/Letter/BkToCstmrStmt"',
    ],
    [
      'elements inside each other without end',
      '<a>'.repeat(DEPTH_MAX + 1),
      `expected at most ${DEPTH_MAX} elements inside each other`,
    ],
    ['a message that is cut off', `<message>${MESSAGE}`, 'expected well-formed XML'],
  ])('is refused in an envelope with %s', (_what, text, fault) => {
    expect(refusalOf(DECLARATION + text)).toContain(fault);
  });
});
