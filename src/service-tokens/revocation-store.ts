import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

export interface Revocation {
  readonly jti: string;
  readonly revokedAt: Instant;
}

/** The revoked jti inside one transaction. Rows are only added. */
export interface RevocationStore {
  record(revocation: Revocation, recordedBy: string): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Lists revocations of tokens that Millime did not mint, newest first. */
  listForeign(limit: number): Promise<Revocation[]>;
  count(): Promise<number>;
  jtis(): Promise<Set<string>>;
}

const REVOCATION = rowCodec({ jti: column.text('jti'), revokedAt: column.number('revoked_at') });
const JTI = rowCodec({ jti: column.text('jti') });
const COUNT = rowCodec({ total: column.number('total') });

export function openRevocationStore(session: Session): RevocationStore {
  const revoked = () => session('service_token_revocations as r').select(JTI.columns('r'));
  return {
    async record(revocation, recordedBy) {
      await session('service_token_revocations').insert({ ...REVOCATION.write(revocation), recorded_by: recordedBy });
    },
    isRevoked: async (jti) => (await JTI.first(revoked().where('r.jti', jti).limit(1))) !== undefined,
    listForeign: (limit) =>
      REVOCATION.all(
        session('service_token_revocations as r')
          .leftJoin('service_tokens as t', 't.jti', 'r.jti')
          .select(REVOCATION.columns('r'))
          .whereNull('t.jti')
          .orderBy([
            { column: 'r.revoked_at', order: 'desc' },
            { column: 'r.jti', order: 'desc' },
          ])
          .limit(limit),
      ),
    async count() {
      const found = await COUNT.first(session('service_token_revocations as r').count({ total: '*' }));
      return found?.total ?? 0;
    },
    jtis: async () => new Set((await JTI.all(revoked())).map(({ jti }) => jti)),
  };
}
