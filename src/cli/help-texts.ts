import { type Command, Help, type Option } from 'commander';
import { texts } from './language';

const HOLE = '{{value}}';

/** The names of the texts that commander has in English. */
const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'usage',
  'Arguments:': 'arguments',
  'Options:': 'options',
  'Commands:': 'commands',
};

/**
 * Returns the settings of commander that read every text of help from `help.json`, at the moment it is shown. A
 * description in the source is only the value of the hole in its text.
 */
export function helpSettings(): Partial<Help> {
  return {
    formatHelp(command, helper) {
      describeParts(command, helper);
      const ends = [find(`command.${pathOf(command)}.after`), frame('exitCodes')].filter((end) => end !== undefined);
      return Help.prototype.formatHelp.call(helper, command, helper) + ends.map((end) => `\n${end}\n`).join('');
    },
    commandUsage: (command) =>
      Help.prototype.commandUsage
        .call(new Help(), command)
        .replace('[options]', frame('anyOptions'))
        .replace('[command]', frame('anyCommand')),
    styleTitle: (title) => frame(TITLES[title] ?? title),
    optionDescription(option) {
      const alone = Object.assign(Object.create(option) as Option, { description: '' });
      const facts = Help.prototype.optionDescription.call(this, alone);
      const translated = facts.replace('choices:', frame('choices')).replace('default:', frame('default'));
      return [option.description, translated].filter((part) => part !== '').join(' ');
    },
  };
}

/** Returns the help text of a command, or of one of its options and arguments; undefined if it has none. */
export function helpText(path: string, part: string): string | undefined {
  return find(`command.${path}.${part}`) ?? find(`common.${part}`);
}

function find(path: string): string | undefined {
  return texts().find('help', path);
}

function frame(name: string): string {
  return find(`frame.${name}`) ?? name;
}

/** The values of holes: the descriptions of the source. */
const valuesOf = new WeakMap<Option, string>();

/** Sets the texts of a command and of what its help lists. */
function describeParts(command: Command, helper: Help): void {
  const path = pathOf(command);
  command.description(helpText(path, 'about') ?? '');
  for (const option of helper.visibleOptions(command)) describeOption(option, helpText(path, option.long ?? ''));
  for (const argument of command.registeredArguments) {
    argument.description = helpText(path, argument.name()) ?? '';
  }
  for (const child of helper.visibleCommands(command)) {
    child.description((child.name() === 'help' ? find('common.help') : helpText(pathOf(child), 'about')) ?? '');
  }
}

function describeOption(option: Option, text = ''): void {
  const value = valuesOf.get(option) ?? option.description;
  valuesOf.set(option, value);
  option.description = text.replace(HOLE, value);
}

/** Hidden names of commands, which have the texts of the present name. */
const FORMER_NAMES: Readonly<Record<string, string>> = { 'leave-out': 'exclude', reread: 'verify' };

/** Returns the names of a command and those above it: `agents import`. */
export function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each = command; each.parent !== null; each = each.parent) {
    names.unshift(FORMER_NAMES[each.name()] ?? each.name());
  }
  return names.join(' ') || command.name();
}
