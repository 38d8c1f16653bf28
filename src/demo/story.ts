import type { WordList } from '../texts';

/** The language of the demo, which has its texts in English. */
export interface DemoSpeech {
  readonly lang: string;
  /** Returns the translation of a text. */
  say(english: string): string;
  /** Returns the words for a code. */
  word(list: WordList, code: string): string;
}

export const ENGLISH: DemoSpeech = { lang: 'en', say: (english) => english, word: (_, code) => code };

/** Prints the steps of the demo, translated. */
export interface Story extends DemoSpeech {
  step(title: string): void;
  line(text: string): void;
  /** Returns the number of printed steps. */
  steps(): number;
}

export function createStory(print: (line: string) => void, speech: DemoSpeech): Story {
  const { say } = speech;
  let count = 0;
  return {
    ...speech,
    step(title) {
      count += 1;
      print('');
      print(`[${count}] ${say(title)}`);
    },
    line(text) {
      const indent = /^ */.exec(text)?.[0] ?? '';
      print(`    ${indent}${say(text.slice(indent.length))}`.trimEnd());
    },
    steps: () => count,
  };
}
