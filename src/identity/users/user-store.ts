import { afterKey, column, type Decoded, rowCodec, type Session } from '../../db';
import { type Instant, type Page, pageByKey } from '../../kernel';
import { type Role, storedRoles } from './role';
import { type Language, LANGUAGES, type User } from './user';

const ROLE_LIST = {
  read: (value: unknown) => storedRoles(String(value)),
  write: (roles: readonly Role[]) => roles.join(' '),
};

const ROW = rowCodec({
  userId: column.text('id'),
  name: column.text('name'),
  fullName: column.text('full_name'),
  language: column.optional(column.word('language', LANGUAGES)),
  roles: { name: 'roles', ...ROLE_LIST },
  createdAt: column.number('created_at'),
  recordedBy: column.text('recorded_by'),
  disabledAt: column.optional(column.number('disabled_at')),
  passwordHash: column.optional(column.text('password_hash')),
  codeDigest: column.optional(column.text('code_digest')),
  codeExpiresAt: column.optional(column.number('code_expires_at')),
  totpSecret: column.optional(column.text('totp_secret')),
  totpStep: column.optional(column.number('totp_step')),
});

/** A user with what proves them. It never leaves this module. */
export type UserRow = Decoded<typeof ROW>;

/** What may change of a user. A field without a value becomes empty. */
export type UserChange = Partial<Omit<UserRow, 'userId' | 'name' | 'createdAt' | 'recordedBy'>>;

/** The name of a user, by which the list is sorted. */
export type UserKey = readonly [name: string];

export interface UserQuery {
  readonly after?: UserKey | undefined;
  readonly limit: number;
}

/** The users inside one transaction. Users are never deleted, because rows name them. */
export interface UserStore {
  /** A second user of a name fails with `duplicate_key`. */
  add(user: UserRow): Promise<void>;
  find(name: string): Promise<UserRow | undefined>;
  /** Returns a user and locks their row until the transaction ends. */
  hold(name: string): Promise<UserRow | undefined>;
  change(userId: string, change: UserChange): Promise<void>;
  /** Returns a page of users, by name. */
  list(query: UserQuery): Promise<Page<User, UserKey>>;
}

export function openUsers(session: Session): UserStore {
  const rows = () => session('users as u').select(ROW.columns('u'));
  return {
    async add(user) {
      await session('users').insert(ROW.write(user));
    },
    find: (name) => ROW.first(rows().where('u.name', name)),
    hold: (name) => ROW.first(rows().where('u.name', name).forUpdate()),
    async change(userId, change) {
      await session('users').where({ id: userId }).update(ROW.write(change));
    },
    list: ({ after: first, limit }) =>
      pageByKey<User, UserKey>({
        async read(after, count) {
          const order = { columns: ['u.name'], order: 'asc', after } as const;
          return (await ROW.all(afterKey(session, rows(), order, count))).map(toUser);
        },
        keyOf: ({ name }) => [name],
        ...{ after: first, limit },
      }),
  };
}

/** Returns a user without what proves them. */
export function toUser(row: UserRow): User {
  const { userId, name, fullName, language, roles, createdAt, recordedBy, disabledAt, passwordHash, totpSecret } = row;
  const state = disabledAt !== undefined ? 'disabled' : passwordHash === undefined ? 'invited' : 'active';
  const shown = { userId, name, fullName, language, roles, createdAt, recordedBy, state } as const;
  return { ...shown, hasSecondFactor: totpSecret !== undefined };
}

/** A new user, who has no password yet. */
export interface NewUserRow {
  readonly userId: string;
  readonly name: string;
  readonly fullName: string;
  readonly language: Language | undefined;
  readonly roles: readonly Role[];
  readonly createdAt: Instant;
  readonly recordedBy: string;
  readonly codeDigest: string;
  readonly codeExpiresAt: Instant;
}

/** Returns the row of a new user. */
export function newUserRow(user: NewUserRow): UserRow {
  const absent = { disabledAt: undefined, passwordHash: undefined, totpSecret: undefined, totpStep: undefined };
  return { ...user, ...absent };
}
