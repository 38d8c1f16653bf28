import { withDetails } from '../refusal';

/** Runs `work`, and names the lines in its refusals as the rows that they are in a spreadsheet. */
export function namingRows<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withDetails(error, (detail) => detail.replace(/\bline (?=\d)/g, 'row '));
  }
}
