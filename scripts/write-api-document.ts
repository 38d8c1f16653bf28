import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from './openapi/api-document';

// Writes docs/openapi.json from the routes of the HTTP API; with `--check` it only compares.

const FILE = join(__dirname, '..', 'docs', 'openapi.json');

const text = `${JSON.stringify(apiDocument(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  console.log('docs/openapi.json differs from src/api/routes/: run "npm run docs:api"');
  process.exitCode = 1;
}
