// Preloaded into a command of the built program (NODE_OPTIONS=--require): leaves the names of all files that it loaded,
// one a line, in the file that LOADED_FILE names.
const { writeFileSync } = require('node:fs');

process.once('exit', () => writeFileSync(process.env.LOADED_FILE, Object.keys(require.cache).join('\n')));
