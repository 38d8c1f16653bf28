import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort, MariaDbServer } from './mariadb-server';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const NODES = 3;
const SYNCED_LIMIT_MS = 60_000;
const POLL_MS = 50;

// For one machine: a node is expelled after about two seconds instead of six.
const TUNED =
  'evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.2S;evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S;' +
  'evs.install_timeout=PT3S;gcache.size=16M';

/**
 * For suites on three Galera nodes, which are heavy: `npm run test:faults -- --galera` runs them, and `.ci/run` where the
 * packages can be installed. Otherwise they are reported as skipped, and the reason is printed.
 */
export function describeOnGalera(name: string, define: () => void): void {
  const reason = missing();
  if (reason === undefined) return describe(name, define);
  process.stderr.write(`Galera: ${reason}; "${name}" is skipped\n`);
  describe.skip(name, define);
}

function missing(): string | undefined {
  if (process.env['GALERA'] !== '1') return 'not asked for (npm run test:faults -- --galera, or GALERA=1)';
  if (!MariaDbServer.isInstalled()) return 'no MariaDB server is installed';
  if (!existsSync(PROVIDER)) return `${PROVIDER} is missing: install galera-4`;
  return existsSync('/usr/bin/rsync') ? undefined : 'rsync is not installed';
}

/** One node of a cluster. */
export class GaleraNode {
  readonly server: MariaDbServer;

  constructor(server: MariaDbServer) {
    this.server = server;
  }

  get address(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  /** Separates the node from the others, not from its clients. */
  isolate(): Promise<void> {
    return this.query("set global wsrep_provider_options = 'gmcast.isolate=1'").then(() => undefined);
  }

  /** Ends `isolate`. */
  join(): Promise<void> {
    return this.query("set global wsrep_provider_options = 'gmcast.isolate=0'").then(() => undefined);
  }

  async connect(): Promise<Connection> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.server.port,
      user: 'root',
      connectTimeout: 1_000,
    });
    connection.on('error', () => undefined); // its next statement reports it
    return connection;
  }

  async query(sql: string): Promise<RowDataPacket[]> {
    const connection = await this.connect();
    try {
      const [rows] = await connection.query<RowDataPacket[]>(sql);
      return rows;
    } finally {
      connection.destroy();
    }
  }

  async status(name: string): Promise<string> {
    return String((await this.query(`show global status like '${name}'`))[0]?.['Value']);
  }

  async isSynced(): Promise<boolean> {
    try {
      if ((await this.status('wsrep_local_state')) !== '4') return false;
      return (await this.status('wsrep_cluster_size')) === String(NODES) && (await this.status('wsrep_ready')) === 'ON';
    } catch {
      return false; // it is not reachable yet
    }
  }
}

/** Three Galera nodes on 127.0.0.1. */
export class GaleraCluster {
  readonly nodes: readonly GaleraNode[];

  private constructor(nodes: readonly GaleraNode[]) {
    this.nodes = nodes;
  }

  static async start(): Promise<GaleraCluster> {
    const ports: number[] = [];
    for (let node = 0; node < NODES; node += 1) ports.push(await freePort());
    const nodes: GaleraNode[] = [];
    const cluster = new GaleraCluster(nodes);
    try {
      for (const port of ports) {
        const flags = await flagsOf(port, ports);
        // The transfer of the data fails as root.
        const options = process.getuid?.() === 0 ? { flags, user: 'mysql' } : { flags };
        const node = new GaleraNode(await MariaDbServer.create(options));
        nodes.push(node);
        await node.server.start(nodes.length === 1 ? ['--wsrep-new-cluster'] : []);
      }
      await cluster.synced();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** A DATABASE_URL of all nodes, in their order. */
  url(database: string): string {
    return `mysql://root@${this.nodes.map(({ address }) => address).join(',')}/${database}`;
  }

  /** Waits until every node is a member and has every write. */
  async synced(): Promise<void> {
    const until = performance.now() + SYNCED_LIMIT_MS;
    for (;;) {
      const all = await Promise.all(this.nodes.map((node) => node.isSynced()));
      if (!all.includes(false)) {
        const committed = await Promise.all(this.nodes.map((node) => node.status('wsrep_last_committed')));
        if (new Set(committed).size === 1) return;
      }
      if (performance.now() > until) throw new Error('the cluster is not synced');
      await pause(POLL_MS);
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.remove()));
  }
}

async function flagsOf(port: number, ports: readonly number[]): Promise<string[]> {
  const [ist, sst] = [await freePort(), await freePort()];
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    '--wsrep-cluster-name=millime_test',
    `--wsrep-cluster-address=gcomm://${ports.map((each) => `127.0.0.1:${each}`).join(',')}`,
    `--wsrep-node-address=127.0.0.1:${port}`,
    `--wsrep-node-name=node-${ports.indexOf(port) + 1}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${port};ist.recv_addr=127.0.0.1:${ist};` +
      `ist.recv_bind=127.0.0.1:${ist};${TUNED}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-buffer-pool-size=32M',
    '--innodb-flush-log-at-trx-commit=1',
  ];
}
