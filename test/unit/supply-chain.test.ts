// Goal: no dependency can be replaced unseen, and none runs a program at its installation that was not allowed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..', '..');

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

test('S21: the lock file has a SHA-512 of each package, and none from a folder, an address or a repository', () => {
  expect(locked.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
  const unproven = locked.filter(([, { integrity, resolved, link }]) => {
    return !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') || resolved !== undefined || link === true;
  });
  expect(unproven).toEqual([]);
});

test('S21: the lock file has the dependencies that the manifest asks for, all of them from the registry', () => {
  const { dependencies, devDependencies } = manifest;
  const { '': root } = lock.packages as unknown as Readonly<Record<string, Manifest>>;
  expect(root).toMatchObject({ dependencies, devDependencies });
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect([name, range]).toEqual([name, expect.stringMatching(/^[~^]?\d+(\.\d+)*$/)]);
  }
});

test('S21: install scripts are allowed or refused by name, and only that of the driver of SQLite is allowed', () => {
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  const names = new Set(withScript.map((path) => path.replace(/^.*node_modules\//, '')));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...names].sort());
  expect(Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])).toEqual(['better-sqlite3']);
});
