// Goal: a person finds an agent by what they know: part of the name in either script, the phone or the id.
import { describe, expect, test } from '@jest/globals';
import { agentMatcher } from '../../../src/agents';

const AGENTS = [
  { agentId: '004711', fullName: 'Amel Ben Salâh', phone: '+216 98 123 456' },
  { agentId: 'T-12', fullName: 'سَلْمَى الطرابلسي', phone: '22333444 / 55 666 777' },
  { agentId: '4711', fullName: "Zoé M'Hamdi-Trabelsi", phone: '' },
];

const found = (text: string): string[] => AGENTS.filter(agentMatcher(text)).map(({ agentId }) => agentId);

describe('agentMatcher', () => {
  test.each([
    ['salah', ['004711']],
    ['SALA am', ['004711']],
    ['ben trab', []],
    ['سلمي', ['T-12']],
    ['طرابلسى', ['T-12']],
    ['الطراب سلمى', ['T-12']],
    ['hamdi', ['4711']],
    ['zoe trab', ['4711']],
    ['98123', ['004711']],
    ['+216 98 12', ['004711']],
    ['0021698123456', ['004711']],
    ['٩٨١٢٣', ['004711']],
    ['5566', ['T-12']],
    ['123456', []],
    ['004711', ['004711']],
    ['4711', ['4711']],
    ['T-1', ['T-12']],
    ['t-1', []],
    ['elah', []],
  ])('finds by %j the agents %j', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  test.each(['', ' ', 'a', '9', 'é'])('refuses %j as too short', (text) => {
    expect(() => agentMatcher(text)).toThrow('search text: expected 2 letters of a name, 4 digits of a phone number');
  });
});
