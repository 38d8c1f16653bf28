import { INVARIANT_COUNT } from '../reporting';
import { EXIT, type RegisterCommands } from './command';

export const registerLedgerCommands: RegisterCommands = (program, run) => {
  const ledger = program.command('ledger').description('the books');

  ledger
    .command('verify')
    .description('check every invariant of the books; exit code 3 when one does not hold')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      run(async (millime, io) => {
        const broken = await millime.reporting.verifyBooks();
        if (options.json === true) {
          io.json({ invariants: INVARIANT_COUNT, broken: broken.map(({ name, rows }) => ({ name, rows })) });
        } else if (broken.length === 0) {
          io.line(`the books are right: ${INVARIANT_COUNT} invariants hold`);
        } else {
          for (const { name, rows } of broken) {
            io.line(`BROKEN: ${name}`);
            for (const each of rows) io.line(`  ${JSON.stringify(each)}`);
          }
        }
        return broken.length === 0 ? EXIT.done : EXIT.breaks;
      }),
    );
};
