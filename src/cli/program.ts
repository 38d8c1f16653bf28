import { Command, Option } from 'commander';
import { helpSettings } from './help-texts';
import { COMMAND_LANGUAGES, isCommandLanguage, speak } from './language';
import { packageVersion } from './package-version';
import { usageError } from './usage-errors';

/** Creates the program without its commands. Its help and its messages are in the language that `--lang` names. */
export function createProgram(): Command {
  return new Command('millime')
    .version(packageVersion())
    .addOption(new Option('--lang <language>').choices(COMMAND_LANGUAGES))
    .on('option:lang', (language: string) => {
      if (isCommandLanguage(language)) speak(language);
    })
    .configureHelp(helpSettings())
    .configureOutput({ outputError: (message, write) => write(usageError(message)) })
    .showHelpAfterError()
    .exitOverride();
}
