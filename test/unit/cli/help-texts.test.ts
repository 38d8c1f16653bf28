// Goal: every help text follows docs/STYLE.md.
// Method: all commands are registered on a program, and each description, option and argument is read.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { COMMAND_FILES } from '../../../src/cli/command-list';
import type { RegisterCommands, RunCommand } from '../../../src/cli/testing';

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'cli');
const CHARACTERS_MAX = 70;
const REGISTERS = /^register[A-Z]\w*Commands?$/;
/** They add commands below a command of another file. */
const PARTS = ['registerImportCommand', 'registerProposalCommands'];

async function everyCommand(): Promise<Command> {
  const program = new Command('millime');
  for (const file of readdirSync(FOLDER).filter(
    (name) => name.endsWith('.ts') && !['main.ts', 'testing.ts'].includes(name),
  )) {
    const found = (await import(join(FOLDER, file))) as Readonly<Record<string, RegisterCommands>>;
    for (const [name, register] of Object.entries(found)) {
      if (REGISTERS.test(name) && !PARTS.includes(name)) register(program, undefined as unknown as RunCommand);
    }
  }
  return program;
}

function textsOf(command: Command, path: string): [string, string][] {
  return [
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description }): [string, string] => [`${path} ${flags}`, description]),
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument): [string, string] => [`${path} <${argument.name()}>`, argument.description]),
    ...command.commands.flatMap((child): [string, string][] => {
      const name = `${path} ${child.name()}`;
      return [...(path === '' ? [] : [[name, child.description()] as [string, string]]), ...textsOf(child, name)];
    }),
  ];
}

test('keeps every help text in lower case, short, and without a full stop or an exit code', async () => {
  const program = await everyCommand();
  const listed = COMMAND_FILES.flatMap(({ commands }) => Object.entries(commands));
  expect(program.commands.map((command) => command.name()).sort()).toEqual(listed.map(([name]) => name).sort());
  const faulty = [...listed, ...textsOf(program, '')].filter(
    ([, text]) =>
      text === '' ||
      text.length > CHARACTERS_MAX ||
      /\.$|exit code|when not given/.test(text) ||
      /^[A-Z][a-z]/.test(text),
  );
  expect(faulty).toEqual([]);
});
