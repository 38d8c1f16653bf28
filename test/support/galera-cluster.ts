import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from './free-port';
import { MariaDbServer } from './mariadb-server';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const NODES = 3;
const SYNCED_LIMIT_MS = 60_000;
/** How long members that see each other again may need to find their quorum by themselves. */
const QUORUM_LIMIT_MS = 8_000;
/** How long a transfer of the data may take. */
const REJOIN_LIMIT_MS = 30_000;
/** A machine may be busy with the faults of others. */
const CONNECT_MS = 5_000;
const POLL_MS = 50;

// For one machine: a node is expelled after about two seconds instead of six.
const TUNED =
  'evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.2S;evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S;' +
  'evs.install_timeout=PT3S;gcache.size=16M';

/** Returns why this machine cannot run a cluster; undefined if it can. */
export function missingForGalera(): string | undefined {
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

  /** Makes it the start of a new primary component. Only where no other member is in one. */
  bootstrap(): Promise<void> {
    return this.query("set global wsrep_provider_options = 'pc.bootstrap=YES'").then(() => undefined);
  }

  /** Removes its data, after its server has ended: at its next start another member sends it everything. */
  async forgetData(): Promise<void> {
    const { dataFolder } = this.server;
    for (const name of await readdir(dataFolder)) await rm(join(dataFolder, name), { recursive: true });
  }

  /** The last write that its data has, as `uuid:seqno`, while its server is not running. */
  async recoveredPosition(): Promise<{ readonly position: string; readonly seqno: number }> {
    const log = await this.server.runToEnd(['--wsrep-recover']);
    const position = [...log.matchAll(/WSREP: Recovered position: (\S+)/g)].at(-1)?.[1];
    if (position === undefined) throw new Error(`no recovered position:\n${log}`);
    return { position, seqno: Number(position.split(':')[1]) };
  }

  /** Starts it as the first member of a cluster that has none. */
  async startFirst(position: string): Promise<void> {
    const state = join(this.server.dataFolder, 'grastate.dat');
    await writeFile(state, (await readFile(state, 'utf8')).replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'));
    await this.server.start(['--wsrep-new-cluster', `--wsrep-start-position=${position}`]);
  }

  async isPrimary(): Promise<boolean> {
    return (await this.status('wsrep_cluster_status').catch(() => '')) === 'Primary';
  }

  async connect(): Promise<Connection> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.server.port,
      user: 'root',
      connectTimeout: CONNECT_MS,
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

  /** What it says of itself, and the end of its log. */
  async describe(): Promise<string> {
    const names = ['wsrep_cluster_status', 'wsrep_cluster_size', 'wsrep_local_state_comment', 'wsrep_ready'];
    const states = await Promise.all(names.map((name) => this.status(name))).catch((error: unknown) => [String(error)]);
    return `${this.address}: ${states.join(', ')}\n${this.server.endOfLog}`;
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

/** What healing a cluster took. */
export interface Healed {
  readonly bootstrapped: boolean;
  /** Whether all nodes were dead. */
  readonly recovered: boolean;
  /** The number of nodes that stayed outside until their server was started again. */
  readonly restarted: number;
}

/** Three Galera nodes on 127.0.0.1. */
export class GaleraCluster {
  readonly nodes: readonly GaleraNode[];

  private constructor(nodes: readonly GaleraNode[]) {
    this.nodes = nodes;
  }

  /** Starts three nodes. `flagsOfLast` are more flags of the last one. */
  static async start(flagsOfLast: readonly string[] = []): Promise<GaleraCluster> {
    const ports: number[] = [];
    for (let node = 0; node < NODES; node += 1) ports.push(await freePort());
    const nodes: GaleraNode[] = [];
    const cluster = new GaleraCluster(nodes);
    try {
      for (const port of ports) {
        const isLast = port === ports.at(-1);
        const flags = [...(await flagsOf(port, ports)), ...(isLast ? flagsOfLast : [])];
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

  /** A DATABASE_URL of all nodes, in their order from the node at position `first` on. */
  url(database: string, first = 0): string {
    const nodes = [...this.nodes.slice(first), ...this.nodes.slice(0, first)];
    return `mysql://root@${nodes.map(({ address }) => address).join(',')}/${database}`;
  }

  /** Waits until every node is a member and accepts writes. */
  joined(): Promise<void> {
    return this.#until('every node is a member', () => this.#areJoined());
  }

  async #areJoined(): Promise<boolean> {
    return (await withFlag(this.nodes, (node) => node.isSynced())).length === NODES;
  }

  /** Waits until every node is a member and has every write. Only where nobody writes. */
  async synced(): Promise<void> {
    await this.joined();
    await this.#until('every node has every write', async () => {
      const committed = await Promise.all(this.nodes.map((node) => node.status('wsrep_last_committed')));
      return new Set(committed).size === 1;
    });
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (await within(SYNCED_LIMIT_MS, isSo)) return;
    const states = await Promise.all(this.nodes.map((node) => node.describe()));
    throw new Error(`waited in vain: ${what}\n${states.join('\n')}`);
  }

  /**
   * Ends every fault of any kind: stopped nodes go on, isolated ones join, dead ones start. Where that is not enough, does
   * what docs/OPERATIONS.md tells an operator to do.
   */
  async heal(): Promise<Healed> {
    for (const { server } of this.nodes) server.sigcont();
    const living = this.nodes.filter(({ server }) => server.isRunning());
    await Promise.all(living.map((node) => node.join()));
    if (living.length === 0) {
      await this.#recover();
      return { bootstrapped: false, recovered: true, restarted: 0 };
    }
    const bootstrapped = !(await hasQuorum(living));
    if (bootstrapped) await this.#until('the cluster is bootstrapped', () => bootstrapOneOf(living));
    await Promise.all(this.nodes.map(({ server }) => server.start()));
    const restarted = (await within(REJOIN_LIMIT_MS, () => this.#areJoined())) ? 0 : await this.#restartOutsiders();
    await this.joined();
    return { bootstrapped, recovered: false, restarted };
  }

  /** Starts the nodes again that stay outside. Galera leaves some so whose transfer was interrupted. Returns their number. */
  async #restartOutsiders(): Promise<number> {
    const members = await withFlag(this.nodes, (node) => node.isSynced());
    const outsiders = this.nodes.filter((node) => !members.includes(node));
    for (const { server } of outsiders) await server.kill9().then(() => server.start());
    return outsiders.length;
  }

  /** Starts a cluster all of whose nodes are dead: first the one with the last write. */
  async #recover(): Promise<void> {
    const found = await Promise.all(this.nodes.map(async (node) => ({ node, ...(await node.recoveredPosition()) })));
    const last = found.reduce((best, each) => (each.seqno > best.seqno ? each : best));
    await last.node.startFirst(last.position);
    for (const { node, position } of found) await node.server.start([`--wsrep-start-position=${position}`]);
    await this.joined();
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.remove()));
  }
}

/** Asks until it is so. Returns false when it is not within the limit. */
async function within(limitMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > until) return false;
    await pause(POLL_MS);
  }
  return true;
}

async function withFlag(
  nodes: readonly GaleraNode[],
  isSo: (node: GaleraNode) => Promise<boolean>,
): Promise<readonly GaleraNode[]> {
  const flags = await Promise.all(nodes.map(isSo));
  return nodes.filter((_, index) => flags[index]);
}

function hasQuorum(nodes: readonly GaleraNode[]): Promise<boolean> {
  return within(QUORUM_LIMIT_MS, async () => (await Promise.all(nodes.map((node) => node.isPrimary()))).includes(true));
}

/** Returns whether it worked. A node that is still looking for the others refuses ("Incorrect arguments to SET"). */
async function bootstrapOneOf(nodes: readonly GaleraNode[]): Promise<boolean> {
  await (await newest(nodes)).bootstrap().catch(() => undefined);
  return hasQuorum(nodes);
}

async function newest(nodes: readonly GaleraNode[]): Promise<GaleraNode> {
  const committed = await Promise.all(nodes.map((node) => node.status('wsrep_last_committed').then(Number)));
  return nodes[committed.indexOf(Math.max(...committed))] as GaleraNode;
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
  ];
}
