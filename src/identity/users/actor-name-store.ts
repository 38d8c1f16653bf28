import { column, rowCodec, rowsOf, type Session } from '../../db';
import { type Role, storedRoles } from './role';

const HOLDER = rowCodec({
  userId: column.text('id'),
  roles: column.text('roles'),
  disabledAt: column.optional(column.number('disabled_at')),
});

/** The user of a name, as far as their keys depend on them. */
export interface NameHolder {
  readonly userId: string;
  readonly roles: readonly Role[];
  readonly isDisabled: boolean;
}

/** The names of users and of keys, which are one namespace, inside one transaction. */
export interface ActorNames {
  /** Locks a name until the transaction ends, so that it cannot become that of a user and of a key concurrently. */
  lock(name: string): Promise<void>;
  /** Returns the user of the name. */
  userOf(name: string): Promise<NameHolder | undefined>;
  /** Returns whether a key had the name at any time. */
  isOfKey(name: string): Promise<boolean>;
}

export function openActorNames(session: Session): ActorNames {
  return {
    // On MariaDB the insertion locks the row if it exists. SQLite has one writer at a time.
    lock: (name) => session.insert([{ table: 'actor_names', rows: [{ name }], whenTaken: { key: 'name' } }]),
    async userOf(name) {
      const found = await HOLDER.first(session('users as u').select(HOLDER.columns('u')).where('u.name', name));
      if (found === undefined) return undefined;
      const { userId, roles, disabledAt } = found;
      return { userId, roles: storedRoles(roles), isDisabled: disabledAt !== undefined };
    },
    async isOfKey(name) {
      return (await rowsOf(session('api_keys as k').select('k.id').where('k.name', name).limit(1))).length > 0;
    },
  };
}
