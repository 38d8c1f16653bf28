import { rowCodec, type Session } from '../../db';
import { STATEMENT } from '../statement-rows';
import type { KnownAccounts } from './known-accounts';

/** Reads the bank accounts of fully loaded files. */
export interface AccountStore {
  known(): Promise<KnownAccounts>;
}

const ACCOUNT = rowCodec({ account: STATEMENT.fields.account });

export function openAccounts(session: Session): AccountStore {
  return {
    async known() {
      const stored = await ACCOUNT.all(
        session('bank_statements as s')
          .join('statement_loads as w', 'w.file_id', 's.file_id')
          .select('s.account')
          .whereNot('w.state', 'loading')
          .groupBy('s.account')
          .orderByRaw('min(s.id)'),
      );
      return { stored: stored.map(({ account }) => account) };
    },
  };
}
