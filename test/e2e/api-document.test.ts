import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { runCurl, shellCommands, statusSaid, wordsOf } from '../support/simple-curl';
import { Installation } from './support/installation';

// Goal: the commands of docs/API.md, run word for word, have the documented results.
// Method: the commands of its `sh` blocks run in order against a server; node:http replaces curl.

const COMMANDS = shellCommands(readFileSync(join(__dirname, '../../docs/API.md'), 'utf8'));
const LIMIT_MS = 240_000;

describeOnEachDialect('docs/API.md', (dialect) => {
  test(
    'shows commands that all work',
    async () => {
      const { url } = await freshDatabase(dialect);
      const installation = new Installation(url);
      const server = await installation.serve();
      const variables: Record<string, string> = {};
      const files: Record<string, string> = {};
      const answers: { command: string; text: string }[] = [];
      for (const command of COMMANDS) {
        const created = /^export KEY=\$\(npx millime (.*)\)$/.exec(command)?.[1];
        if (created !== undefined) {
          const { code, stdout } = await installation.cli(...created.split(' '));
          expect(code).toBe(0);
          variables['KEY'] = stdout.trim();
        } else if (command.startsWith('export API=')) {
          variables['API'] = `${server.baseUrl}/api/v1`;
        } else if (command.startsWith('printf ')) {
          const [, text = '', , name = ''] = wordsOf(command, variables);
          files[name] = text.replaceAll('\\n', '\n');
        } else if (command.startsWith('curl ')) {
          const words = wordsOf(command, variables).map((word) =>
            word.startsWith('@') ? (files[word.slice(1)] ?? word) : word,
          );
          const { status, text } = await runCurl(words);
          expect({ command, status, text }).toEqual({ command, status: statusSaid(command), text });
          answers.push({ command, text });
        }
      }
      const texts = answers.map(({ text }) => text);
      expect(texts[4]).toBe(texts[0]);
      expect(texts[1]).toContain('"Salma Ben Youssef"');
      expect(texts.find((text) => text.includes('"dueMillimes":200500'))).toBeDefined();
      expect(texts.at(-1)).toContain('"code":"idempotency_key_reused"');
    },
    LIMIT_MS,
  );
});
