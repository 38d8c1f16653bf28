import { describe, expect, test } from '@jest/globals';
import { grantStatements } from '../../../src/db';

const request = { purpose: 'runtime', database: 'mil_lime', user: 'app', host: '%' } as const;

describe('grantStatements', () => {
  test('names every table with its rights, and no table without rights', () => {
    const statements = grantStatements(request);
    expect(statements).toContain("grant select, insert on `mil_lime`.`postings` to 'app'@'%'");
    expect(statements).toContain("grant select, insert, update on `mil_lime`.`payments` to 'app'@'%'");
    expect(statements).toContain("grant select on `mil_lime`.`schema_migrations` to 'app'@'%'");
    expect(statements.join()).not.toContain('schema_migrations_lock');
  });

  test('quotes user, host and database', () => {
    const quoted = { ...request, user: "o'brien", host: '10.0.0.%', database: 'a`b' };
    expect(grantStatements(quoted)).toContain(
      "grant select, insert on `a``b`.`agent_confirmations` to 'o''brien'@'10.0.0.%'",
    );
    const [migration] = grantStatements({ ...request, purpose: 'migration' });
    expect(migration).toContain(" on `mil\\_lime`.* to 'app'@'%'");
  });

  test.each(["a\\' or 1", 'a\nb', '', 'x'.repeat(129)])('refuses the user %j', (user) => {
    expect(() => grantStatements({ ...request, user })).toThrow(/^--user: expected 1 to 128 characters/);
  });
});
