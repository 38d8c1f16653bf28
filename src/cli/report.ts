import { Option } from 'commander';
import { dailyReportToCsv, dailyReportToHtml, dailyReportToJson, dailyReportToText } from '../reporting';
import type { RegisterCommands } from './command';
import { dayOption } from './day-option';
import { outputTo } from './export-output';

interface Options {
  through?: string;
  format: 'text' | 'json' | 'csv' | 'html';
  json?: true;
}

export const registerReportCommands: RegisterCommands = (program, run) => {
  const report = program.command('report').description('what finance reads');

  report
    .command('daily')
    .description('which bank credit paid which payments, what is on its way, what is wrong')
    .option('--through <date>', 'the last day to look at; yesterday when not given')
    .addOption(
      new Option('--format <format>', 'how to print it').choices(['text', 'json', 'csv', 'html']).default('text'),
    )
    .option('--json', 'the same as --format json')
    .action((options: Options) =>
      run(async ({ reporting, calendar }, io) => {
        const stdout = outputTo(process.stdout);
        const daily = await reporting.daily(dayOption('--through', options.through));
        switch (options.json === true ? 'json' : options.format) {
          case 'text':
            return io.line(dailyReportToText(daily, calendar));
          case 'json':
            return io.json(dailyReportToJson(daily));
          case 'csv':
            await stdout.write(dailyReportToCsv(daily, calendar));
            return stdout.exitCode();
          case 'html':
            await stdout.write(dailyReportToHtml(daily, calendar));
            return stdout.exitCode();
        }
      }),
    );
};
