import iconv from 'iconv-lite';
import { isAppError } from '../../../../src/kernel';
import type { ParsedLine } from '../../../../src/statements';
import { createMt940Reader } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';

/** A whole statement in dinars around the lines of a test. */
export function mt940(...lines: readonly string[]): string {
  return [
    ':20:STMT1',
    ':25:TN5900000000000000000001',
    ':28C:12/1',
    ':60F:C260301TND100,000',
    ...lines,
    ':62F:C260302TND100,000',
    '-',
    '',
  ].join('\r\n');
}

/** Reads a text as UTF-8. */
export function readText(text: string): ReadStatement[] {
  return readStatements(createMt940Reader({ utf8: true }), Buffer.from(text));
}

/** Reads a text whose bytes are windows-1252. */
export function readWindowsText(text: string): ReadStatement[] {
  return readStatements(createMt940Reader({ utf8: false }), iconv.encode(text, 'windows-1252'));
}

/** The only line of the only statement. */
export function lineOf(text: string): ParsedLine {
  const line = readText(text)[0]?.lines[0];
  if (line === undefined) throw new Error('no line was read');
  return line;
}

/** What is wrong, as a person sees it. */
export function faultOf(text: string): string {
  try {
    readText(text);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.join('\n');
    throw error;
  }
  throw new Error('nothing was refused');
}
