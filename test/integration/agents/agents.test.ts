// Goal: a file of agents is imported as a whole or refused with every invalid line named, whatever program wrote it.
// Method: the room on both databases, with files built by hand.
import { beforeEach, expect, test } from '@jest/globals';
import { type Agents, createAgents, type ImportAgentsResult } from '../../../src/agents';
import { AppError } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { fixedClock } from '../../support/fakes';
import { contents, rowCounts } from '../ledger/row-counts';

const START = '2026-03-02T09:00:00+01:00';

async function faultsOf(work: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'bad_input' });
  return error instanceof AppError ? error.details : [];
}

describeOnEachDatabase('the directory of agents', (harness) => {
  const clock = fixedClock(START);
  let agents: Agents;

  beforeEach(() => {
    clock.set(START);
    agents = createAgents({ database: harness.database, clock });
  });

  const importText = (text: string, dryRun = false): Promise<ImportAgentsResult> =>
    agents.importCsv(Buffer.from(text), { ...BY_TEST, dryRun });
  const file = (...rows: readonly string[]): string => ['agent_id,full_name,phone', ...rows, ''].join('\n');

  test('imports a file, and a second import changes nothing', async () => {
    const text = file('004711,Amel Trabelsi,+216 20 000 001', '4711,Sami Ben Ali,');
    expect(await importText(text)).toEqual({ added: 2, updated: 0, unchanged: 0 });
    const before = await contents(harness.database);
    clock.advance(60_000);
    expect(await importText(text)).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('keeps 004711 and 4711 apart, byte for byte', async () => {
    await importText(file('004711,Amel Trabelsi,1', '4711,Sami Ben Ali,2', 'é1,Zoé,3', 'É1,Zoë,4'));
    expect(await agents.find('004711')).toMatchObject({ agentId: '004711', fullName: 'Amel Trabelsi' });
    expect(await agents.find('4711')).toMatchObject({ agentId: '4711', fullName: 'Sami Ben Ali' });
    expect(await agents.find('É1')).toMatchObject({ agentId: 'É1', fullName: 'Zoë' });
    await expect(agents.find('04711')).rejects.toMatchObject({ code: 'not_found' });
    await expect(agents.find('4711 ')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('stores and counts a new name or phone of a known agent', async () => {
    await importText(file('1,Amel Trabelsi,20', '2,Sami Ben Ali,21', '3,Nour Said,22'));
    clock.advance(60_000);
    const result = await importText(file('1,Amel Ben Trabelsi,20', '2,Sami Ben Ali,99', '3,Nour Said,22', '4,Ali,'));
    expect(result).toEqual({ added: 1, updated: 2, unchanged: 1 });
    expect(await agents.find('1')).toMatchObject({ fullName: 'Amel Ben Trabelsi', phone: '20' });
    expect(await agents.find('2')).toMatchObject({ fullName: 'Sami Ben Ali', phone: '99' });
  });

  test('updates a closed agent and leaves it closed', async () => {
    await importText(file('1,Amel Trabelsi,20'));
    expect(await agents.close('1', BY_TEST)).toBe('closed');
    expect(await agents.close('1', BY_TEST)).toBe('already_closed');
    expect(await importText(file('1,Amel Trabelsi,21'))).toEqual({ added: 0, updated: 1, unchanged: 0 });
    expect(await agents.find('1')).toMatchObject({ status: 'closed', phone: '21', closedAt: clock.now() });
  });

  test('refuses to close an unknown agent', async () => {
    await expect(agents.close('1', BY_TEST)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('imports nothing of a file with bad lines and names each with its reason', async () => {
    const text = file(
      '1,Amel,1',
      ' 2,Sami,2',
      '3,,3',
      '1,Again,4',
      '5,Too,many,columns',
      ',Nobody,6',
      `7,${'x'.repeat(201)},7`,
    );
    expect([...(await faultsOf(importText(text)))].sort()).toEqual([
      'line 3: agent_id: has outer spaces',
      'line 4: full_name: is empty',
      'line 5: agent_id: is already on line 2',
      'line 6: has 4 columns, the header has 3',
      'line 7: agent_id: is empty',
      'line 8: full_name: is longer than 200 characters',
    ]);
    expect((await rowCounts(harness.database))['agents']).toBe(0);
  });

  test.each([
    ['line feeds', '\n', ''],
    ['carriage returns and line feeds', '\r\n', ''],
    ['line feeds after a byte order mark', '\n', '\ufeff'],
    ['carriage returns and line feeds after a byte order mark', '\r\n', '\ufeff'],
  ])('counts blank lines in a file with %s', async (_name, newline, mark) => {
    const lines = ['agent_id,full_name,phone', '', '1,Amel,1', '', '', '2,,2', '3,Nour,3', ''];
    expect(await faultsOf(importText(mark + lines.join(newline)))).toEqual(['line 6: full_name: is empty']);
    lines[5] = '2,Sami,2';
    expect(await importText(mark + lines.join(newline))).toEqual({ added: 3, updated: 0, unchanged: 0 });
    expect(await agents.find('1')).toMatchObject({ agentId: '1', fullName: 'Amel' });
  });

  test('accepts the columns in any order', async () => {
    await importText('phone,agent_id,full_name\n20,1,"Trabelsi, ""Amel"""\n');
    expect(await agents.find('1')).toMatchObject({ fullName: 'Trabelsi, "Amel"', phone: '20' });
  });

  test.each([
    ['', 'line 1: the file is empty'],
    [
      'agent_id,full_name\n1,Amel\n',
      'line 1: the header must be agent_id,full_name,phone; missing: phone or "telephone"',
    ],
    ['agent_id,full_name,phone,age\n', 'line 1: the header must be agent_id,full_name,phone; unknown: "age"'],
    ['agent_id,full_name,phone,phone\n', 'line 1: the header must be agent_id,full_name,phone; a column stands twice'],
    ['agent_id,full_name,phone\n1,Am"el,1\n', 'line 2: a quotation mark stands inside a field that is not quoted'],
  ])('refuses the file %j', async (text, fault) => {
    expect(await faultsOf(importText(text))).toEqual([fault]);
  });

  test('names the line with bytes that are neither UTF-8 nor windows-1252', async () => {
    const arabic = Buffer.from([0x32, 0x2c, 0xc7, 0xe1, 0xd3, 0xe1, 0x2c, 0x0a]);
    const damaged = Buffer.concat([Buffer.from('2,Zoé,\n'), Buffer.from([0x33, 0x2c, 0xe9, 0x2c, 0x0a])]);
    for (const rest of [arabic, damaged]) {
      const bytes = Buffer.concat([Buffer.from(file('1,Amel,1')), rest]);
      expect(await faultsOf(agents.importCsv(bytes, BY_TEST))).toEqual([
        'line 3: expected utf-8 or windows-1252, got other bytes; save the file as UTF-8',
      ]);
    }
    expect((await rowCounts(harness.database))['agents']).toBe(0);
  });

  test.each([
    ['windows-1252', 'latin1', ''],
    ['UTF-8', 'utf8', ''],
    ['UTF-16', 'utf16le', '\ufeff'],
  ] as const)('imports a French spreadsheet with semicolons in %s', async (_name, encoding, mark) => {
    const text = ['Matricule;Nom et prénom;N° Téléphone', '004711;Zoé Ben Salâh;98 123 456', ';;', ''].join('\r\n');
    const bytes = Buffer.from(mark + text, encoding);
    expect(await agents.importCsv(bytes, BY_TEST)).toEqual({ added: 1, updated: 0, unchanged: 0 });
    expect(await agents.find('004711')).toMatchObject({ fullName: 'Zoé Ben Salâh', phone: '98 123 456' });
  });

  test('imports nothing of a file whose ids or phones a spreadsheet changed, and names them as the file does', async () => {
    const changed = 'format the column as text, correct it and export again';
    const text = ['Code agent\tNom\tGSM', '20 600\tAmel\t', '2.06E+04\tSami\t', '3\tNour\tabc', '4\tAli\t9,81E+07']
      .join('\n')
      .replace('20 600', '20\u00a0600');
    expect(await faultsOf(importText(text))).toEqual([
      `line 2: Code agent: a spreadsheet changed it to "20\u00a0600"; ${changed}`,
      `line 3: Code agent: a spreadsheet changed it to "2.06E+04"; ${changed}`,
      'line 4: GSM: expected a phone number or nothing, got "abc"',
      'line 5: GSM: expected a phone number or nothing, got "9,81E+07"',
    ]);
    expect((await rowCounts(harness.database))['agents']).toBe(0);
  });

  test('stores nothing in a dry run and reports what it would do', async () => {
    await importText(file('1,Amel,1'));
    const before = await contents(harness.database);
    expect(await importText(file('1,Amel,2', '2,Sami,3'), true)).toEqual({ added: 1, updated: 1, unchanged: 0 });
    await agents.add({ agentId: '3', fullName: 'Nour', phone: '' }, { ...BY_TEST, dryRun: true });
    expect(await agents.close('1', { ...BY_TEST, dryRun: true })).toBe('closed');
    expect(await contents(harness.database)).toEqual(before);
  });

  test('imports each agent once in two concurrent imports of a file longer than a page', async () => {
    const text = file(...Array.from({ length: 250 }, (_, index) => `A${index},Agent ${index},`));
    const results = await Promise.all([importText(text), importText(text)]);
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(250);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(250);
    expect((await rowCounts(harness.database))['agents']).toBe(250);
  });

  test('adds one agent and refuses a taken or invalid id', async () => {
    const record = { agentId: '1', fullName: 'Amel', phone: '' };
    await agents.add(record, BY_TEST);
    await expect(agents.add({ ...record, fullName: 'Sami' }, BY_TEST)).rejects.toMatchObject({ code: 'conflict' });
    await expect(agents.add({ ...record, agentId: 'a\u0000' }, BY_TEST)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'agentId: has control characters',
    });
    expect(await agents.find('1')).toMatchObject({ fullName: 'Amel' });
  });
});
