import { column, databaseNow, type Decoded, rowCodec, type Session } from '../../db';

const UPLOAD = rowCodec({
  id: column.text('id'),
  name: column.text('name'),
  sizeBytes: column.number('size_bytes'),
  sha256: column.optional(column.text('sha256')),
  createdAt: column.number('created_at'),
  expiresAt: column.number('expires_at'),
  createdBy: column.text('created_by'),
});
const CHUNK = rowCodec({ content: column.bytes('content') });
const ID = rowCodec({ id: column.text('id') });

/** The row of an upload. Its digest is undefined until its last byte has arrived. */
export type UploadRow = Decoded<typeof UPLOAD>;

/** The uploads inside one transaction. Their times are those of the database's clock. */
export interface UploadStore {
  /** Lets every other transaction that calls it wait, so that the uploads can be counted before one is added. */
  lockQuota(): Promise<void>;
  /** Returns the uploads that have not expired, in the order of their ids. */
  kept(): Promise<UploadRow[]>;
  /** Adds an upload without content, which expires after `forMs`. Until it is complete, its size is what may arrive. */
  add(upload: Pick<UploadRow, 'id' | 'name' | 'createdBy' | 'sizeBytes'>, forMs: number): Promise<void>;
  /** Adds a piece, and lets the upload expire `forMs` from now. Returns false if the upload is gone. */
  append(id: string, position: number, content: Buffer, forMs: number): Promise<boolean>;
  /** Completes an upload, which expires `forMs` from now. Returns false if the upload is gone. */
  finish(id: string, whole: { readonly sha256: string; readonly sizeBytes: number }, forMs: number): Promise<boolean>;
  /** Returns a complete upload that has not expired. */
  find(id: string): Promise<UploadRow | undefined>;
  /** Returns the pieces of an upload, in their order. */
  chunks(id: string): Promise<Buffer[]>;
  /** Removes an upload. Returns false if it is gone. */
  remove(id: string): Promise<boolean>;
  /** Returns the ids of expired uploads, at most `limit`. */
  expired(limit: number): Promise<string[]>;
}

const TABLE = 'statement_uploads';
const CHUNKS = 'statement_upload_chunks';
const QUOTAS = 'statement_upload_quotas';

export function openUploads(session: Session): UploadStore {
  const extend = async (id: string, row: object, forMs: number): Promise<boolean> => {
    const expires = { expires_at: (await databaseNow(session)) + forMs };
    return (
      (await session(TABLE)
        .where({ id })
        .update({ ...row, ...expires })) === 1
    );
  };
  return {
    lockQuota: () => lockQuota(session),
    kept: () => keptUploads(session),
    async add(upload, forMs) {
      const createdAt = await databaseNow(session);
      const times = { createdAt, expiresAt: createdAt + forMs };
      await session(TABLE).insert(UPLOAD.write({ ...upload, ...times, sha256: undefined }));
    },
    async append(id, position, content, forMs) {
      if (!(await extend(id, {}, forMs))) return false;
      await session(CHUNKS).insert({ upload_id: id, position, content });
      return true;
    },
    finish: (id, { sha256, sizeBytes }, forMs) => extend(id, { sha256, size_bytes: sizeBytes }, forMs),
    async find(id) {
      const now = await databaseNow(session);
      return UPLOAD.first(
        session(`${TABLE} as u`)
          .select(UPLOAD.columns('u'))
          .where('u.id', id)
          .whereNotNull('u.sha256')
          .where('u.expires_at', '>', now),
      );
    },
    async chunks(id) {
      const found = await CHUNK.all(
        session(`${CHUNKS} as c`).select(CHUNK.columns('c')).where('c.upload_id', id).orderBy('c.position'),
      );
      return found.map(({ content }) => content);
    },
    async remove(id) {
      // The row first: it waits for a piece that is being added, so that no piece is left.
      const removed = await session(TABLE).where({ id }).delete();
      await session(CHUNKS).where({ upload_id: id }).delete();
      return removed === 1;
    },
    async expired(limit) {
      const now = await databaseNow(session);
      const found = await ID.all(
        session(`${TABLE} as u`)
          .select(ID.columns('u'))
          .where('u.expires_at', '<=', now)
          .orderBy('u.expires_at')
          .limit(limit),
      );
      return found.map(({ id }) => id);
    },
  };
}

/** On MariaDB the insertion locks the row if it is there. SQLite has one writer at a time. */
async function lockQuota(session: Session): Promise<void> {
  const row = { name: 'uploads', counted_at: await databaseNow(session) };
  await session.insert([{ table: QUOTAS, rows: [row], whenTaken: { key: 'name' } }]);
}

async function keptUploads(session: Session): Promise<UploadRow[]> {
  const now = await databaseNow(session);
  const kept = session(`${TABLE} as u`).select(UPLOAD.columns('u')).where('u.expires_at', '>', now);
  return UPLOAD.all(kept.orderBy('u.id'));
}
