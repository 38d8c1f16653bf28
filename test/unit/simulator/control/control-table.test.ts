import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CONTROL_ROUTES, routeRow } from '../../../../src/simulator/control/control-table';
import { MAGIC_CALLS, MAGIC_PAYERS } from '../../../../src/simulator/core/magic-amounts';
import { callFaultSchema } from '../../../../src/simulator/faults/call-fault';
import { decodeSettings, GATEWAY_PARTS } from '../../../../src/simulator/testing';
import { webhookFaultSchema } from '../../../../src/simulator/webhooks/webhook-fault';

const ROOT = join(__dirname, '../../../..');
const README = readFileSync(join(ROOT, 'src/simulator/README.md'), 'utf8');
const PAGE = readFileSync(join(ROOT, 'docs/SIMULATOR.md'), 'utf8');

/** The formatter pads the columns. */
const narrow = (row: string): string => row.replaceAll(/ +/g, ' ');

describe('The control API', () => {
  test('has exactly the routes that the README lists', () => {
    const rows = README.split('\n').filter((line) => /^\| `(GET|POST|PATCH|DELETE) /.test(line));
    expect(rows.map(narrow)).toEqual(CONTROL_ROUTES.map(routeRow).map(narrow));
  });

  test('has each route once', () => {
    const names = CONTROL_ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('The documents', () => {
  test('list the names of all operations in the order of the interface', () => {
    const [, list = ''] = /`operation` is the client's name of it:\s([^:]*)\.\s`path` is/.exec(README) ?? [];
    const names = [...new Set(GATEWAY_PARTS.operations.map(({ name }) => name))];
    expect([...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(names);
  });

  const kinds = [callFaultSchema, webhookFaultSchema].flatMap(({ options }) =>
    options.map(({ shape }) => shape.kind.value as string),
  );

  test.each(kinds)('name the fault %s', (kind) => {
    expect(README).toContain(`\`${kind}\``);
    expect(PAGE).toContain(`\`${kind}\``);
  });

  test.each([...Object.keys(MAGIC_CALLS), ...Object.keys(MAGIC_PAYERS)])('name the magic amount %s', (amount) => {
    expect(README).toContain(`\`${amount}\``);
  });

  test.each(Object.keys(decodeSettings({})))('name the setting %s', (name) => {
    expect(README).toMatch(new RegExp(`^\\|.*\`${name}(\\.\\w+)?\``, 'm'));
  });
});
