import { column, type NewRows, type Question, type Row, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { pagesOf, searchWordsOf } from '../kernel';
import type { AgentRecord } from './agent';

/** The greatest character of Unicode. Both databases compare words and ids by their bytes. */
export const LAST_CHARACTER = '\u{10FFFF}';

const FOUND = rowCodec({ agentId: column.text('agent_id') });
const WITH_WORD = 'select w.agent_id from agent_search_words as w where w.word >= ? and w.word < ? limit ?';
const THOSE_WITH_WORD =
  'select distinct w.agent_id from agent_search_words as w where w.agent_id in (?) and w.word >= ? and w.word < ?';

/** Returns the rows by which agents are found. */
export function searchWordRows(records: readonly AgentRecord[]): NewRows {
  const rows = records.flatMap(({ agentId, fullName, phone }) =>
    searchWordsOf(fullName, phone).map((word) => ({ word, agent_id: agentId })),
  );
  return { table: 'agent_search_words', rows };
}

/** Removes the words of agents, which are then found by their ids only. */
export async function removeSearchWords(session: Session, agentIds: readonly string[]): Promise<void> {
  await session('agent_search_words').whereIn('agent_id', agentIds).delete();
}

/** Returns the agents with a word that begins so, one time for each such word; at most `limit` words are read. */
export async function idsWithWord(session: Session, beginning: string, limit: number): Promise<string[]> {
  const [ids] = await session.ask([{ sql: WITH_WORD, values: [...rangeOf(beginning), limit], read: readIds }]);
  return ids;
}

/** Returns those of the agents that have a word that begins so. */
export async function thoseWithWord(
  session: Session,
  agentIds: readonly string[],
  beginning: string,
): Promise<string[]> {
  const questions = Array.from(pagesOf(agentIds, ROWS_PER_STATEMENT), (page): Question<string[]> => ({
    sql: THOSE_WITH_WORD,
    values: [page, ...rangeOf(beginning)],
    read: readIds,
  }));
  return (await session.ask(questions)).flat();
}

function readIds(rows: readonly Row[]): string[] {
  return rows.map((row) => FOUND.read(row).agentId);
}

/** Returns the first word that begins so, and the bound behind the last one. */
function rangeOf(beginning: string): [string, string] {
  return [beginning, beginning + LAST_CHARACTER];
}
