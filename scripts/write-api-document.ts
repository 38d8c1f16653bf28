import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { apiDocument } from './openapi/api-document';

// Writes docs/openapi.json from the routes of the HTTP API; with `--check` it only compares. Either way the document must
// be valid OpenAPI 3.1.

const FILE = join(__dirname, '..', 'docs', 'openapi.json');

void main();

async function main(): Promise<void> {
  const text = `${JSON.stringify(apiDocument(), undefined, 2)}\n`;
  const { valid, errors } = await new Validator().validate(text);
  if (!valid) return fail(`docs/openapi.json would not be valid OpenAPI: ${JSON.stringify(errors)}`);
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
    fail('docs/openapi.json differs from src/api/routes/: run "npm run docs:api"');
  }
}

function fail(message: string): void {
  console.log(message);
  process.exitCode = 1;
}
