import type { NewId } from '../../../src/kernel';

const ULID_LENGTH = 26;

/** Ids of 26 digits that count from 1, so that a failing test shows the same ids again. */
export function sequentialIds(): NewId {
  let count = 0;
  return () => String((count += 1)).padStart(ULID_LENGTH, '0');
}
