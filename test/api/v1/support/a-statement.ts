import { bankFileOfBytes, type ListedStatement } from '../../../../src/statements';
import { statementBytes } from '../../../fixtures/statements/statement-bytes';
import { TESTER } from '../../../support/factories';
import type { Api } from '../../support/api';

/** Imports a bank file; without arguments one that proves itself. Returns its first statement. */
export async function importStatement(
  { millime }: Pick<Api, 'millime'>,
  given: Parameters<typeof statementBytes>[0] = {},
): Promise<ListedStatement> {
  const file = bankFileOfBytes('bank.csv', statementBytes(given));
  const outcome = await millime.statements.import({ file, actor: TESTER });
  const [listed] = outcome.kind === 'imported' ? outcome.statements : [];
  if (listed === undefined) throw new Error(`the bank file was ${outcome.kind}`);
  return listed;
}

/** Returns the ids of the lines of a statement that may be payouts. */
export async function payoutLineIds({ millime }: Pick<Api, 'millime'>, statement: ListedStatement): Promise<string[]> {
  const { lines } = await millime.statements.show(statement.statement.id);
  return lines.filter(({ line }) => line.payoutCandidate).map(({ line }) => line.id);
}
