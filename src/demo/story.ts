import type { ReportSpeech } from '../texts';

/** Prints the steps of the demo, translated. */
export interface Story extends ReportSpeech {
  step(title: string): void;
  line(text: string): void;
  /** Returns the number of printed steps. */
  steps(): number;
}

export function createStory(print: (line: string) => void, speech: ReportSpeech): Story {
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
