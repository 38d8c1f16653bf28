// Goal: no dependency can be replaced unseen, and none runs a program at its installation that was not allowed.
import { execFileSync } from 'node:child_process';
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
  readonly gypfile?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** A package of two files that depends on better-sqlite3 12, for the versions of Node that need it (ADR 41). */
const WRAPPER = 'vendor/better-sqlite3-12.tgz';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

test('S21: the lock file has a SHA-512 of each package, and none from an address or a repository', () => {
  expect(locked.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
  const unproven = locked.filter(([path, { integrity, resolved, link }]) => {
    const from = path === 'node_modules/better-sqlite3-12' ? `file:${WRAPPER}` : undefined;
    return !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') || resolved !== from || link === true;
  });
  expect(unproven).toEqual([]);
});

test('S21: the lock file has the dependencies that the manifest asks for, all of them from the registry', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const { '': root } = lock.packages as unknown as Readonly<Record<string, Manifest>>;
  expect(root).toMatchObject({ dependencies, optionalDependencies, devDependencies });
  const { 'better-sqlite3-12': wrapper, ...optional } = optionalDependencies;
  expect(wrapper).toBe(`file:${WRAPPER}`);
  for (const [name, range] of Object.entries({ ...dependencies, ...optional, ...devDependencies })) {
    expect([name, range]).toEqual([name, expect.stringMatching(/^[~^]?\d+(\.\d+)*$/)]);
  }
});

test('S21: install scripts are allowed or refused by name, and only that of the driver of SQLite is allowed', () => {
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  const names = new Set(withScript.map((path) => path.replace(/^.*node_modules\//, '')));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...names].sort());
  expect(Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])).toEqual(['better-sqlite3']);
});

test('S21: the package in vendor depends on the driver and does nothing else', () => {
  const file = (name: string): string =>
    execFileSync('tar', ['-xzOf', WRAPPER, `package/${name}`], { cwd: ROOT, encoding: 'utf8' });
  const names = execFileSync('tar', ['-tzf', WRAPPER], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  expect(names.sort()).toEqual(['package/index.js', 'package/package.json']);
  expect(file('index.js')).toBe("module.exports = require('better-sqlite3');\n");
  expect(JSON.parse(file('package.json'))).toEqual({
    name: 'better-sqlite3-12',
    version: '12.11.1',
    description: expect.any(String),
    license: 'MIT',
    main: 'index.js',
    engines: { node: '<22.14' },
    dependencies: { 'better-sqlite3': '^12.11.1' },
  });
});

test('npm calls no compiler for the driver of SQLite that has its binaries', () => {
  // npm writes this of no package: "npm install" in this folder adds it again (scripts/prepare.cjs).
  expect(lock.packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
});
