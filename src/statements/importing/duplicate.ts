import type { Session } from '../../db';
import type { WholeStatement } from '../reading/join-pages';
import type { Statement } from '../statement-records';

/** Runs SELECTs on the stored statements. */
export type ReadStored = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** A statement of the file, with all its pages, as it was read and as it would be stored. */
export interface WholeAndStatement {
  readonly whole: WholeStatement;
  readonly statement: Statement;
}

/** A statement of the file that is stored already. */
export interface Duplicate {
  readonly statement: Statement;
  /** The same statement as it was imported before. */
  readonly before: Statement;
}
