import { describe, expect, test } from '@jest/globals';
import { looksLikeXml } from '../../../src/statements/reading/camt/looks-like-xml';
import { looksLikeMt940 } from '../../../src/statements/reading/mt940/looks-like-mt940';
import { aMessage } from './camt/a-camt-message';
import { mt940 } from './mt940/mt940-text';

const head = (bytes: Buffer): string => bytes.toString('latin1');

describe('looksLikeXml', () => {
  test.each([
    ['a declaration', aMessage()],
    ['a declaration after a mark', head(Buffer.from(`\ufeff${aMessage()}`))],
    ['UTF-16 with a mark', head(Buffer.from(`\ufeff${aMessage()}`, 'utf16le'))],
    ['UTF-16 without a mark', head(Buffer.from(aMessage(), 'utf16le').swap16())],
    ['an element', '\n<Document xmlns="urn:x">'],
    ['an element with a prefix', '<ns2:Document xmlns:ns2="urn:x">'],
    ['a comment', '<!-- made by the bank --><Document/>'],
    ['a document type, which is refused with a reason later', '<!DOCTYPE a []><a/>'],
  ])('is true for %s', (_name, text) => {
    expect(looksLikeXml(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['MT940', ':20:1\n:25:123'],
    ['CSV', 'Date;Libellé;Montant\n'],
    ['CSV with a mark of less', '<5;a\n'],
    ['OFX 1', 'OFXHEADER:100\nDATA:OFXSGML\n<OFX>'],
  ])('is false for %s', (_name, text) => {
    expect(looksLikeXml(text)).toBe(false);
  });
});

describe('looksLikeMt940', () => {
  test.each([
    ['a message', mt940()],
    ['a message behind lines of the bank', `BANKTNTT\r\n940\r\n${mt940()}`],
    ['an envelope', '{1:F01BANKTNTTAXXX0000000000}{2:I940BANKTNTTXXXXN}{4:\n'],
    ['an envelope behind a control character', '\u0001{1:F01BANKTNTTAXXX0000000000}'],
    ['a bare line', ':61:260302D1,00NTRF'],
    ['a bare line with CR alone', 'x\r:61:260302D1,00NTRF'],
    ['a message in one line', mt940().replaceAll('\r\n', '@@')],
    ['a message in one line behind words of the bank', `BANKTNTT@@940@@${mt940().replaceAll('\r\n', '@@')}`],
    ['a byte order mark', `\u00ef\u00bb\u00bf${mt940()}`],
    ['UTF-16', Buffer.from(`\ufeff${mt940()}`, 'utf16le').toString('latin1')],
  ])('is true for %s', (_what, head) => {
    expect(looksLikeMt940(head)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['XML', '<?xml version="1.0"?>\n<Document>\n:61:\n'],
    ['OFX', 'OFXHEADER:100\n:20:\n'],
    ['CSV', 'Date;Amount\n02/03/2026;1:20:30\n'],
    ['CSV with the end of a line and a tag in a text', 'Date;Text\n02/03/2026;@@:62F:\n'],
    ['bytes with NUL', '\0\n:61:260302'],
    ['JSON', '{"1":":20:"}'],
  ])('is false for %s', (_what, head) => {
    expect(looksLikeMt940(head)).toBe(false);
  });
});
