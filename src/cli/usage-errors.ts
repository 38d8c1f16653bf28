import type { TextKey } from '../texts';
import { isTranslated, t } from './language';

/** The messages of commander, which has them in English only, and their texts. A named group is a value. */
const MESSAGES: readonly (readonly [message: RegExp, text: TextKey])[] = [
  [/^error: missing required argument '(?<name>.*)'$/, 'cli:usage.missingArgument'],
  [/^error: option '(?<name>.*)' argument missing$/, 'cli:usage.missingValue'],
  [/^error: required option '(?<name>.*)' not specified$/, 'cli:usage.missingOption'],
  [/^error: unknown option '(?<name>.*)'$/, 'cli:usage.unknownOption'],
  [/^error: unknown command '(?<name>.*)'$/, 'cli:usage.unknownCommand'],
  [
    /^error: too many arguments(?: for '(?<command>.*)')?\. Expected (?<expected>\d+) arguments? but got (?<got>\d+)\.$/,
    'cli:usage.tooMany',
  ],
  [
    /^error: (?:option|command-argument value) '(?<name>.*)' (?:argument|is invalid for argument) '(?<got>.*)'(?: is invalid)?\. Allowed choices are (?<choices>.*)\.$/,
    'cli:usage.choices',
  ],
  [/^\(Did you mean one of (?<names>.*)\?\)$/, 'cli:usage.meantOneOf'],
  [/^\(Did you mean (?<name>.*)\?\)$/, 'cli:usage.meant'],
];

/** Translates a message of commander. An unknown one stays English. */
export function usageError(message: string): string {
  if (!isTranslated()) return message;
  return message.split('\n').map(translatedLine).join('\n');
}

function translatedLine(line: string): string {
  for (const [message, text] of MESSAGES) {
    const values = message.exec(line)?.groups;
    if (values !== undefined) return t(text, { ...values });
  }
  return line;
}
