import { type BusinessDate, type CodedNotice, counted, noticeOf, type NoticeType } from '../../kernel';

const obstacle = <Params>(
  text: (params: Params) => string,
  command?: (params: NoInfer<Params>) => string,
): NoticeType<Params> => ({ text, command });

interface Through {
  /** The last day of the run that removes the obstacle. */
  readonly through: BusinessDate;
}

const reconciling = ({ through }: Through): string => `run "millime reconcile --through ${through}"`;
const importing = (): string => 'import one, or state with --reason why the day is closed without it';

/** Every obstacle to closing a day: its stable code, and its sentence made from its parameters. */
const OBSTACLES = {
  earlier_day_open: obstacle(({ date }: { date: BusinessDate }) => `${date} must be closed first`),
  closed_through: obstacle(({ through }: Through) => `the ledger is already closed through ${through}`),
  /** `from` is the instant in UTC, `localTime` the same in the business time zone. */
  day_not_over: obstacle(
    ({ localTime }: { from: string; localTime: string }) => `the day can be closed from ${localTime}`,
  ),
  not_reconciled: obstacle((_: Through) => 'no run has reconciled it since it ended', reconciling),
  run_unfinished: obstacle((_: Through) => 'a run is unfinished', reconciling),
  lines_unread: obstacle(
    ({ lines, firstDate, lastDate }: Through & { lines: number; firstDate: BusinessDate; lastDate: BusinessDate }) =>
      `a statement was posted after the last run (${counted(lines, 'line')}, ` +
      `${firstDate === lastDate ? firstDate : `${firstDate} to ${lastDate}`})`,
    reconciling,
  ),
  statement_waiting: obstacle(
    ({ statementId, account }: { statementId: string; account: string }) =>
      `statement ${statementId} of account ${account} waits for a decision`,
    ({ statementId: id }) =>
      `run "millime statements accept ${id} --reason ..." or "millime statements exclude ${id} --reason ..."`,
  ),
  more_statements_waiting: obstacle(
    ({ statements }: { statements: number }) => `${counted(statements, 'further statement')} waiting`,
    () => 'run "millime statements list --waiting"',
  ),
  no_statement: obstacle((_: object) => 'no statement covers it', importing),
  statements_end: obstacle(
    ({ account, through }: { account: string; through: BusinessDate }) =>
      `the statements of ${account} end on ${through}`,
    importing,
  ),
} as const satisfies Readonly<Record<string, NoticeType<never>>>;

/** The stable code of an obstacle. */
export type ObstacleCode = keyof typeof OBSTACLES;

/** All codes, in the order of their list. */
export const OBSTACLE_CODES = Object.keys(OBSTACLES) as readonly ObstacleCode[];

/** What hinders the closing of a day. */
export interface Obstacle extends CodedNotice {
  readonly code: ObstacleCode;
}

export type ObstacleParams<Code extends ObstacleCode> = Parameters<(typeof OBSTACLES)[Code]['text']>[0];

/** Returns an obstacle with its sentence. */
export function obstacleOf<Code extends ObstacleCode>(code: Code, params: ObstacleParams<Code>): Obstacle {
  const type = OBSTACLES[code] as unknown as NoticeType<ObstacleParams<Code>>;
  return { code, params: { ...params }, ...noticeOf(type, params) };
}
