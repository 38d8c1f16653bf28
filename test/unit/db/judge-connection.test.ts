import { describe, expect, test } from '@jest/globals';
import { HostLeftError, NoHostError, StatementDeadlineError } from '../../../src/db/errors';
import {
  healthAfter,
  healthOf,
  type HostHealth,
  judgeConnection,
  type Verdict,
} from '../../../src/db/judge-connection';
import { AppError } from '../../../src/kernel';

// Goal: one function decides what happens to a connection, for reads and writes, on a cluster and on one plain server.

const mariadb = (errno: number, code = 'ER_SOMETHING'): Error => Object.assign(new Error(code), { errno, code });
const network = (code: string): Error => Object.assign(new Error(code), { code, errno: -104 });

const LOCK_WAIT = mariadb(1205, 'ER_LOCK_WAIT_TIMEOUT');
const READ_ONLY = mariadb(1290, 'ER_OPTION_PREVENTS_STATEMENT');

describe('judgeConnection', () => {
  test.each<[string, unknown, HostHealth | undefined, Verdict]>([
    // Without an error the health decides.
    ['no error', undefined, undefined, 'use'],
    ['no error', undefined, 'well', 'use'],
    ['no error', undefined, 'behind', 'use'],
    ['no error', undefined, 'limited', 'elsewhere'],
    ['no error', undefined, 'silent', 'elsewhere'],
    ['no error', undefined, 'lost', 'elsewhere'],
    // A wait that ended: for a row's lock, or for a cluster that is gone.
    ['1205', LOCK_WAIT, undefined, 'ask'],
    ['1205', LOCK_WAIT, 'well', 'use'],
    ['1205', LOCK_WAIT, 'behind', 'use'],
    ['1205', LOCK_WAIT, 'lost', 'elsewhere'],
    // Read-only: the server, or a transaction of ours.
    ['1290', READ_ONLY, undefined, 'ask'],
    ['1290', READ_ONLY, 'limited', 'elsewhere'],
    ['1290', READ_ONLY, 'well', 'use'],
    ['1792', mariadb(1792, 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'), undefined, 'ask'],
    ['1792', mariadb(1792, 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'), 'well', 'use'],
    ['1836', mariadb(1836, 'ER_READ_ONLY_MODE'), undefined, 'ask'],
    // The server cannot serve at all.
    ['1047', mariadb(1047, 'ER_UNKNOWN_COM_ERROR'), undefined, 'elsewhere'],
    ['1047', mariadb(1047, 'ER_UNKNOWN_COM_ERROR'), 'well', 'elsewhere'],
    ['1040', mariadb(1040, 'ER_CON_COUNT_ERROR'), undefined, 'elsewhere'],
    ['connection refused', network('ECONNREFUSED'), undefined, 'elsewhere'],
    ['no answer to a connect', network('ETIMEDOUT'), undefined, 'elsewhere'],
    // Only this connection is gone.
    ['1180', mariadb(1180, 'ER_ERROR_DURING_COMMIT'), undefined, 'destroy'],
    ['1180', mariadb(1180, 'ER_ERROR_DURING_COMMIT'), 'lost', 'elsewhere'],
    ['1927', mariadb(1927, 'ER_CONNECTION_KILLED'), undefined, 'destroy'],
    ['reset', network('ECONNRESET'), undefined, 'destroy'],
    ['closed by the server', network('PROTOCOL_CONNECTION_LOST'), undefined, 'destroy'],
    ['deadline', new StatementDeadlineError('late'), undefined, 'destroy'],
    ['host left', new HostLeftError('left'), undefined, 'destroy'],
    // Neither the connection nor the host is at fault.
    ['deadlock', mariadb(1213, 'ER_LOCK_DEADLOCK'), undefined, 'use'],
    ['changed since read', mariadb(1020, 'ER_CHECKREAD'), undefined, 'use'],
    ['duplicate', mariadb(1062, 'ER_DUP_ENTRY'), undefined, 'use'],
    ['disk full', mariadb(1114, 'ER_RECORD_FILE_FULL'), undefined, 'use'],
    ['missing right', mariadb(1142, 'ER_TABLEACCESS_DENIED_ERROR'), undefined, 'use'],
    ['bug', mariadb(1064, 'ER_PARSE_ERROR'), undefined, 'use'],
    ['busy pool', Object.assign(new Error('Timeout'), { name: 'KnexTimeoutError' }), undefined, 'use'],
    ['error of the work', new AppError('unavailable', 'the gateway'), undefined, 'use'],
    ['thrown text', 'stop', undefined, 'use'],
  ])('F17, F28: judges %s (%p) on a server that is %p: %s', (_what, error, health, verdict) => {
    expect(judgeConnection(error, health)).toBe(verdict);
  });
});

describe('healthOf', () => {
  const plain = { read_only: 'OFF', innodb_read_only: 'OFF', wsrep_on: 'OFF' };
  const member = {
    ...plain,
    wsrep_on: 'ON',
    wsrep_ready: 'ON',
    wsrep_cluster_status: 'Primary',
    wsrep_local_state: '4',
  };

  test.each<[string, Readonly<Record<string, string>>, HostHealth]>([
    ['a plain server', plain, 'well'],
    ['a plain server without the cluster library', { read_only: 'OFF', innodb_read_only: 'OFF' }, 'well'],
    ['a plain server that reports an idle cluster library', { ...plain, wsrep_ready: 'OFF' }, 'well'],
    ['a read-only server', { ...plain, read_only: 'ON' }, 'limited'],
    ['a read-only server of a later version', { ...plain, read_only: 'READ_ONLY_NO_LOCK' }, 'limited'],
    ['a server with read-only files', { ...plain, innodb_read_only: 'ON' }, 'limited'],
    ['a server that shows nothing', {}, 'limited'],
    ['a member', member, 'well'],
    ['a member that is not ready', { ...member, wsrep_ready: 'OFF' }, 'lost'],
    ['a member without quorum', { ...member, wsrep_cluster_status: 'non-Primary' }, 'lost'],
    ['a member that left', { ...member, wsrep_ready: 'OFF', wsrep_cluster_status: 'Disconnected' }, 'lost'],
    ['a member that shows no status', { ...plain, wsrep_on: 'ON' }, 'lost'],
    ['a member that sends its data', { ...member, wsrep_local_state: '2' }, 'behind'],
    ['a member that catches up', { ...member, wsrep_local_state: '3' }, 'behind'],
    ['a read-only member', { ...member, read_only: 'ON' }, 'limited'],
  ])('F28: reads %s', (_what, shown, health) => {
    expect(healthOf(new Map(Object.entries(shown)))).toBe(health);
  });
});

describe('healthAfter', () => {
  test.each<[string, unknown, HostHealth]>([
    ['connection refused', network('ECONNREFUSED'), 'lost'],
    ['no route', network('EHOSTUNREACH'), 'lost'],
    ['reset', network('ECONNRESET'), 'lost'],
    ['not prepared', mariadb(1047, 'ER_UNKNOWN_COM_ERROR'), 'lost'],
    ['no answer to a connect', network('ETIMEDOUT'), 'silent'],
    ['deadline', new StatementDeadlineError('late'), 'silent'],
    ['too many connections', mariadb(1040, 'ER_CON_COUNT_ERROR'), 'limited'],
    ['wrong password', mariadb(1045, 'ER_ACCESS_DENIED_ERROR'), 'limited'],
    ['unknown name', network('ENOTFOUND'), 'limited'],
    ['no host', new NoHostError('none'), 'limited'],
    ['nothing', undefined, 'limited'],
  ])('F28: reads a host after %s', (_what, error, health) => {
    expect(healthAfter(error)).toBe(health);
  });
});
