import { type FieldFault, fileIdFault, outsideIdFault } from '../kernel';
import type { AgentRecord } from './agent';

const NAME_CHARACTERS_MAX = 200;
const PHONE_CHARACTERS_MAX = 40;
const CONTROL_CHARACTER = /\p{Cc}/u;
const PHONE = /^(?:(?=.*\p{Nd})[+\p{Nd}\s()./-]+)?$/u;

/** Returns the faults of a record; none if it can be stored. In a file a spreadsheet may have changed the id. */
export function agentRecordFaults({ agentId, fullName, phone }: AgentRecord, isFile = false): FieldFault[] {
  const faults: FieldFault[] = [];
  const idFault = isFile ? fileIdFault(agentId) : outsideIdFault(agentId);
  if (idFault !== undefined) faults.push({ field: 'agentId', fault: idFault });
  if (fullName.trim() === '') faults.push({ field: 'fullName', fault: 'is empty' });
  faults.push(...textFaults('fullName', fullName, NAME_CHARACTERS_MAX));
  const phoneFaults = textFaults('phone', phone, PHONE_CHARACTERS_MAX);
  faults.push(...phoneFaults);
  if (phoneFaults.length === 0 && !PHONE.test(phone)) {
    faults.push({ field: 'phone', expected: 'a phone number or nothing', got: phone });
  }
  return faults;
}

function textFaults(field: string, text: string, charactersMax: number): FieldFault[] {
  if (!text.isWellFormed()) return [{ field, fault: 'is not valid Unicode' }];
  if (text.length > charactersMax) return [{ field, fault: `is longer than ${charactersMax} characters` }];
  return CONTROL_CHARACTER.test(text) ? [{ field, fault: 'has control characters' }] : [];
}
