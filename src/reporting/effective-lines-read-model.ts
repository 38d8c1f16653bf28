import { column, idsIn, rowCodec, type Session } from '../db';
import { isEffectiveStatement } from './effective-statements';

const PLACE = rowCodec({ lineId: column.text('line_id'), statementId: column.text('statement_id') });
const ID = rowCodec({ id: column.text('id') });

/**
 * Returns which of a page of lines are effective. Unlike the condition `isEffectiveLine`, for which MariaDB reads all
 * statements, it reads only the rows about these lines.
 */
export async function effectiveLines(session: Session, lineIds: readonly string[]): Promise<Set<string>> {
  if (lineIds.length === 0) return new Set();
  const own = session('bank_statement_lines as l')
    .select('l.id as line_id', 'l.statement_id')
    .whereIn('l.id', [...lineIds]);
  const others = session('statement_line_repeats as r')
    .select(PLACE.columns('r'))
    .whereIn('r.line_id', [...lineIds]);
  const places = [...(await PLACE.all(own)), ...(await PLACE.all(others))];
  const statementIds = [...new Set(places.map(({ statementId }) => statementId))];
  const effective = await ID.all(
    session('bank_statements as s').select('s.id').whereIn('s.id', statementIds).whereRaw(isEffectiveStatement('s')),
  );
  const isEffective = new Set(effective.map(({ id }) => id));
  const repeated = await idsIn(session, { table: 'bank_repeated_lines', column: 'line_id' }, lineIds);
  const found = places.filter(({ lineId, statementId }) => isEffective.has(statementId) && !repeated.has(lineId));
  return new Set(found.map(({ lineId }) => lineId));
}
