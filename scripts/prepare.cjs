// npm runs this after every install, production installs included, where the compiler is not there: then what was built
// elsewhere and copied in is used as it is.
const { spawnSync } = require('node:child_process');

let compiler;
try {
  compiler = require.resolve('typescript/bin/tsc');
} catch {
  process.exit(0);
}
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
process.exit(status ?? 1);
