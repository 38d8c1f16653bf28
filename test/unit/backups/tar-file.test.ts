import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { appendTarEntry, endTar, listTarEntries, readTarEntry, tarHeader } from '../../../src/backups/tar-file';

const folder = mkdtempSync(join(tmpdir(), 'tar-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GIB = 1024 ** 3;

async function tarOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, name);
  const file = await open(path, 'wx');
  for (const [entry, text] of Object.entries(files)) {
    await appendTarEntry(file, entry, Buffer.byteLength(text), [Buffer.from(text)]);
  }
  await endTar(file);
  await file.close();
  return path;
}

describe('a tar file', () => {
  test('is read by the tar of the system and by Millime', async () => {
    const texts = { 'a.json': '{}\n', empty: '', 'b.txt': 'é'.repeat(256) };
    const path = await tarOf('plain.tar', texts);
    expect(execFileSync('tar', ['-tf', path], { encoding: 'utf8' })).toBe('a.json\nempty\nb.txt\n');
    expect(execFileSync('tar', ['-xOf', path, 'b.txt'], { encoding: 'utf8' })).toBe(texts['b.txt']);
    const file = await open(path);
    const read: Record<string, string> = {};
    for (const entry of (await listTarEntries(file, 3)) ?? []) {
      const chunks: Buffer[] = [];
      for await (const chunk of readTarEntry(file, entry)) chunks.push(chunk);
      read[entry.name] = Buffer.concat(chunks).toString('utf8');
    }
    await file.close();
    expect(read).toEqual(texts);
  });

  test('may contain more than 8 GiB, in the form of GNU tar', async () => {
    const path = join(folder, 'large.tar');
    const file = await open(path, 'wx+');
    await file.appendFile(tarHeader('large', 9 * GIB));
    await file.truncate(512 + 9 * GIB + 1024); // zeros that take no space
    expect(await listTarEntries(file, 1)).toEqual([{ name: 'large', size: 9 * GIB, offset: 512 }]);
    await file.close();
    expect(execFileSync('tar', ['-tvf', path], { encoding: 'utf8' })).toContain(` ${9 * GIB} `);
  });

  test('is not listed if it is shortened, has a changed header, or has more files than allowed', async () => {
    const path = await tarOf('faulty.tar', { a: 'a', b: 'b' });
    const file = await open(path, 'r+');
    expect(await listTarEntries(file, 1)).toBeUndefined();
    await file.write('c', 0);
    expect(await listTarEntries(file, 2)).toBeUndefined();
    await file.write('a', 0);
    expect(await listTarEntries(file, 2)).toHaveLength(2);
    await file.truncate(1_024);
    expect(await listTarEntries(file, 2)).toBeUndefined();
    await file.close();
  });

  test('fails if a file has another size than stated', async () => {
    const file = await open(join(folder, 'size.tar'), 'wx');
    await expect(appendTarEntry(file, 'a', 2, [Buffer.from('a')])).rejects.toThrow('changed while it was packed');
    await file.close();
  });
});
