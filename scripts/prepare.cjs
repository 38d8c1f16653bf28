// npm runs this after every install, and `npm run build` whenever the sources changed. It writes what runs into dist/,
// without checking types, which `npm run check` does. In a production install the compiler is missing; then a copied
// build is used unchanged.
const { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = join(__dirname, '..');
const DIST = join(ROOT, 'dist');
const SOURCES = ['src', 'migrations'];

linkCommand();
warnWithoutDriver();
keepLockWithoutCompiler();
const swc = installed('@swc/core');
if (swc !== undefined) {
  const written = new Set(SOURCES.flatMap(filesOf).filter(isBuilt).map(compile));
  // A file without a source would still be loaded.
  for (const file of SOURCES.flatMap((folder) => filesOf(join('dist', folder)))) if (!written.has(file)) rmSync(file);
  copyApiPage();
}

/** Returns a package; undefined if it is not installed, as the compiler in a production install. */
function installed(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function filesOf(folder) {
  let entries = [];
  try {
    entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  } catch {
    // The first build has nothing to clean.
  }
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function isBuilt(file) {
  return /\.tsx?$/.test(file) && !/(?:\.d|[\\/]testing)\.ts$/.test(file);
}

/** Compiles a source as .swcrc says, and returns the file that it wrote. */
function compile(file) {
  const target = join(DIST, file.slice(ROOT.length)).replace(/\.tsx?$/, '.js');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, swc.transformFileSync(file, { cwd: ROOT }).code);
  return target;
}

/** Copies the two files of Swagger UI that the API serves, with its licence; the package has 12 MB. */
function copyApiPage() {
  const folder = join(DIST, 'swagger-ui');
  mkdirSync(folder, { recursive: true });
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui.css',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ]) {
    copyFileSync(require.resolve(`swagger-ui-dist/${name}`), join(folder, name));
  }
}

/**
 * Puts `millime` beside the commands of the dependencies, as npm does for a package that is installed. `npx millime` takes
 * a second of npm's own, and several the first time in a folder; this file takes none (README, "Quick start").
 */
function linkCommand() {
  const folder = join(ROOT, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const text = "#!/usr/bin/env node\nrequire('../../dist/src/cli/main.js');\n";
  writeFileSync(join(folder, 'millime'), text, { mode: 0o755 });
}

/** npm leaves an optional package that cannot be compiled out without a word. */
function warnWithoutDriver() {
  const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-12';
  if (installed(name) !== undefined) return;
  console.error(
    `the driver of SQLite (${name}) is not installed: use Node 22.14 or newer, or install g++, make and python3`,
  );
}

/**
 * Notes in the lock file that SQLite's driver needs no compiler. npm writes this of no package, and would then call one
 * from the lock: where there is none, it would leave the driver out without a word (ADR 41).
 */
function keepLockWithoutCompiler() {
  const file = join(ROOT, 'package-lock.json');
  try {
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    const driver = lock.packages['node_modules/better-sqlite3'];
    if (driver === undefined || driver.gypfile === false) return;
    driver.gypfile = false;
    writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // an image has no lock file
  }
}
