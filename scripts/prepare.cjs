// npm runs this after every install. In a production install the compiler is missing; then a copied build is used
// unchanged.
const { spawnSync } = require('node:child_process');
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

linkCommand();

let compiler;
try {
  compiler = require.resolve('typescript/bin/tsc');
} catch {
  process.exit(0);
}
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
process.exit(status ?? 1);

/**
 * Puts `millime` beside the commands of the dependencies, as npm does for a package that is installed. `npx millime` takes
 * a second of npm's own, and several the first time in a folder; this file takes none (README, "Quick start").
 */
function linkCommand() {
  const folder = join(__dirname, '..', 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const text = "#!/usr/bin/env node\nrequire('../../dist/src/cli/main.js');\n";
  writeFileSync(join(folder, 'millime'), text, { mode: 0o755 });
}
