import { Option } from 'commander';
import { dailyReportToJson, dailyReportToText } from '../reporting';
import type { RegisterCommands } from './command';
import { dayOption } from './day-option';

interface Options {
  through?: string;
  format: 'text' | 'json';
  json?: true;
}

export const registerReportCommands: RegisterCommands = (program, run) => {
  const report = program.command('report').description('what finance reads');

  report
    .command('daily')
    .description('which bank credit paid which payments, what is on its way, what is wrong')
    .option('--through <date>', 'the last day to look at; yesterday when not given')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('--json', 'the same as --format json')
    .action((options: Options) =>
      run(async (millime, io) => {
        const daily = await millime.reporting.daily(dayOption('--through', options.through));
        if (options.json === true || options.format === 'json') io.json(dailyReportToJson(daily));
        else io.line(dailyReportToText(daily, millime.calendar));
      }),
    );
};
