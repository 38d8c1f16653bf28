import { AppError } from '../kernel';
import { readInputFile } from './command';
import { t } from './language';

/** Far above any webhook, whose body has at most 1 MiB. */
const INPUT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads a file, or standard input for `-`.
 * @throws AppError `bad_input` if it cannot be read or is larger than 4 MiB.
 */
export async function readFileOrStdin(
  path: string,
  input: AsyncIterable<Buffer | string> = process.stdin,
): Promise<Buffer> {
  if (path !== '-') return limited(readInputFile(path), path);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > INPUT_BYTES_MAX) break;
    chunks.push(bytes);
  }
  if (length > INPUT_BYTES_MAX) throw tooLarge(t('cli:error.standardInput'));
  return Buffer.concat(chunks);
}

function limited(bytes: Buffer, path: string): Buffer {
  if (bytes.length > INPUT_BYTES_MAX) throw tooLarge(path);
  return bytes;
}

function tooLarge(what: string): AppError {
  return new AppError('bad_input', { field: what, expected: 'at most 4 MiB' });
}
