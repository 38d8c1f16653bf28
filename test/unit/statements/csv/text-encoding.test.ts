// Goal: a UTF-8 file is read unchanged, even if the bank lost a letter before it wrote the file.
// Method: the bytes of U+FFFD and of a C1 control in a line's text, as UTF-8 and as other encodings.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { bankFileOfBytes } from '../../../../src/statements';
import { decodeText } from '../../../../src/statements/reading/decode-text';
import { proposeProfile, scanBankFile, WHOLE_FILE_BYTES_MAX } from '../../../../src/statements/testing';
import { aProfile, HEADER, readRows, refusalOf } from './a-profile';

test.each([
  ['U+FFFD', 'D\ufffdP\ufffdT', 'D\ufffdP\ufffdT'],
  ['a C1 control, which becomes a blank', 'L\u0092ORDRE', 'L ORDRE'],
])('reads a text with %s', (_what, written, remittance) => {
  const found = readRows([HEADER, `02/03/2026;${written};;1,500;1,500`], aProfile());
  expect(found.lines[0]?.remittance).toBe(remittance);
  expect(found.lines[0]?.raw).toContain(written);
});

test('proposes a profile for a text with U+FFFD', () => {
  const text = `Date;Libellé;Montant;Devise\n13/03/2026;D\ufffdP\u0092T;1,50;EUR\n`;
  expect(proposeProfile(Buffer.from(text)).profile.encoding).toBe('utf-8');
});

describe('a text that no profile reads', () => {
  const text = 'Date opération;Libellé;Débit;Crédit\r\n13/03/2026;RETRAIT À TUNIS;1,500;\r\n';

  test('is refused with the line of a byte that UTF-8 lacks', () => {
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0x32, 0xe9])]);
    const refused = refusalOf(() => proposeProfile(bytes));
    expect(refused).toContain('its text cannot be read; nothing was stored; save it as UTF-8');
    expect(refused).toContain('line 3: expected utf-8, got other bytes');
  });

  test.each([
    ['without', text.replace('À', 'A'), 'windows-1252; if its letters are wrong, save it as UTF-8'],
    ['with', `${text}\u00c9`, 'save it as UTF-8'],
  ])('is refused with the way on if it is cp850 %s bytes that no guess has', (_how, written, message) => {
    expect(refusalOf(() => proposeProfile(cp850(written)))).toContain(message);
  });

  test('is refused without a word about its encoding if that is certain', () => {
    const refused = refusalOf(() => proposeProfile(Buffer.from(text.replace('Date opération', 'Quand'))));
    expect(refused).toContain('put it into ./data/statement-profiles.json');
    expect(refused).not.toContain('UTF-8');
  });
});

function cp850(text: string): Buffer {
  return iconv.encode(text, 'cp850');
}

test('refuses a NUL with its line', () => {
  expect(refusalOf(() => readRows([HEADER, '02/03/2026;A\0;;1,500;'], aProfile()))).toContain(
    'line 2: expected text, got a NUL',
  );
});

test.each([
  ['below a U+FFFD', Buffer.concat([Buffer.from('\ufffd\r\nb\rc\n'), Buffer.from([0xc3, 0x0a])]), 4],
  ['cut off at the end', Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xef, 0xbf])]), 2],
  ['behind a byte order mark', Buffer.concat([Buffer.from('\ufeffa\nb\n'), Buffer.from([0xff])]), 3],
])('refuses bytes that are not UTF-8 with their line: %s', (_what, bytes, line) => {
  expect(decodeText(bytes, 'utf-8')).toEqual({ ok: false, fault: `line ${line}: expected utf-8, got other bytes` });
});

test('refuses an ISO 8859 control character, because the encoding is another', () => {
  expect(decodeText(Buffer.from([0x41, 0x92]), 'iso-8859-1')).toMatchObject({ ok: false });
});

function scan(bytes: Buffer): unknown {
  return scanBankFile(bankFileOfBytes('bank.csv', bytes), { format: 'auto' }, []);
}

function refusal(line: number): unknown {
  return expect.objectContaining({
    code: 'bad_input',
    message: 'bank.csv: has faults; nothing was stored',
    details: [`line ${line}: expected text, got a NUL`],
  });
}

describe('a file of an unknown format', () => {
  const csv = 'Date;Montant\r\n01/03/2026;12,500\r\n';

  test.each([
    ['is of an unknown kind', Buffer.from('MZ\u0090\0\u0003', 'latin1'), 1],
    ['was filled up behind its end', Buffer.from(`${csv}${'\0'.repeat(500)}`), 3],
    ['is larger than what is read as a whole', Buffer.alloc(WHOLE_FILE_BYTES_MAX + 1, 'a\0'), 1],
  ])('is refused because of its NUL if it %s', (_what, bytes, line) => {
    expect(() => scan(bytes)).toThrow(refusal(line));
  });

  test.each([
    ['a damaged archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0\u0008\0', 'latin1')],
    ['an archive', gzipSync(csv)],
  ])('is refused by its kind if it is %s', (kind, bytes) => {
    expect(() => scan(bytes)).toThrow(`got ${kind}`);
  });

  test('is not refused for the zero bytes of UTF-16', () => {
    const message = expect.not.stringContaining('NUL');
    expect(() => scan(Buffer.from('\ufeffhello', 'utf16le'))).toThrow(expect.objectContaining({ message }));
  });
});
