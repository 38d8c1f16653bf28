import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { outputTo, refuseUnlessWritable, writeWholeFile } from '../../../src/cli/export-output';

describe('an export to a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millime-export-'));
    path = join(folder, 'books.journal');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('creates the file when it is complete, readable only by its owner', async () => {
    await writeWholeFile(path, async (write) => {
      await write('one\n');
      expect(readdirSync(folder)).not.toContain('books.journal');
      await write('two\n');
    });
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['books.journal']);
  });

  test('writes the file although a killed process with the same id left a part', async () => {
    writeFileSync(`${path}.${process.pid}.part`, 'half');
    await writeWholeFile(path, (write) => write('whole\n'));
    expect(readFileSync(path, 'utf8')).toBe('whole\n');
    expect(readdirSync(folder)).toEqual(['books.journal']);
  });

  test('keeps the old file if the new one is incomplete', async () => {
    writeFileSync(path, 'old\n');
    const work = writeWholeFile(path, async (write) => {
      await write('half');
      throw new Error('lost');
    });
    await expect(work).rejects.toThrow('lost');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    expect(readdirSync(folder)).toEqual(['books.journal']);
  });

  test('never replaces a folder or a device', async () => {
    const link = join(folder, 'link');
    symlinkSync('/dev/null', link);
    for (const place of [folder, link, '/dev/null']) {
      await expect(writeWholeFile(place, async () => undefined)).rejects.toMatchObject({
        code: 'bad_input',
        message: `${place}: exists and is not a file`,
      });
    }
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('leaves no file if it ends before the first text', async () => {
    await refuseUnlessWritable(path);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(path, 'old\n');
    await refuseUnlessWritable(path);
    expect(readdirSync(folder)).toEqual(['books.journal']);
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    for (const place of [folder, join(folder, 'no', 'books.journal')]) {
      await expect(refuseUnlessWritable(place)).rejects.toMatchObject({ code: 'bad_input' });
    }
  });

  test('refuses a missing folder as bad input', async () => {
    const nowhere = join(folder, 'no', 'books.journal');
    await expect(writeWholeFile(nowhere, async () => undefined)).rejects.toMatchObject({
      code: 'bad_input',
      message: `${nowhere}: cannot be written (ENOENT)`,
    });
  });
});

describe('an export to a stream', () => {
  const stream = (write: (done: (error?: Error) => void) => void): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => write(done) }).on('error', () => undefined);

  test('waits for the stream', async () => {
    let take: () => void = () => undefined;
    const slow = stream((done) => (take = done));
    let written = false;
    const writing = outputTo(slow)
      .write('x')
      .then((taken) => (written = taken));
    await new Promise(setImmediate);
    expect(written).toBe(false);
    take();
    expect(await writing).toBe(true);
  });

  test('stops with advice if the reader accepts nothing', async () => {
    await expect(
      outputTo(
        stream(() => undefined),
        20,
      ).write('x'),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('--output'),
    });
  });

  test.each([
    ['EPIPE', 0],
    ['ENOSPC', 1],
  ])('exits for %s with %i', async (code, exit) => {
    const broken = stream((done) => done(Object.assign(new Error(code), { code })));
    const output = outputTo(broken);
    expect(await output.write('x')).toBe(false);
    expect(output.exitCode()).toBe(exit);
  });

  test('exits with 0 when the stream has accepted everything', async () => {
    const output = outputTo(stream((done) => done()));
    expect(await output.write('x')).toBe(true);
    expect(output.exitCode()).toBe(0);
  });
});
