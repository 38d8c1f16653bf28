import type { AddressInfo } from 'node:net';
import { type Connection, createServer } from 'mysql2';

/** What a fake member of a cluster answers to a statement: rows of one text column, an error, or nothing at all. */
export type NodeAnswer = { readonly rows: readonly string[] } | { readonly errno: number } | 'hang';

/** How a fake member shows itself. `plain` is a server that belongs to no cluster. */
export type NodeState = 'well' | 'non_primary' | 'read_only' | 'plain';

const LOST_CLUSTER = 1047;
const CAPABILITIES = 0xff_f7_df; // all of the first protocol but compression and TLS
const TEXT_COLUMN = 0xfd;
const UTF8 = 33;

/**
 * A server of MariaDB's protocol that answers as a Galera member would, so that what a member answers in a partition can
 * be had without a cluster. It takes connections, SET and SHOW in every state, as a member does.
 */
export class FakeNode {
  state: NodeState = 'well';
  /** What a statement is answered; undefined for what the state answers. */
  answer: (sql: string) => NodeAnswer | undefined = () => undefined;
  /** Every statement that came, in order. */
  readonly statements: string[] = [];
  /** How many connections were made. */
  connections = 0;
  readonly #name: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #open = new Set<Connection>();

  private constructor(name: string) {
    this.#name = name;
    this.#server = createServer((connection) => this.#serve(connection));
  }

  /** `select name` answers the name. */
  static async start(name: string): Promise<FakeNode> {
    const node = new FakeNode(name);
    await new Promise<void>((resolve) => {
      // The driver's types name the port alone.
      (node.#server as unknown as Listening).listen(0, '127.0.0.1', undefined, resolve);
    });
    return node;
  }

  get port(): number {
    return (this.#server as unknown as Listening)._server.address().port;
  }

  async close(): Promise<void> {
    for (const connection of this.#open) connection.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(connection: Connection): void {
    this.connections += 1;
    this.#open.add(connection);
    connection.on('error', () => this.#open.delete(connection));
    connection.on('end', () => this.#open.delete(connection));
    serverOf(connection).serverHandshake({
      protocolVersion: 10,
      serverVersion: '10.11.0-fake',
      connectionId: this.connections,
      statusFlags: 2,
      characterSet: UTF8,
      capabilityFlags: CAPABILITIES,
      authCallback: (_client: unknown, accept: () => void) => {
        accept();
        serverOf(connection).sequenceId = 0; // the driver's server does not begin anew with each command
      },
    });
    // The driver's server takes SET for the preparation of a statement.
    for (const event of ['query', 'stmt_prepare']) connection.on(event, (sql: string) => this.#reply(connection, sql));
  }

  #reply(connection: Connection, sql: string): void {
    this.statements.push(sql);
    this.#write(serverOf(connection), sql);
    serverOf(connection).sequenceId = 0;
  }

  #write(server: ServerSide, sql: string): void {
    const shown = this.#shown(sql);
    if (shown !== undefined) return server.writeTextResult(shown, ['Variable_name', 'Value'].map(columnOf));
    const answer = this.answer(sql) ?? this.#usual(sql);
    if (answer === 'hang') return;
    if ('errno' in answer) return server.writeError({ code: answer.errno, message: 'a fake error' });
    if (/^select/i.test(sql)) {
      return server.writeTextResult(
        answer.rows.map((name) => ({ name })),
        [columnOf('name')],
      );
    }
    server.writeOk();
  }

  #usual(sql: string): NodeAnswer {
    if (this.state === 'non_primary' && !/^set/i.test(sql)) return { errno: LOST_CLUSTER };
    return { rows: [this.#name] };
  }

  #shown(sql: string): object[] | undefined {
    if (!/^show global/i.test(sql)) return undefined;
    const isLost = this.state === 'non_primary';
    const values = {
      read_only: this.state === 'read_only' ? 'ON' : 'OFF',
      innodb_read_only: 'OFF',
      wsrep_on: this.state === 'plain' ? 'OFF' : 'ON',
      wsrep_ready: isLost ? 'OFF' : 'ON',
      wsrep_cluster_status: isLost ? 'non-Primary' : 'Primary',
      wsrep_local_state: isLost ? '0' : '4',
    };
    return Object.entries(values)
      .filter(([name]) => sql.includes(`'${name}'`))
      .map(([name, value]) => ({ Variable_name: name, Value: value }));
  }
}

/** The part of the driver's server that its types do not name. */
interface ServerSide {
  sequenceId: number;
  serverHandshake(options: object): void;
  writeTextResult(rows: object[], columns: object[]): void;
  writeOk(): void;
  writeError(error: { code: number; message: string }): void;
}

interface Listening {
  readonly _server: { address(): AddressInfo };
  listen(port: number, host: string, backlog: undefined, listening: () => void): void;
}

function serverOf(connection: Connection): ServerSide {
  return connection;
}

function columnOf(name: string): object {
  return {
    catalog: 'def',
    schema: '',
    table: '',
    orgTable: '',
    name,
    orgName: name,
    characterSet: UTF8,
    columnLength: 255,
    columnType: TEXT_COLUMN,
    flags: 0,
    decimals: 0,
  };
}
