import {
  type ReportSpeech,
  reportSpeech,
  type TerminalTexts,
  terminalTexts,
  type TextKey,
  type TextParams,
  type WordList,
} from '../texts';

/** The languages of the command line. English is the one of scripts, so it is spoken unless French is asked for. */
export const COMMAND_LANGUAGES = ['en', 'fr'] as const;
export type CommandLanguage = (typeof COMMAND_LANGUAGES)[number];

let chosen: CommandLanguage = 'en';

/** Sets the language of everything that the process writes for people. */
export function speak(language: CommandLanguage): void {
  chosen = language;
}

/** Returns whether a text is a language of the command line. */
export function isCommandLanguage(text: string): text is CommandLanguage {
  return (COMMAND_LANGUAGES as readonly string[]).includes(text);
}

/** Returns the language of the environment: French for `fr_TN.UTF-8`, English for all others, also `C` and none. */
export function environmentLanguage(env: NodeJS.ProcessEnv = process.env): CommandLanguage {
  const { LC_ALL, LC_MESSAGES, LANG } = env;
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((each) => each !== undefined && each !== '') ?? '';
  return /^fr(?:$|[_.@-])/i.test(locale) ? 'fr' : 'en';
}

/** Returns the texts of the chosen language. */
export function texts(): TerminalTexts {
  return terminalTexts(chosen);
}

/** Returns the chosen language of reports and the demo. */
export function chosenSpeech(): ReportSpeech {
  return reportSpeech(chosen);
}

/** Returns a text of the chosen language. */
export function t(key: TextKey, params?: TextParams): string {
  return texts().t(key, params);
}

/** Returns a code for people: as it is in English, where scripts read it, and its label in French. */
export function word(list: WordList, code: string): string {
  return chosen === 'en' ? code : texts().word(list, code);
}

/** Joins a heading and its text with the colon of the language; the heading alone without a text. */
export function colon(name: string, value: string | undefined): string {
  return value === undefined ? name : t('cli:output.fact', { name, value });
}

/** Returns a name of a program for people: as it is in English, and its text in French, if it has one. */
export function nameText(namespace: 'administration' | 'breaks' | 'cli', path: string, name: string): string {
  return (chosen === 'en' ? undefined : texts().find(namespace, `${path}.${name}`)) ?? name;
}

/** Returns what `work` returns in English, for JSON, which is the same in each language. */
export function inEnglish<T>(work: () => T): T {
  const spoken = chosen;
  chosen = 'en';
  try {
    return work();
  } finally {
    chosen = spoken;
  }
}

/** Whether the errors of the rooms, which are English, are translated. */
export function isTranslated(): boolean {
  return chosen !== 'en';
}
