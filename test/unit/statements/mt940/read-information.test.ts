// Goal: payer, purpose and reference are read from :86:, however the bank structures it.
import { describe, expect, test } from '@jest/globals';
import type { Information } from '../../../../src/statements/reading/mt940/information';
import { readInformation } from '../../../../src/statements/reading/mt940/read-information';

const NOTHING: Information = { counterparty: '', counterpartyAccount: '', remittance: '', endToEndId: '' };

describe('numbered parts of :86:', () => {
  test('have a name, an account, a text and the SEPA fields', () => {
    const lines = [
      '166?00GUTSCHRIFT?20EREF+PAY-1?21KREF+X?22SVWZ+INVOICE 7',
      ' OF MAY?30BANKTNTT?31TN59?32LA BOUT',
      'IQUE?33 SARL',
    ];
    expect(readInformation(lines)).toEqual({
      counterparty: 'LA BOUTIQUE SARL',
      counterpartyAccount: 'TN59',
      remittance: 'INVOICE 7 OF MAY',
      endToEndId: 'PAY-1',
    });
  });

  test.each(['?', '>', '~', '@'])('are separated by %s', (separator) => {
    const text = '008?00X?20RENT?31123?32OWNER'.replaceAll('?', separator);
    expect(readInformation([text])).toEqual({
      counterparty: 'OWNER',
      counterpartyAccount: '123',
      remittance: 'RENT',
      endToEndId: '',
    });
  });

  test('are joined with a space unless they are full', () => {
    expect(readInformation([`008?00X?20${'A'.repeat(27)}?21B?60C`]).remittance).toBe(`${'A'.repeat(27)}B C`);
  });

  test('may contain the separator as a character', () => {
    expect(readInformation(['008?00X?20WHY? NOW?21YES']).remittance).toBe('WHY ? NOW YES');
  });

  test('have no end-to-end id if it is NOTPROVIDED', () => {
    expect(readInformation(['166?20EREF+NOTPROVIDED?21SVWZ+A']).endToEndId).toBe('');
  });
});

describe('slash-separated parts of :86:', () => {
  test('have a name, an account, a text and a reference', () => {
    const lines = ['/TRTP/TRANSFER/IBAN/TN59/BIC/BANKTNTT/NAME/LA BOUT', 'IQUE/REMI/INVOICE 7/EREF/PAY-1'];
    expect(readInformation(lines)).toEqual({
      counterparty: 'LA BOUTIQUE',
      counterpartyAccount: 'TN59',
      remittance: 'INVOICE 7',
      endToEndId: 'PAY-1',
    });
  });

  test('may be empty, and end with slashes', () => {
    expect(readInformation(['/EREF/A1//CNTP/TN59/BANKTNTT/OWNER///REMI/USTD//RENT//PURP/OTHR/'])).toEqual({
      counterparty: 'OWNER',
      counterpartyAccount: 'TN59',
      remittance: 'RENT',
      endToEndId: 'A1',
    });
    expect(readInformation(['/BENM//NAME/OWNER/REMI//ISDT/2026-03-02']).counterparty).toBe('OWNER');
  });

  test('are text inside a free text', () => {
    expect(readInformation(['SEE /NAME/X'])).toEqual({ ...NOTHING, remittance: 'SEE /NAME/X' });
  });
});

describe('a free text in :86:', () => {
  test('has its SEPA fields', () => {
    expect(readInformation(['EREF+PAY-1 SVWZ+RENT ABWA+OWNER'])).toEqual({
      counterparty: 'OWNER',
      counterpartyAccount: '',
      remittance: 'RENT',
      endToEndId: 'PAY-1',
    });
  });

  test('is complete, with full lines joined without a space', () => {
    expect(readInformation(['A'.repeat(65), 'B   C', 'D']).remittance).toBe(`${'A'.repeat(65)}B C D`);
  });

  test('is empty if the field is empty', () => {
    expect(readInformation([])).toEqual(NOTHING);
  });
});
