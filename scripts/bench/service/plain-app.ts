// What the measurements compare Millime with: a plain Express app as a process of its own. PLAIN_DATABASE_URL names its
// database; without one it answers the same and stores nothing.
import express from 'express';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { sqliteDriver } from '../../../src/db';

interface Confirm {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amount: number;
}

type Store = (confirm: Confirm) => Promise<'0' | '1'>;

const POOL_SIZE = 12; // as Millime's
const AGENT = 'select agent_id from plain_agents where agent_id = ?';
const BALANCE = 'select balance from plain_balances where agent_id = ?';
const CONFIRM = 'insert into plain_confirmations (transaction_id, agent_id, amount, received_at) values (?, ?, ?, ?)';
const TRANSACTION = 'insert into plain_transactions (reference, recorded_at) values (?, ?)';
const POSTING =
  'insert into plain_postings (transaction_id, debit_account, credit_account, amount) values (?, ?, ?, ?)';
const UPSERT = 'insert into plain_balances (agent_id, balance) values (?, ?)';

const { PLAIN_DATABASE_URL, PLAIN_TOKEN = '', PORT = '' } = process.env;
const store = openStore(PLAIN_DATABASE_URL);

const app = express();
app.use((request, response, next) => {
  if (request.headers.authorization === `Bearer ${PLAIN_TOKEN}`) return next();
  response.status(401).json({ error: 'unauthorized' });
});
app.get('/service/check/:agentId', (_request, response) => {
  response.json({ code: '0', desc: 'Agent 0000001', amount: '0' });
});
app.post('/service/confirm', express.json(), async (request, response) => {
  response.json({ code: await store(request.body as Confirm) });
});
app.listen(Number(PORT), '127.0.0.1');

function openStore(url: string | undefined): Store {
  if (url === undefined) return async () => '0';
  return url.startsWith('sqlite:') ? sqliteStore(url.slice('sqlite:'.length)) : mariaDbStore(url);
}

function mariaDbStore(url: string): Store {
  const pool = createPool({ uri: url, connectionLimit: POOL_SIZE });
  return async ({ transactionId, agentId, amount }) => {
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      const [agents] = await connection.execute<RowDataPacket[]>(AGENT, [agentId]);
      if (agents.length === 0) {
        await connection.rollback();
        return '1';
      }
      const [balances] = await connection.execute<RowDataPacket[]>(`${BALANCE} for update`, [agentId]);
      const balance = Number(balances[0]?.['balance'] ?? 0) - amount;
      await connection.execute(CONFIRM, [transactionId, agentId, amount, Date.now()]);
      const [posted] = await connection.execute<ResultSetHeader>(TRANSACTION, [`service:${transactionId}`, Date.now()]);
      await connection.execute(POSTING, [posted.insertId, 'gateway_clearing', `agent:${agentId}`, amount]);
      await connection.execute(`${UPSERT} on duplicate key update balance = values(balance)`, [agentId, balance]);
      await connection.commit();
      return '0';
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  };
}

function sqliteStore(file: string): Store {
  const database = new (sqliteDriver())(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const [agents, balances] = [database.prepare(AGENT), database.prepare(BALANCE)];
  const [confirms, transactions, postings] = [CONFIRM, TRANSACTION, POSTING].map((sql) => database.prepare(sql));
  const upsert = database.prepare(`${UPSERT} on conflict (agent_id) do update set balance = excluded.balance`);
  const transact = database.transaction(({ transactionId, agentId, amount }: Confirm) => {
    if (agents.get(agentId) === undefined) return '1';
    const { balance } = (balances.get(agentId) ?? { balance: 0 }) as { balance: number };
    confirms?.run(transactionId, agentId, amount, Date.now());
    const posted = transactions?.run(`service:${transactionId}`, Date.now());
    postings?.run(posted?.lastInsertRowid, 'gateway_clearing', `agent:${agentId}`, amount);
    upsert.run(agentId, balance - amount);
    return '0';
  });
  return async (confirm) => transact.immediate(confirm);
}
