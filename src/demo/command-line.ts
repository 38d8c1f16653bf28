import { z } from 'zod';
import { AppError } from '../kernel';
import { type Program, type ProgramEnvironment, runCommand } from './processes';

const DONE = [0];

/** Runs the command line of Millime as an operator does. Each call is one process. */
export interface CommandLine {
  /** Returns the output of a command. @throws AppError `internal` for another exit code. */
  run(args: readonly string[]): Promise<string>;
  /** Returns the output of a command with `--json`. @throws AppError `internal` for another exit code or shape. */
  json<T>(schema: z.ZodType<T>, args: readonly string[], acceptedCodes?: readonly number[]): Promise<T>;
}

export function commandLine(program: Program, environment: ProgramEnvironment): CommandLine {
  return {
    run: (args) => runCommand(program, environment, args, DONE),
    async json(schema, args, acceptedCodes = DONE) {
      const printed = await runCommand(program, environment, [...args, '--json'], acceptedCodes);
      const read = schema.safeParse(JSON.parse(printed));
      if (read.success) return read.data;
      throw new AppError('internal', `millime ${args.join(' ')} printed another shape: ${z.prettifyError(read.error)}`);
    },
  };
}
