/** What the demo tells, in short lines. */
export interface Story {
  step(title: string): void;
  line(text: string): void;
  /** How many steps it told. */
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
