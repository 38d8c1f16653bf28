import type { Session } from './session';

/**
 * Waits until no other transaction has the turn of this name, and keeps it until the transaction ends. What it reads
 * afterwards includes the writes of earlier holders.
 *
 * Nodes of a cluster do not know each other's row locks, but of two transactions that write one row only one commits.
 * So a turn is a write: on two nodes both holders work, and the later one is rolled back at its COMMIT and runs again.
 * SQLite has one writer at a time and needs no turn.
 */
export async function takeTurn(session: Session, name: string): Promise<void> {
  if (session.dialect === 'sqlite') return;
  const take = (): Promise<number> => session('exclusive_turns').where('name', name).increment('taken', 1);
  if ((await take()) > 0) return;
  await session.insert([{ table: 'exclusive_turns', rows: [{ name, taken: 0 }], whenTaken: { key: 'name' } }]);
  await take();
}
