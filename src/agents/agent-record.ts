import { outsideIdFault } from '../kernel';
import type { AgentRecord } from './agent';

const NAME_CHARACTERS_MAX = 200;
const PHONE_CHARACTERS_MAX = 40;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Returns one text per fault of a record; none if it can be stored. */
export function agentRecordFaults({ agentId, fullName, phone }: AgentRecord): string[] {
  const faults: string[] = [];
  const idFault = outsideIdFault(agentId);
  if (idFault !== undefined) faults.push(`agent_id: ${idFault}`);
  if (fullName.trim() === '') faults.push('full_name: is empty');
  faults.push(...textFaults('full_name', fullName, NAME_CHARACTERS_MAX));
  faults.push(...textFaults('phone', phone, PHONE_CHARACTERS_MAX));
  return faults;
}

function textFaults(field: string, text: string, charactersMax: number): string[] {
  if (!text.isWellFormed()) return [`${field}: is not valid Unicode`];
  if (text.length > charactersMax) return [`${field}: is longer than ${charactersMax} characters`];
  return CONTROL_CHARACTER.test(text) ? [`${field}: has control characters`] : [];
}
