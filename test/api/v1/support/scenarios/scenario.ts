import type { Api } from '../../../support/api';
import type { ApiClient, OperationCall } from '../api-client';

/** A call that an operation answers with a 2xx, in a world that the scenario makes from an empty database. */
export interface Scenario {
  readonly call: OperationCall;
  /** Of an operation that writes: a call of another payload that its schema accepts too. */
  readonly other?: OperationCall;
  /**
   * Of an operation that writes: counts what the call changed, so that two effects count twice. The generated tests
   * compare it after repeats.
   */
  readonly effect?: () => Promise<number>;
  /** How many one call counts, by default 1. */
  readonly effects?: number;
}

/** The scenarios of a group of operations, by their `operationId`. `client` has every scope. */
export type Scenarios = Readonly<Record<string, (api: Api, client: ApiClient) => Promise<Scenario>>>;

/** Counts the audit records of an action. */
export async function audited({ millime }: Api, action: string): Promise<number> {
  return (await millime.identity.auditRecords({ action, limit: 1_000 })).rows.length;
}
