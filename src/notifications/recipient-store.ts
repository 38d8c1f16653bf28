import { column, rowCodec, type Session } from '../db';
import { LANGUAGES } from '../identity';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS, type NotificationKind, type Recipient } from './recipient';

/** A kind that this version does not know is left out. */
const KINDS = {
  name: 'kinds',
  read: (value: unknown): readonly NotificationKind[] => {
    const names = String(value).split(' ');
    return NOTIFICATION_KINDS.filter((kind) => names.includes(kind));
  },
  write: (kinds: readonly NotificationKind[]) => kinds.join(' '),
};

const RECIPIENT = rowCodec({
  id: column.text('id'),
  ownerName: column.text('owner_name'),
  keyId: column.optional(column.text('key_id')),
  way: column.word('way', NOTIFICATION_WAYS),
  address: column.text('address'),
  kinds: KINDS,
  language: column.word('language', LANGUAGES),
  createdAt: column.number('created_at'),
});

/** Where people are notified, inside one transaction. A removed recipient leaves no address behind. */
export interface RecipientStore {
  add(recipient: Recipient): Promise<void>;
  find(id: string): Promise<Recipient | undefined>;
  /** Returns the recipients of a person, or of all, oldest first. */
  list(ownerName?: string): Promise<Recipient[]>;
  /** Removes a recipient with its messages. Returns false if it does not exist. */
  remove(id: string): Promise<boolean>;
}

export function openRecipients(session: Session): RecipientStore {
  const rows = () => session('notification_recipients as r').select(RECIPIENT.columns('r'));
  return {
    async add(recipient) {
      await session('notification_recipients').insert(RECIPIENT.write(recipient));
    },
    find: (id) => RECIPIENT.first(rows().where('r.id', id)),
    list(ownerName) {
      const query = rows().orderBy('r.id');
      return RECIPIENT.all(ownerName === undefined ? query : query.where('r.owner_name', ownerName));
    },
    async remove(id) {
      const removed = await session('notification_recipients').where('id', id).delete();
      await session('notification_deliveries').where('recipient_id', id).delete();
      return removed > 0;
    },
  };
}
