import { t } from './language';

const WIDTH = 30;
const BYTES_PER_MB = 1_000_000;

/** Shows the progress of a long step, on a terminal only. */
export interface ProgressBar {
  update(doneBytes: number): void;
  /** Removes the bar, so that the next line starts on an empty one. */
  clear(): void;
}

/** Creates a bar on stderr, beside the output. It is drawn only when the percentage has changed. */
export function createProgressBar(label: string, totalBytes: number, stream: NodeJS.WriteStream): ProgressBar {
  if (!stream.isTTY || totalBytes === 0) return { update: () => undefined, clear: () => undefined };
  let shown = -1;
  let width = 0;
  return {
    update(doneBytes) {
      const percent = Math.min(100, Math.floor((doneBytes / totalBytes) * 100));
      if (percent === shown) return;
      shown = percent;
      const filled = Math.round((percent / 100) * WIDTH);
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`;
      const [done, total] = [megabytes(doneBytes), megabytes(totalBytes)];
      const text = t('cli:output.progress', { label, bar, percent, done, total });
      stream.write(`\r${text.padEnd(width)}`);
      width = text.length;
    },
    clear() {
      if (width > 0) stream.write(`\r${' '.repeat(width)}\r`);
      width = 0;
      shown = -1;
    },
  };
}

function megabytes(bytes: number): string {
  return (bytes / BYTES_PER_MB).toFixed(1);
}
