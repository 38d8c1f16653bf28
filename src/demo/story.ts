/** Prints the steps of the demo. */
export interface Story {
  step(title: string): void;
  line(text: string): void;
  /** Returns the number of printed steps. */
  steps(): number;
}

export function createStory(print: (line: string) => void): Story {
  let count = 0;
  return {
    step(title) {
      count += 1;
      print('');
      print(`[${count}] ${title}`);
    },
    line: (text) => print(`    ${text}`.trimEnd()),
    steps: () => count,
  };
}
