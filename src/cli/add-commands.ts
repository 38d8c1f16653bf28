import type { Command } from 'commander';
import type { RunCommand } from './command';
import { COMMAND_FILES } from './command-list';

/** `help match` is about `match`. */
const HELP = 'help';

/**
 * Adds every command to the program, but only the one that the arguments name with its options and what it does. A
 * command needs little of the program, and to load all of it takes most of a second, which every script would pay at
 * each call; help and wrong use need no more than names. Files and rooms are therefore loaded where they are used:
 * here by import(), in `compose` when a room is first asked for.
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
