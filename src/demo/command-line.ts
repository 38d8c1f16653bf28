import { z } from 'zod';
import { AppError } from '../kernel';
import { runCommand, type DemoEnvironment, type Program } from './processes';

const DONE = [0];

/** The command line of Millime as an operator has it; each call is a process of its own. */
export interface CommandLine {
  /** What a command that has no figures to show printed. @throws AppError `internal` when it ended otherwise. */
  run(args: readonly string[]): Promise<string>;
  /** What a command says with `--json`. @throws AppError `internal` also for a shape that is not the expected one. */
  json<T>(schema: z.ZodType<T>, args: readonly string[], acceptedCodes?: readonly number[]): Promise<T>;
}

export function commandLine(program: Program, environment: DemoEnvironment): CommandLine {
  return {
    run: (args) => runCommand(program, environment, args, DONE),
    async json(schema, args, acceptedCodes = DONE) {
      const printed = await runCommand(program, environment, [...args, '--json'], acceptedCodes);
      const read = schema.safeParse(JSON.parse(printed));
      if (read.success) return read.data;
      throw new AppError('internal', `millime ${args.join(' ')} said something else: ${z.prettifyError(read.error)}`);
    },
  };
}
