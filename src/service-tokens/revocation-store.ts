import { afterKey, column, type Decoded, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

export interface Revocation {
  readonly jti: string;
  readonly revokedAt: Instant;
}

/** The revoked jti inside one transaction. Rows are only added. */
export interface RevocationStore {
  record(revocation: Revocation, recordedBy: string): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Returns the first `count` revocations after a place in the list, newest first. */
  list(after: readonly [revokedAt: Instant, jti: string] | undefined, count: number): Promise<Decoded<typeof LISTED>[]>;
  count(): Promise<number>;
  jtis(): Promise<Set<string>>;
}

const REVOCATION = rowCodec({ jti: column.text('jti'), revokedAt: column.number('revoked_at') });
/** `isForeign`: Millime did not mint the token. */
const LISTED = rowCodec({ ...REVOCATION.fields, isForeign: column.flag('is_foreign') });
const JTI = rowCodec({ jti: column.text('jti') });
const COUNT = rowCodec({ total: column.number('total') });

export function openRevocationStore(session: Session): RevocationStore {
  const revoked = () => session('service_token_revocations as r').select(JTI.columns('r'));
  return {
    async record(revocation, recordedBy) {
      await session('service_token_revocations').insert({ ...REVOCATION.write(revocation), recorded_by: recordedBy });
    },
    isRevoked: async (jti) => (await JTI.first(revoked().where('r.jti', jti).limit(1))) !== undefined,
    list: async (after, count) => {
      if (count === 0) return [];
      const query = session('service_token_revocations as r')
        .leftJoin('service_tokens as t', 't.jti', 'r.jti')
        .select(...REVOCATION.columns('r'), session.fragment('t.jti is null as is_foreign'));
      const order = { columns: ['r.revoked_at', 'r.jti'], order: 'desc', after } as const;
      return LISTED.all(afterKey(session, query, order, count));
    },
    async count() {
      const found = await COUNT.first(session('service_token_revocations as r').count({ total: '*' }));
      return found?.total ?? 0;
    },
    jtis: async () => new Set((await JTI.all(revoked())).map(({ jti }) => jti)),
  };
}
