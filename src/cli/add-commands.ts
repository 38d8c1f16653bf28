import type { Command } from 'commander';
import type { RunCommand } from './command';
import { COMMAND_FILES } from './command-list';

/** `help match` prints the help of `match`. */
const HELP = 'help';
/** Its value is no command. */
const LANGUAGE = '--lang';

/**
 * Adds every command to the program by name, and loads only the one that the arguments name (ADR 23). Help and usage
 * errors need only the names.
 */
export async function addCommands(program: Command, run: RunCommand, words: readonly string[]): Promise<void> {
  const wanted =
    words.find((word, index) => word !== HELP && !word.startsWith('-') && words[index - 1] !== LANGUAGE) ?? '';
  for (const { commands, load } of COMMAND_FILES) {
    if (commands.includes(wanted)) (await load())(program, run);
    else for (const name of commands) program.command(name);
  }
}
