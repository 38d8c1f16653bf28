import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastFolder } from './fast-folder';
import { MariaDbServer } from './mariadb-server';
import { testRun } from './test-run';

// Shared with the teardown, which jest loads as a module of its own.
declare global {
  var millimeTestServer: MariaDbServer | undefined;
}

// Nothing of this server outlives the run. Tests that stop or kill a server start one of their own, which waits for the disk.
const FAST = [
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=0',
  '--sync-frm=0',
  '--innodb-stats-persistent=0',
  '--innodb-buffer-pool-size=64M',
];

export default async function globalSetup(): Promise<void> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    if (!MariaDbServer.isInstalled()) {
      process.stderr.write('mariadbd: not installed; the tests that stop or kill a server of their own are skipped\n');
    }
    return testRun.start(runFolder(), given);
  }
  if (MariaDbServer.isInstalled()) {
    const server = await MariaDbServer.create({ flags: FAST });
    globalThis.millimeTestServer = server;
    const folder = runFolder(server.folder);
    const data = join(folder, 'mariadb-data');
    await server.copyData(data);
    await server.start();
    return testRun.start(folder, server.url('millime'), data);
  }
  if (process.env['CI'] === 'true') {
    throw new Error('CI=true, but there is no MariaDB: install mariadb-server, or set TEST_DATABASE_URL');
  }
  process.stderr.write(
    'MariaDB: not installed; its tests are skipped (install mariadb-server, or set TEST_DATABASE_URL)\n',
  );
  testRun.start(runFolder(), undefined);
}

/** Inside the server's folder where there is one, because that is removed even when we are killed. */
function runFolder(parent = fastFolder()): string {
  const folder = mkdtempSync(join(parent, 'millime-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
