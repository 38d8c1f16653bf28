import type { Session } from '../db';
import { AppError, compareBytes, soughtWords } from '../kernel';
import type { Agent } from './agent';
import { openAgentDirectory } from './agent-store';
import { idsWithWord, thoseWithWord } from './search-word-store';

/** The agents that fit a search text. */
export interface AgentSearch {
  /** The agent with exactly this id, then agents by phone, by name and by the beginning of the id. */
  readonly agents: readonly Agent[];
  /** True if more agents fit than were asked for. */
  readonly hasMore: boolean;
  /** True if too many agents fit to look through. Then only an agent with exactly this id is returned. */
  readonly tooMany: boolean;
}

/** A search looks through at most this number of agents. */
const AGENTS_SEARCHED_MAX = 2_000;
/** The index is read for each word of a text. */
const WORDS_MAX = 8;
const ID_CHARACTERS_MIN = 3;
/** With at most this number of agents, a word is rare enough, and the others are not compared. */
const RARE_AGENTS = 50;

/**
 * Finds agents by a text: the id or at least three characters of its beginning, the beginning of a phone number with or
 * without the country code, or the beginnings of words of the name in any order (`foldText`). Reads at most 2,001
 * entries of the index for each word, and never the whole table of agents.
 *
 * @throws AppError `bad_input` for a text that is too short to search for, or has too many words.
 */
export async function searchAgents(session: Session, text: string, limit: number): Promise<AgentSearch> {
  const sought = text.trim();
  const { name, phone } = soughtWords(sought);
  if (name.length > WORDS_MAX) {
    throw new AppError('bad_input', { field: 'search text', expected: `at most ${WORDS_MAX} words`, got: text });
  }
  const directory = openAgentDirectory(session);
  const exact = await directory.find([sought]);
  const isLongId = sought.length >= ID_CHARACTERS_MIN;
  if (exact.size === 0 && name.length === 0 && phone === undefined && !isLongId) {
    const expected = '2 letters of a name, 4 digits of a phone number or an id';
    throw new AppError('bad_input', { field: 'search text', expected, got: text });
  }
  const byPhone = phone === undefined ? [] : await idsWithAll(session, [phone]);
  const byName = name.length === 0 ? [] : await idsWithAll(session, name);
  if (byPhone === undefined || byName === undefined) {
    return { agents: [...exact.values()], hasMore: false, tooMany: true };
  }
  const byId = isLongId ? await directory.idsBeginning(sought, limit + 1) : [];
  const ids = [...new Set([...exact.keys(), ...byPhone, ...byName, ...byId])];
  const shown = ids.slice(0, limit);
  const agents = await directory.find(shown);
  return { agents: shown.flatMap((id) => agents.get(id) ?? []), hasMore: ids.length > limit, tooMany: false };
}

/** Returns the agents that have all words, in the byte order of their ids; undefined if they are too many to look through. */
async function idsWithAll(session: Session, words: readonly string[]): Promise<string[] | undefined> {
  // Long words are usually rare.
  const [first = '', ...others] = [...words].sort((a, b) => b.length - a.length);
  let rarest = { word: first, ids: await idsWithWord(session, first, AGENTS_SEARCHED_MAX + 1) };
  for (const word of others) {
    if (rarest.ids.length <= RARE_AGENTS) break;
    const ids = await idsWithWord(session, word, rarest.ids.length);
    if (ids.length < rarest.ids.length) rarest = { word, ids };
  }
  if (rarest.ids.length > AGENTS_SEARCHED_MAX) return undefined;
  let found = [...new Set(rarest.ids)];
  for (const word of words) if (word !== rarest.word) found = await thoseWithWord(session, found, word);
  return found.sort(compareBytes);
}
