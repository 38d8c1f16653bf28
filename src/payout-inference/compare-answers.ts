import type { ModelAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';

/** More evidence than chance reaches among all fees of the grid. */
export const LOG_EVIDENCE_OF_LEARNED_MIN = 25;
/** If this share of the credits is explained, no question is left open. */
const CLEAR_SHARE = 0.9;

export function isClear(file: PreparedFile, answer: ModelAnswer | undefined): boolean {
  return answer !== undefined && answer.explained >= CLEAR_SHARE * file.credits.length;
}

/** Returns the answer with more evidence; of two equals, the first. */
export function betterOf(a: ModelAnswer | undefined, b: ModelAnswer | undefined): ModelAnswer | undefined {
  if (a === undefined) return b;
  return b !== undefined && b.logEvidence > a.logEvidence ? b : a;
}

export function hasRefunds({ request }: PreparedFile): boolean {
  return request.items.some(({ refundOf }) => refundOf !== undefined);
}
