// node scripts/write-notices.cjs > THIRD-PARTY-NOTICES.txt
// Prints the licence of each package that is installed, for an image that contains no others than it runs.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const { packages } = JSON.parse(readFileSync(join(ROOT, 'node_modules', '.package-lock.json'), 'utf8'));
const LICENSE = /^(licen[cs]e|copying|notice)/i;

for (const folder of [...Object.keys(packages).sort(), 'dist/swagger-ui']) {
  const { name, version, license } = manifestOf(folder);
  console.log(`${'='.repeat(80)}\n${name} ${version} (${license})\n`);
  for (const file of readdirSync(join(ROOT, folder)).filter((each) => LICENSE.test(each))) {
    console.log(readFileSync(join(ROOT, folder, file), 'utf8'));
  }
}

/** The files of Swagger UI are copied without the manifest of their package. */
function manifestOf(folder) {
  if (folder === 'dist/swagger-ui') return { name: 'swagger-ui-dist', version: '', license: 'Apache-2.0' };
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}
