import { describe, expect, test } from '@jest/globals';
import { looksLikeXml } from '../../../../src/statements/reading/camt/looks-like-xml';
import { aMessage } from './a-camt-message';

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
