import { BREAK_CLASSES, type ReconBreak } from '../breaks';
import { AppError, formatDinars, formatInstant } from '../kernel';
import type { RegisterCommands } from './command';

interface ListOptions {
  json?: true;
  all?: true;
  class?: string;
}

export const registerBreakCommands: RegisterCommands = (program, run) => {
  const breaks = program.command('breaks').description('what does not agree, and what was done about it');

  breaks
    .command('list')
    .description('the open breaks, oldest first')
    .option('--all', 'the resolved ones too')
    .option('--class <class>', 'only breaks of one class')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      run(async (millime, io) => {
        const found = await millime.breaks.list({
          includeResolved: options.all === true,
          ...(options.class === undefined ? {} : { classes: [classOption(options.class)] }),
        });
        if (options.json === true) return io.json(found.map(toJson));
        for (const each of found) io.line(summary(each));
        io.line(found.length === 0 ? 'no breaks' : `${found.length} breaks`);
      }),
    );

  breaks
    .command('show <id>')
    .description('one break: the rows it stands on, and its history')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) =>
      run(async (millime, io) => {
        const { reconBreak, history } = await millime.breaks.show(id);
        if (options.json === true) {
          return io.json({
            ...toJson(reconBreak),
            history: history.map((event) => ({ ...event, at: formatInstant(event.at) })),
          });
        }
        io.line(summary(reconBreak));
        for (const [name, value] of Object.entries(reconBreak.subject.facts)) io.line(`  ${name}: ${value}`);
        for (const item of reconBreak.subject.itemIds) io.line(`  item ${item}`);
        for (const line of reconBreak.subject.lineIds) io.line(`  statement line ${line}`);
        io.line('history');
        for (const { at, kind, actor, detail } of history) {
          io.line(`  ${millime.calendar.formatLocal(at)}  ${kind}  ${actor}  ${JSON.stringify(detail)}`);
        }
      }),
    );
};

function summary({ id, since, breakClass, status, amount }: ReconBreak): string {
  return `${id}  ${since}  ${breakClass.padEnd(25)}${status.padEnd(10)}${amount === undefined ? '' : formatDinars(amount)}`;
}

function classOption(name: string): (typeof BREAK_CLASSES)[number] {
  const known = BREAK_CLASSES.find((each) => each === name);
  if (known === undefined) throw new AppError('bad_input', `--class must be one of ${BREAK_CLASSES.join(', ')}`);
  return known;
}

function toJson(each: ReconBreak): Readonly<Record<string, unknown>> {
  return {
    id: each.id,
    class: each.breakClass,
    status: each.status,
    since: each.since,
    amountMillimes: each.amount ?? null,
    itemIds: each.subject.itemIds,
    lineIds: each.subject.lineIds,
    facts: each.subject.facts,
    openedAt: formatInstant(each.openedAt),
    resolvedAt: each.resolvedAt === undefined ? null : formatInstant(each.resolvedAt),
    resolution: each.resolution ?? null,
  };
}
