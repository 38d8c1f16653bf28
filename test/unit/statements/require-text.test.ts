import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { bankFileOfBytes } from '../../../src/statements';
import { scanBankFile, WHOLE_FILE_BYTES_MAX } from '../../../src/statements/testing';

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

describe('a file that is no format we know', () => {
  const csv = 'Date;Montant\r\n01/03/2026;12,500\r\n';

  test.each([
    ['is an archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0\u0008\0', 'latin1'), 1],
    ['is compressed', gzipSync(csv), 1],
    ['was filled up behind its end', Buffer.from(`${csv}${'\0'.repeat(500)}`), 3],
    ['is larger than what is read as a whole', Buffer.alloc(WHOLE_FILE_BYTES_MAX + 1, 'a\0'), 1],
  ])('and that %s is refused because of its NUL', (_what, bytes, line) => {
    expect(() => scan(bytes)).toThrow(refusal(line));
  });

  test('is not refused for the zeros of UTF-16', () => {
    const message = expect.not.stringContaining('NUL');
    expect(() => scan(Buffer.from('\ufeffhello', 'utf16le'))).toThrow(expect.objectContaining({ message }));
  });
});
