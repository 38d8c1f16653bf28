/** A plot in the words of its reader. Its table has the same figures. */
export interface Plot {
  /** Unique in a page. */
  readonly id: string;
  readonly title: string;
  /** What the amounts are, such as `in dinars`. */
  readonly unit: string;
  readonly description: string;
  /** `bars`: bars beside each other, of which each may be a stack. `lines`: one line for each series. */
  readonly kind: 'bars' | 'lines';
  /** Whether the categories are days, of which the last ones come into sight first. */
  readonly isOverTime?: boolean;
  readonly categories: readonly PlotCategory[];
  readonly series: readonly PlotSeries[];
  /** The text of an amount, and its short form at the axis. */
  amountText(amount: bigint): string;
  axisText(amount: bigint): string;
}

export interface PlotCategory {
  readonly name: string;
  /** Below the axis. */
  readonly label: string;
  /** Whether its figures are not known yet, so that nothing is not 0. */
  readonly isUnknown?: boolean;
}

export interface PlotSeries {
  readonly name: string;
  /** The place of its pattern and its color, from 0. */
  readonly style: number;
  /** Bars of the same place are stacked; by default each series has its own place. */
  readonly place?: number;
  /** One for each category; undefined where it is not known. */
  readonly amounts: readonly (bigint | undefined)[];
}
