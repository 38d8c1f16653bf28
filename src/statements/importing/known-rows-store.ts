import { rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../../db';
import { type BusinessDate, compareBytes, pagesOf } from '../../kernel';
import { openAccounts } from '../account-store';
import { isEffectiveStatement } from '../effective-lines';
import type { Statement } from '../statement-records';
import { HELD_STATEMENT, LINE, onlyVisible, selectStatements, STATEMENT } from '../statement-rows';

/** Finds stored rows that an import may bring again. */
export interface KnownRowsStore {
  /** Returns the ids of the lines that have one of these identities, by identity. */
  linesByIdentity(identities: readonly string[]): Promise<Map<string, string>>;
  /** Returns the statements of other files with the same fingerprint. */
  sameStatements(statement: Statement): Promise<Statement[]>;
  /** Returns the currencies of an account's stored statements. */
  currenciesOf(account: string): Promise<string[]>;
  /** Returns whether a stored statement of the account in TND opens or closes with one of these balances, in millimes. */
  hasBalance(account: string, balances: readonly number[]): Promise<boolean>;
  /** Returns whether any other statement has lines of the account on these days. */
  hasOtherLines(statement: Statement): Promise<boolean>;
  /** Returns the effective statements that begin within these days, oldest first. */
  beginningWithin(from: BusinessDate, through: BusinessDate): Promise<Statement[]>;
}

const KNOWN_LINE = rowCodec({ id: LINE.fields.id, identity: LINE.fields.identity });
const CURRENCY = rowCodec({ currency: STATEMENT.fields.currency });

export function openKnownRows(session: Session): KnownRowsStore {
  return {
    async linesByIdentity(identities) {
      const found = new Map<string, string>();
      // In the order of the index, so that the server reads each of its pages once.
      for (const page of pagesOf([...identities].sort(compareBytes), ROWS_PER_STATEMENT)) {
        const query = session('bank_statement_lines as l').select(KNOWN_LINE.columns('l')).whereIn('l.identity', page);
        for (const { id, identity } of await KNOWN_LINE.all(query)) found.set(identity, id);
      }
      return found;
    },
    async sameStatements({ account, fingerprint, fileId, verdict }) {
      const query = onlyVisible(selectStatements(session))
        .where({ 's.account': account, 's.fingerprint': fingerprint })
        .whereNot('s.file_id', fileId)
        .orderBy('s.id');
      // A proven statement does not repeat an unproven one with the same figures.
      if (verdict === 'ok') void query.where('s.verdict', 'ok');
      return HELD_STATEMENT.all(query);
    },
    async currenciesOf(account) {
      const found = await CURRENCY.all(
        onlyVisible(session('bank_statements as s'))
          .distinct(CURRENCY.columns('s'))
          .whereIn('s.account', await openAccounts(session).namesOf(account))
          .orderBy('s.currency'),
      );
      return found.map(({ currency }) => currency);
    },
    hasBalance: (account, balances) => hasBalance(session, account, balances),
    async hasOtherLines({ id, account, currency, firstDate, lastDate }) {
      if (firstDate === undefined || lastDate === undefined) return false;
      const [row] = await rowsOf(
        session('bank_statement_lines as l')
          .select('l.id')
          .where('l.currency', currency)
          .whereIn('l.account', await openAccounts(session).namesOf(account))
          .whereBetween('l.booking_date', [firstDate, lastDate])
          .whereNot('l.statement_id', id)
          .limit(1),
      );
      return row !== undefined;
    },
    beginningWithin: (from, through) =>
      HELD_STATEMENT.all(
        selectStatements(session)
          .whereBetween('s.first_date', [from, through])
          .whereRaw(isEffectiveStatement('s'))
          .orderBy('s.id'),
      ),
  };
}

async function hasBalance(session: Session, account: string, balances: readonly number[]): Promise<boolean> {
  const [row] = await rowsOf(
    onlyVisible(session('bank_statements as s'))
      .select('s.id')
      .whereIn('s.account', await openAccounts(session).namesOf(account))
      .where('s.currency', 'TND')
      .where((either) => void either.whereIn('s.opening_minor', balances).orWhereIn('s.closing_minor', balances))
      .limit(1),
  );
  return row !== undefined;
}
