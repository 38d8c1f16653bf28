import { Command } from 'commander';
import type { RegisterCommands, RunCommand } from '../../../../src/cli/testing';
import type { Millime } from '../../../../src/compose';
import { OPERATOR } from '../../../../src/identity';
import { businessCalendar } from '../../../../src/kernel';

interface Ended {
  readonly exitCode: number;
  readonly lines: readonly string[];
  /** What was printed as JSON, decoded again. */
  readonly json: unknown;
  /** Whether it asked for somebody who may decide, or for anybody; undefined when it did not ask. */
  readonly decides: boolean | undefined;
}

/** Runs one command on rooms that a test makes. A room or a call that it does not make fails when it is used. */
export async function runCommand(
  register: RegisterCommands,
  rooms: { readonly [Room in keyof Millime]?: Partial<Millime[Room]> },
  args: readonly string[],
  { isTerminal = false } = {},
): Promise<Ended> {
  const lines: string[] = [];
  const printed: unknown[] = [];
  const asked: boolean[] = [];
  const ended = { exitCode: 0 };
  const identity = {
    commandActor: async (_key: string | undefined, { decides }: { decides: boolean }) => {
      asked.push(decides);
      return OPERATOR;
    },
  };
  // Ids are given in full.
  const reporting = { fullId: async (_kinds: readonly string[], text: string) => text };
  const millime = {
    config: {},
    reporting,
    calendar: businessCalendar('Africa/Tunis'),
    identity,
    ...rooms,
  } as unknown as Millime;
  const work: RunCommand['beforeMigration'] = async (each) => {
    const io = {
      isTerminal,
      line: (text = '') => void lines.push(text),
      json: (value: unknown) => void printed.push(JSON.parse(JSON.stringify(value))),
    };
    ended.exitCode = (await each(millime, io)) ?? 0;
  };
  const program = new Command('millime').exitOverride().configureOutput({ writeErr: () => undefined });
  register(program, Object.assign(work, { onNewBooks: work, beforeMigration: work }));
  await program.parseAsync([...args], { from: 'user' });
  return { exitCode: ended.exitCode, lines, json: printed[0], decides: asked[0] };
}
