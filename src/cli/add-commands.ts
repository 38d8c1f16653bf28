import type { Command } from 'commander';
import type { RunCommand } from './command';
import { COMMAND_FILES } from './command-list';

/** `help match` prints the help of `match`. */
const HELP = 'help';

/**
 * Adds every command to the program by name, and loads only the one that the arguments name (ADR 23). Help and usage
 * errors need only the names.
 */
export async function addCommands(program: Command, run: RunCommand, words: readonly string[]): Promise<void> {
  const wanted = words.find((word) => word !== HELP && !word.startsWith('-')) ?? '';
  for (const { commands, load } of COMMAND_FILES) {
    if (Object.hasOwn(commands, wanted)) (await load())(program, run);
    else for (const name of Object.keys(commands)) program.command(name);
  }
  for (const { commands } of COMMAND_FILES) describe(program, commands);
}

function describe(program: Command, commands: Readonly<Record<string, string>>): void {
  for (const command of program.commands) {
    const description = commands[command.name()];
    if (description !== undefined) command.description(description);
  }
}
