import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { hideValues } from '../../../src/logging';
import { redact } from '../../../src/logging/redact';

// Drivers quote the values that a database refused: an agent's id, most often.
const CANARY = '07654321-canary';

describe("S18: a driver's message", () => {
  test.each<[string, string]>([
    [`Duplicate entry 'service:${CANARY}' for key 'PRIMARY'`, "Duplicate entry '[value]' for key 'PRIMARY'"],
    [`Duplicate entry 'O'${CANARY}' for key 'agents_pk'`, "Duplicate entry '[value]' for key 'agents_pk'"],
    [`Duplicate entry 'a' for key '${CANARY}' for key 'PRIMARY'`, "Duplicate entry '[value]' for key 'PRIMARY'"],
    [`Duplicate entry '${CANARY} with its end cut o`, "Duplicate entry '[value]'"],
    [
      `Incorrect string value: '\\xF0 ${CANARY}' for column \`millime\`.\`agents\`.\`full_name\` at row 1`,
      "Incorrect string value: '[value]' for column `millime`.`agents`.`full_name` at row 1",
    ],
    ["Data too long for column 'agent_id' at row 1", "Data too long for column 'agent_id' at row 1"],
    ["Out of range value for column 'amount' at row 3", "Out of range value for column 'amount' at row 3"],
    [
      `You have an error in your SQL syntax; check the manual for the right syntax to use near '${CANARY}\n' at line 1`,
      "You have an error in your SQL syntax; check the manual for the right syntax to use near '[value]' at line 1",
    ],
    [`Truncated incorrect DOUBLE value: '${CANARY}'`, "Truncated incorrect DOUBLE value: '[value]'"],
    ['UNIQUE constraint failed: agents.id', 'UNIQUE constraint failed: agents.id'],
    [
      'insert into `agents` (`id`) values (?) - NOT NULL constraint failed: agents.id',
      'insert into `agents` (`id`) values (?) - NOT NULL constraint failed: agents.id',
    ],
    [`near "${CANARY}": syntax error`, "near '[value]': syntax error"],
    [`unrecognized token: "${CANARY}`, "unrecognized token: '[value]'"],
  ])('keeps the names of keys and columns, and no value: %s', (message, shown) => {
    expect(hideValues(message)).toBe(shown);
    expect(hideValues(message)).not.toContain('canary');
  });
});

describe('S18: a database error', () => {
  const duplicate = (): Error =>
    Object.assign(new Error(`Duplicate entry '${CANARY}\n    at ${CANARY}:1:1' for key 'PRIMARY'`), {
      code: 'ER_DUP_ENTRY',
      errno: 1062,
      sqlState: '23000',
      sql: `insert into agents values ('${CANARY}')`,
    });

  test.each<[string, () => unknown]>([
    ['itself', duplicate],
    ['as a cause', () => new Error('a unique key is taken', { cause: duplicate() })],
    ['repeated by the error around it', () => new Error(`failed: ${duplicate().message}`, { cause: duplicate() })],
    [
      'with the statement put before its message, as knex does',
      () => {
        const error = Object.assign(duplicate(), { sqlMessage: duplicate().message });
        error.message = `insert into \`agents\` values (?) - ${error.message}`;
        return error;
      },
    ],
    [
      'of a class of its own',
      () => ({ message: `near "${CANARY}"`, stack: `Error: near "${CANARY}"`, code: 'SQLITE_ERROR' }),
    ],
    ['several in one', () => new AggregateError([duplicate(), duplicate()], 'all failed')],
  ])('shows no value in message, stack and causes: %s', (_where, make) => {
    const text = inspect(redact({ error: make() }), { depth: 10 });
    expect(text).not.toContain('canary');
    expect(text).toMatch(/PRIMARY|\[value\]/);
  });

  test("names the missing table or column and the place in Millime's code", () => {
    const error = Object.assign(new Error("Table 'millime.agents' doesn't exist"), { code: 'ER_NO_SUCH_TABLE' });
    expect(redact(error)).toMatchObject({
      message: "Table 'millime.agents' doesn't exist",
      code: 'ER_NO_SUCH_TABLE',
      stack: expect.stringMatching(/^ {4}at .*driver-errors\.test/),
    });
  });

  test.each<[string, () => unknown]>([
    ['JSON that cannot be read', () => JSON.parse(`x${CANARY}`)],
    ['an argument that is not right', () => Buffer.alloc(CANARY as unknown as number)],
  ])('shows no text that the runtime quotes of %s', (_what, fail) => {
    let caught: unknown;
    try {
      fail();
    } catch (error) {
      caught = error;
    }
    expect((caught as Error).message).toContain('canary');
    expect(inspect(redact(caught))).not.toContain('canary');
  });
});
