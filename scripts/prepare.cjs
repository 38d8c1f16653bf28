// npm runs this after every install. In a production install the compiler is missing; then a copied build is used
// unchanged.
const { spawnSync } = require('node:child_process');

let compiler;
try {
  compiler = require.resolve('typescript/bin/tsc');
} catch {
  process.exit(0);
}
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
process.exit(status ?? 1);
