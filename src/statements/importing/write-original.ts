import type { Database } from '../../db';
import { requireStatement } from '../require-statement';
import { openStatements } from '../statement-store';
import { bankFileOfChunks } from './original-bytes';

/**
 * Writes the original bytes of a statement's file, unpacked piece by piece, until `write` returns false.
 *
 * @throws AppError `not_found`; and every error of `write`.
 */
export async function writeOriginal(
  database: Database,
  statementId: string,
  write: (piece: Buffer) => Promise<boolean>,
): Promise<void> {
  const { file, chunks } = await database.read(
    async (session) => {
      const found = await requireStatement(session, statementId);
      return { file: found.file, chunks: await openStatements(session).originalChunks(found.file.id) };
    },
    { snapshot: true },
  );
  for (const piece of bankFileOfChunks(file, chunks).pieces()) if (!(await write(piece))) return;
}
