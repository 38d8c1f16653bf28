import { type Decimal, neededScale } from './decimal';

/** An amount, and the line of the file that has it. */
export interface AmountOfLine {
  readonly amount: Decimal;
  readonly fileLine: number;
}

/**
 * Finds the amounts that fit a currency last: the one with the most decimals and the largest. The currency may be known
 * only after the last line.
 */
export class ExtremeAmounts {
  #finest: AmountOfLine | undefined;
  #mostDecimals = -1;
  #largest: AmountOfLine | undefined;
  #mostUnits = -1;

  add(amount: Decimal, fileLine: number, decimals = neededScale(amount)): void {
    if (decimals > this.#mostDecimals) {
      this.#mostDecimals = decimals;
      this.#finest = { amount, fileLine };
    }
    // A limit on amounts needs no exact comparison, and a large file has a million lines.
    const units = Math.abs(Number(amount.units)) / 10 ** amount.scale;
    if (units <= this.#mostUnits) return;
    this.#mostUnits = units;
    this.#largest = { amount, fileLine };
  }

  /** Returns at most two amounts. */
  found(): readonly AmountOfLine[] {
    return [this.#finest, this.#largest].filter((each) => each !== undefined);
  }
}
