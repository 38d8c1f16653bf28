// Goal: what may be MT940 goes to its reader, and no other file does.
import { describe, expect, test } from '@jest/globals';
import { looksLikeMt940 } from '../../../../src/statements/reading/mt940/looks-like-mt940';
import { mt940 } from './mt940-text';

describe('what looks like MT940', () => {
  test.each([
    ['a message', mt940()],
    ['a message behind lines of the bank', `BANKTNTT\r\n940\r\n${mt940()}`],
    ['an envelope', '{1:F01BANKTNTTAXXX0000000000}{2:I940BANKTNTTXXXXN}{4:\n'],
    ['an envelope behind a control character', '\u0001{1:F01BANKTNTTAXXX0000000000}'],
    ['a bare line', ':61:260302D1,00NTRF'],
    ['a bare line with CR alone', 'x\r:61:260302D1,00NTRF'],
    ['a byte order mark', `\u00ef\u00bb\u00bf${mt940()}`],
    ['UTF-16', Buffer.from(`\ufeff${mt940()}`, 'utf16le').toString('latin1')],
  ])('is %s', (_what, head) => {
    expect(looksLikeMt940(head)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['XML', '<?xml version="1.0"?>\n<Document>\n:61:\n'],
    ['OFX', 'OFXHEADER:100\n:20:\n'],
    ['CSV', 'Date;Amount\n02/03/2026;1:20:30\n'],
    ['bytes with NUL', '\0\n:61:260302'],
    ['JSON', '{"1":":20:"}'],
  ])('is not %s', (_what, head) => {
    expect(looksLikeMt940(head)).toBe(false);
  });
});
